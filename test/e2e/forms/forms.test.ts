/** Forms: opened for missing arguments or by a shortcut, filled in, and answered where the command was typed. */
import { describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../../src/sandbox/contracts/people.ts';
import type { SlackViewAnswer } from '../../harness/client.ts';
import { until } from '../../harness/until.ts';
import { actionOf, openModalOf, submitModal } from '../harness/modals.ts';
import { messageText, type PersonName } from '../harness/sandbox-people.ts';
import { useResetPeople } from '../harness/use-sandbox-people.ts';

type Option = { readonly text: { readonly text: string }; readonly value: string };

const people = useResetPeople();

/** Types an incomplete command and returns the form that opens. */
const opens = async (
  user: PersonName,
  text: string,
  title: string,
  channel = 'ops',
): Promise<SlackViewAnswer> => {
  expect(await people.command({ user, channel, command: '/fleet', text })).toMatchObject({ ok: true });
  return openModalOf(people, user, title);
};
/** The options that its menu offers for these letters. */
const offered = async (user: PersonName, form: SlackViewAnswer, field: string, value: string) => {
  const action_id = actionOf(form, field);
  const { options = [] } = await people.suggest({
    user,
    view_id: form.id,
    block_id: field,
    action_id,
    value,
  });
  return options as readonly Option[];
};
/** Enters a value in a live field of the form. */
const enters = async (
  user: PersonName,
  form: SlackViewAnswer,
  field: string,
  value: unknown,
): Promise<void> => {
  const action_id = actionOf(form, field);
  expect(await people.click({ user, view_id: form.id, block_id: field, action_id, value })).toMatchObject({
    ok: true,
  });
};
/** The private answer here that contains this text. */
const told = (user: PersonName, part: string, channel = 'ops'): Promise<SeenMessage> =>
  until(
    async () =>
      (await people.messages(channel, user)).find(
        (one) => (one.ephemeral || channel.startsWith('@')) && messageText(one).includes(part),
      ),
    { what: `“${part}” told to ${user}` },
  );
/** Number of open windows. */
const modals = async (user: PersonName) => (await people.views(user)).modals.length;

describe('forms', () => {
  describe('a command that lacks something', () => {
    it('opens its form with what was typed, and requests what is submitted', async () => {
      const form = await opens('operator', 'reboot because kernel update', 'Reboot a device');
      expect(JSON.stringify(form.blocks)).toContain('"initial_value":"kernel update"');
      await offered('operator', form, 'device', 'web-01');
      expect(await submitModal(people, 'operator', form, { device: '4001' })).toMatchObject({ ok: true });
      expect(JSON.stringify((await openModalOf(people, 'operator', 'Approval requested')).blocks)).toContain(
        'Open the request',
      );
      const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
      expect(messageText(card)).toContain('kernel update');
      await people.presses('approver', card, 'approve');
      await people.becomes(card, 'verified');
      expect(await people.writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is requested once however often the window is submitted', async () => {
      const form = await opens('operator', 'scan', 'Scan a device');
      await offered('operator', form, 'device', 'web-01');
      const sent = () => submitModal(people, 'operator', form, { device: '4001' });
      await Promise.all([sent(), sent(), sent()]);
      await openModalOf(people, 'operator', ' requested');
      await until(async () => (await people.writes()).length > 0, { what: 'the scan to be sent' });
      await people.advance('1m');
      expect(await people.writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is requested once where the window is submitted again with other values', async () => {
      const form = await opens('operator', 'scan', 'Scan a device');
      await offered('operator', form, 'device', 'web-0');
      const answers = await Promise.all(
        ['4001', '4002'].map((device) => submitModal(people, 'operator', form, { device })),
      );
      expect(JSON.stringify(answers)).toContain('You already sent this form');
      await openModalOf(people, 'operator', ' requested');
      await until(async () => (await people.writes()).length > 0, { what: 'the scan to be sent' });
      await people.advance('1m');
      expect(await people.writes()).toHaveLength(1);
    });

    it.each([
      ['device', 'Find a device', 'device', 'web-01', '4001', 'web-01: Online'],
      ['packages', 'Device packages', 'device', 'web-01', '4001', 'Packages for web-01'],
      ['queue', 'Device queue', 'device', 'web-01', '4001', 'web-01'],
    ])('%s: the one that is chosen is shown', async (command, title, field, letters, value, answer) => {
      const form = await opens('viewer', command, title);
      expect((await offered('viewer', form, field, letters)).map((option) => option.value)).toContain(value);
      expect(await submitModal(people, 'viewer', form, { [field]: value })).toMatchObject({ ok: true });
      await told('viewer', answer);
      expect(await modals('viewer')).toBe(0);
    });

    it.each([
      ['group', 'Show a group', 'linux', 'Linux servers'],
      ['policy', 'Show a policy', 'patch', 'Patch'],
    ])('%s: the one that is chosen is shown', async (command, title, letters, name) => {
      const form = await opens('viewer', command, title);
      const option = (await offered('viewer', form, command, letters)).find(({ text }) =>
        text.text.includes(name),
      );
      expect(await submitModal(people, 'viewer', form, { [command]: option?.value })).toMatchObject({
        ok: true,
      });
      await told('viewer', name);
    });

    it('is refused to somebody without the right, and no window opens', async () => {
      expect((await people.runs('viewer', 'reboot')).text).toMatch(
        /^`\/fleet [\w-]+` needs the operator role/,
      );
      await people.invite({ user: 'viewer', channel: 'random' });
      expect((await people.runs('outsider', 'device', 'random')).text).toMatch(
        /^`\/fleet [\w-]+` needs the viewer role/,
      );
      expect([await modals('viewer'), await modals('outsider')]).toEqual([0, 0]);
    });

    it('is answered with a button in a thread, where there is no window to open by itself', async () => {
      const { ts = '' } = await people.message({ user: 'operator', channel: 'ops', text: 'It hangs.' });
      const where = { channel: 'ops', thread: ts };
      const answer = await people.says('operator', '@patchbay scan because it hangs', where);
      expect(answer.text).toContain('Which device?');
      await people.push('operator', { ...answer, channel: 'ops' }, 'form');
      const form = await openModalOf(people, 'operator', 'Scan a device');
      expect(JSON.stringify(form.blocks)).toContain('it hangs');
      await offered('operator', form, 'device', 'web-01');
      await submitModal(people, 'operator', form, { device: '4001' });
      expect((await openModalOf(people, 'operator', ' requested'))['private_metadata']).toContain(ts);
      // The request is stored before its command is sent.
      await expect.poll(() => people.writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is answered with the button where Slack opens no window', async () => {
      await people.faultOnce({ service: 'slack', match: 'views.open', kind: 'status', status: 500 });
      const answer = await people.runs('operator', 'scan');
      expect(answer.text).toContain('Which device?');
      await people.push('operator', { ...answer, channel: 'ops' }, 'form');
      await openModalOf(people, 'operator', 'Scan a device');
    });

    it('is answered in the direct message where the bot is not in the channel', async () => {
      const form = await opens('viewer', 'device', 'Find a device', 'random');
      await offered('viewer', form, 'device', 'web-01');
      await submitModal(people, 'viewer', form, { device: '4001' });
      await told('viewer', 'web-01: Online', '@viewer');
    });
  });

  it('an error of the service is shown in the form, with everything that was entered', async () => {
    const form = await opens('operator', 'group-create every:6h because new site', 'Create a group');
    expect(
      await submitModal(people, 'operator', form, { name: 'Kiosks', notes: 'two\nlines' }),
    ).toMatchObject({
      ok: true,
    });
    const again = await openModalOf(people, 'operator', 'already has a subgroup');
    expect(again.id).toBe(form.id);
    expect(again['callback_id']).toBe('form');
    for (const entered of ['Kiosks', 'two\\nlines', '"value":"360"', 'new site'])
      expect(JSON.stringify(again.blocks)).toContain(entered);
    expect(await submitModal(people, 'operator', again, { name: 'Kiosks of the new site' })).toMatchObject({
      ok: true,
    });
    await openModalOf(people, 'operator', 'Approval requested');
    const card = await people.card('approvals', ({ text }) => text.includes('Kiosks of the new site'));
    expect(messageText(card)).toContain('6 hours');
    expect(messageText(card)).toContain('lines');
  });

  it('a service that does not answer loses nothing that was entered', async () => {
    const form = await opens('operator', 'device-edit web-01', 'Edit a device');
    const ready = await openModalOf(people, 'operator', 'Custom name');
    await people.fault({ service: 'management', match: 'GET /servers/4001', kind: 'status', status: 500 });
    await submitModal(people, 'operator', ready, { 'name:4001': 'Front door' });
    const again = await openModalOf(people, 'operator', 'Nothing was changed');
    expect([again.id, again['callback_id']]).toEqual([form.id, 'form']);
    expect(JSON.stringify(again.blocks)).toContain('"initial_value":"Front door"');
    expect(await people.writes()).toEqual([]);
  });

  it('a time at the end of the reason is asked about once, in the form', async () => {
    const form = await opens('operator', 'reboot', 'Reboot a device');
    await offered('operator', form, 'device', 'web-01');
    await submitModal(people, 'operator', form, { device: '4001', reason: 'kernel, tonight' });
    const asked = await openModalOf(people, 'operator', 'There are no schedules yet.');
    expect([asked.id, asked['submit']]).toEqual([form.id, { type: 'plain_text', text: 'Request now' }]);
    expect(JSON.stringify(asked.blocks)).toContain('kernel, tonight');
    await submitModal(people, 'operator', asked, {});
    const card = await people.card('approvals', ({ text }) => text.includes('Reboot web-01'));
    expect(messageText(card)).toContain('Reason: kernel, tonight');
  });

  it('a time that was asked about already is not asked about on the way', async () => {
    const asked = await people.runs('operator', 'reboot web-02 because kernel tonight');
    expect(messageText(asked)).toContain('There are no schedules yet.');
    await people.push('operator', { ...asked, channel: 'ops' }, 'pick:0');
    const card = await people.card('approvals', ({ text }) => text.includes('Reboot web-02'));
    expect(messageText(card)).toContain('Reason: kernel tonight');
  });

  it('an answer whose window was closed is sent where the command was typed', async () => {
    await people.fault({ service: 'management', match: 'GET /servers/4001', kind: 'slow', ms: 3_000 });
    const form = await opens('operator', 'scan', 'Scan a device');
    await offered('operator', form, 'device', 'web-01');
    await submitModal(people, 'operator', form, { device: '4001' });
    await people.close({ user: 'operator', view_id: form.id });
    await told('operator', ' requested');
  });

  it('a menu offers the nearest first, typing errors forgiven', async () => {
    const form = await opens('viewer', 'device', 'Find a device');
    const names = async (letters: string) =>
      (await offered('viewer', form, 'device', letters)).map(({ text }) => text.text);
    expect((await names('web-0')).slice(0, 2)).toEqual(['web-01', 'web-02']);
    expect(await names('#4001')).toEqual(['web-01']);
    expect(await names('wbe-01')).toContain('web-01');
    expect((await names('e')).length).toBeLessThanOrEqual(100);
    expect(await names('no such device at all')).toEqual([]);
  });

  describe('patch', () => {
    const opened = async () => {
      const form = await opens('operator', 'patch', 'Install patches');
      await offered('operator', form, 'device', 'web-01');
      await enters('operator', form, 'device', '4001');
      return openModalOf(people, 'operator', 'All missing patches');
    };

    it('lists what is missing on the device once one is chosen, and asks for all of it', async () => {
      const form = await opened();
      expect(JSON.stringify(form.blocks)).toMatch(/multi_static_select.*requires a reboot/);
      expect(await submitModal(people, 'operator', form, {})).toMatchObject({ ok: true });
      const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
      expect(card.text).toContain('all missing patches');
    });

    it('says on the field what is wrong with a choice, and the input survives', async () => {
      const form = await opened();
      const [, package_ = ''] = /"value":"([a-z][^"*]*)"/.exec(JSON.stringify(form.blocks)) ?? [];
      const field = 'packages:4001';
      const both = await submitModal(people, 'operator', form, { [field]: ['*', package_] });
      expect(both).toEqual({ ok: false, error: 'invalid_input', errors: { [field]: expect.any(String) } });
      expect(await modals('operator')).toBe(1);
      expect(
        await submitModal(people, 'operator', form, { [field]: [package_], reason: 'CVE list' }),
      ).toMatchObject({
        ok: true,
      });
      const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
      expect(messageText(card)).toContain(package_);
      expect(messageText(card)).toContain('CVE list');
    });
  });

  it('device filters are counted while they are built, and shown in the end', async () => {
    const form = await opens('viewer', 'preview', 'Test a device filter');
    await enters('viewer', form, 'host', 'web-0');
    await openModalOf(people, 'viewer', 'devices match:');
    await enters('viewer', await openModalOf(people, 'viewer', 'web-01'), 'not_host', 'web-01');
    const narrowed = await until(
      async () => {
        const top = (await people.views('viewer')).modals.at(-1);
        return top && !JSON.stringify(top.blocks[0]).includes('web-01') ? top : null;
      },
      { what: 'a count without web-01' },
    );
    await offered('viewer', narrowed, 'group', 'linux');
    expect(await submitModal(people, 'viewer', narrowed, { version: 'ten' })).toMatchObject({
      errors: { version: expect.any(String) },
    });
    expect(await submitModal(people, 'viewer', narrowed, { version: '' })).toMatchObject({ ok: true });
    const answer = await told('viewer', 'Preview');
    expect(messageText(answer)).toContain('host:web-0');
    expect(messageText(answer)).toContain('-host:web-01');
    await people.push('viewer', { ...answer, channel: 'ops' }, 'form');
    const again = JSON.stringify((await openModalOf(people, 'viewer', 'devices match:')).blocks);
    expect(again).toContain('"initial_value":"web-0"');
    expect(again).toContain('"initial_value":"web-01"');
  });

  describe('shortcuts', () => {
    const acts = async (user: PersonName, channel: string, ts: string, part: string) => {
      expect(await people.shortcut({ user, callback_id: 'act_on_device', channel, ts })).toMatchObject({
        ok: true,
      });
      return openModalOf(people, user, part);
    };
    const writes = async (text: string) => {
      const { ts = '' } = await people.message({ user: 'operator', channel: 'ops', text });
      return ts;
    };

    it('a device is found from anywhere, and shown in the window with its buttons', async () => {
      expect(await people.shortcut({ user: 'viewer', callback_id: 'find_device' })).toMatchObject({
        ok: true,
      });
      const form = await openModalOf(people, 'viewer', 'Find a device');
      await offered('viewer', form, 'device', 'web-01');
      await submitModal(people, 'viewer', form, { device: '4001' });
      const card = await openModalOf(people, 'viewer', 'Reboot required');
      expect(card.id).toBe(form.id);
      await pressIn('viewer', card, 'packages');
      await openModalOf(people, 'viewer', 'Packages for web-01');
      expect(await people.messages('@viewer', 'viewer')).toEqual([]);
    });

    it('what is looked for stays in the window until it is found', async () => {
      expect(await people.shortcut({ user: 'operator', callback_id: 'find_device' })).toMatchObject({
        ok: true,
      });
      const form = await openModalOf(people, 'operator', 'Find a device');
      await submitModal(people, 'operator', form, { words: 'nowhere-at-all' });
      const again = await openModalOf(people, 'operator', 'No devices match');
      expect(JSON.stringify(again.blocks)).toContain('"initial_value":"nowhere-at-all"');
      await submitModal(people, 'operator', again, { words: 'web-0' });
      const list = await openModalOf(people, 'operator', '*Devices matching* `web-0`');
      expect(list.id).toBe(form.id);
      await pressIn('operator', list, 'device:4002');
      const card = await openModalOf(people, 'operator', 'ID*');
      await people.close({ user: 'operator', view_id: card.id });
      await pressIn('operator', list, 'form:back');
      expect(JSON.stringify((await openModalOf(people, 'operator', 'Or search')).blocks)).toContain('web-0');
    });

    const pressIn = async (user: PersonName, view: SlackViewAnswer, action_id: string) => {
      const block = view.blocks.find((one) => JSON.stringify(one).includes(`"action_id":"${action_id}"`));
      const { block_id } = block as { readonly block_id: string };
      expect(await people.click({ user, view_id: view.id, action_id, block_id })).toMatchObject({
        ok: true,
      });
    };

    it('the device of a card is shown with its buttons, which act', async () => {
      await people.runs('operator', 'reboot web-01');
      const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
      const shown = await acts('operator', 'approvals', card.ts, 'ID*');
      await pressIn('operator', shown, 'scan');
      const form = await openModalOf(people, 'operator', 'Device: web-01 (#4001)');
      await people.submit({ user: 'operator', view_id: form.id, values: {} });
      await until(async () => (await people.writes()).length === 1, { what: 'a scan' });
      expect(await people.writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('the device of an alert, and the one that somebody wrote of', async () => {
      await people.world({ do: 'patch-fails', device: 'web-02' });
      await people.advance('20s');
      const alert = await people.card('patch-alerts', ({ text }) => text.includes('web-02'));
      await acts('viewer', 'patch-alerts', alert.ts, '#4002');
      await people.close({ user: 'viewer', view_id: (await openModalOf(people, 'viewer', '#4002')).id });
      await acts('viewer', 'ops', await writes('Is *web-01* (or so), slow again?'), '#4001');
    });

    it('of several devices one is chosen', async () => {
      const choice = await acts(
        'viewer',
        'ops',
        await writes('web-01 and #4002 are slow'),
        'This message mentions',
      );
      await pressIn('viewer', choice, 'pick:1');
      await openModalOf(people, 'viewer', 'ID*');
      expect(JSON.stringify((await openModalOf(people, 'viewer', 'web-02')).blocks)).toContain('#4002');
    });

    it('where a message speaks of none, one can be looked for; and nobody without a role learns of any', async () => {
      const none = await writes('Lunch?');
      expect((await acts('viewer', 'ops', none, 'names no device of the fleet'))['callback_id']).toBe('form');
      const { ts = '' } = await people.message({ user: 'outsider', channel: 'random', text: 'web-01' });
      await acts('outsider', 'random', ts, 'You need the viewer role');
    });
  });
});
