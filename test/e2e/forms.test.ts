/** Windows with fields: opened where something is missing, filled in, and answered where it was asked. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/contracts.ts';
import type { View } from '../harness/client.ts';
import { until } from '../harness/until.ts';
import { type PersonName, startTown, type Town, wordsOf } from './town.ts';

type Values = Readonly<Record<string, unknown>>;
type Option = { readonly text: { readonly text: string }; readonly value: string };

describe('forms', () => {
  let town: Town;
  beforeAll(async () => {
    town = await startTown();
  });
  afterAll(() => town.stop());
  beforeEach(async () => {
    await town.reset();
  });

  /** The topmost window, as soon as it says so. */
  const windowOf = (user: PersonName, part: string): Promise<View> =>
    until(
      async () => {
        const top = (await town.views(user)).modals.at(-1);
        return top !== undefined && JSON.stringify([top['title'], top.blocks]).includes(part) ? top : null;
      },
      { timeoutMs: 15_000, what: `“${part}” in a window of ${user}` },
    );
  /** Types a command that lacks something, and gives the window that asks for it. */
  const opens = async (user: PersonName, text: string, title: string, channel = 'ops'): Promise<View> => {
    expect(await town.command({ user, channel, command: '/fleet', text })).toMatchObject({ ok: true });
    return windowOf(user, title);
  };
  /** What its menu offers for these letters. */
  const offered = async (user: PersonName, form: View, field: string, value: string) => {
    const action_id = actionOf(form, field);
    const { options = [] } = await town.suggest({
      user,
      view_id: form.id,
      block_id: field,
      action_id,
      value,
    });
    return options as readonly Option[];
  };
  const submit = (user: PersonName, form: View, values: Values) =>
    town.submit({
      user,
      view_id: form.id,
      values: Object.fromEntries(
        Object.entries(values).map(([field, value]) => [field, { [actionOf(form, field)]: value }]),
      ),
    });
  const enters = async (user: PersonName, form: View, field: string, value: unknown): Promise<void> => {
    const action_id = actionOf(form, field);
    expect(await town.click({ user, view_id: form.id, block_id: field, action_id, value })).toMatchObject({
      ok: true,
    });
  };
  /** The private answer in this place that says so. */
  const told = (user: PersonName, part: string, channel = 'ops'): Promise<SeenMessage> =>
    until(
      async () =>
        (await town.messages(channel, user)).find(
          (one) => (one.ephemeral || channel.startsWith('@')) && wordsOf(one).includes(part),
        ),
      { timeoutMs: 15_000, what: `“${part}” told to ${user}` },
    );
  const modals = async (user: PersonName) => (await town.views(user)).modals.length;

  describe('a command that lacks something', () => {
    it('opens its form with what was typed, and what is submitted is asked for', async () => {
      const form = await opens('operator', 'reboot because kernel update', 'Reboot a device');
      expect(JSON.stringify(form.blocks)).toContain('"initial_value":"kernel update"');
      await offered('operator', form, 'device', 'web-01');
      expect(await submit('operator', form, { device: '4001' })).toMatchObject({ ok: true });
      expect(JSON.stringify((await windowOf('operator', 'waits for approval')).blocks)).toContain(
        'Open the card',
      );
      const card = await town.card('approvals', ({ text }) => text.includes('web-01'));
      expect(wordsOf(card)).toContain('kernel update');
      await town.presses('approver', card, 'approve');
      await town.becomes(card, 'verified');
      expect(await town.writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is asked for once however often the window is sent', async () => {
      const form = await opens('operator', 'scan', 'Scan a device');
      await offered('operator', form, 'device', 'web-01');
      const sent = () => submit('operator', form, { device: '4001' });
      await Promise.all([sent(), sent(), sent()]);
      await windowOf('operator', 'was taken up');
      await town.advance('1m');
      expect(await town.writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is asked for once where the window is sent again with other values, and says so', async () => {
      const form = await opens('operator', 'scan', 'Scan a device');
      await offered('operator', form, 'device', 'web-0');
      await Promise.all(['4001', '4002'].map((device) => submit('operator', form, { device })));
      const told = await windowOf('operator', 'nothing was done');
      expect(JSON.stringify(told.blocks)).toContain('sent before, with other values');
      await town.advance('1m');
      expect(await town.writes()).toHaveLength(1);
    });

    it.each([
      ['device', 'Find a device', 'device', 'web-01', '4001', 'web-01: Online'],
      ['packages', 'Packages of a device', 'device', 'web-01', '4001', 'Packages of web-01'],
      ['queue', 'Queue of a device', 'device', 'web-01', '4001', 'web-01'],
    ])('%s: the one that is chosen is shown', async (command, title, field, letters, value, answer) => {
      const form = await opens('viewer', command, title);
      expect((await offered('viewer', form, field, letters)).map((option) => option.value)).toContain(value);
      expect(await submit('viewer', form, { [field]: value })).toMatchObject({ ok: true });
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
      expect(await submit('viewer', form, { [command]: option?.value })).toMatchObject({ ok: true });
      await told('viewer', name);
    });

    it('is refused to somebody without the right, and no window opens', async () => {
      expect((await town.asks('viewer', 'reboot')).text).toMatch(/^This needs the role `operator`/);
      await town.invite({ user: 'viewer', channel: 'random' });
      expect((await town.asks('outsider', 'device', 'random')).text).toMatch(/^This needs the role `viewer`/);
      expect([await modals('viewer'), await modals('outsider')]).toEqual([0, 0]);
    });

    it('is answered with a button in a thread, where there is no window to open by itself', async () => {
      const { ts = '' } = await town.message({ user: 'operator', channel: 'ops', text: 'It hangs.' });
      const where = { channel: 'ops', thread: ts };
      const answer = await town.says('operator', '@patchbay scan because it hangs', where);
      expect(answer.text).toContain('`scan` needs a device');
      await town.push('operator', { ...answer, channel: 'ops' }, 'form');
      const form = await windowOf('operator', 'Scan a device');
      expect(JSON.stringify(form.blocks)).toContain('it hangs');
      await offered('operator', form, 'device', 'web-01');
      await submit('operator', form, { device: '4001' });
      expect((await windowOf('operator', 'was taken up'))['private_metadata']).toContain(ts);
      expect(await town.writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('is answered with the button where Slack opens no window', async () => {
      await town.fault({ service: 'slack', match: 'views.open', kind: 'status', status: 500, times: 1 });
      const answer = await town.asks('operator', 'scan');
      expect(answer.text).toContain('`scan` needs a device');
      await town.push('operator', { ...answer, channel: 'ops' }, 'form');
      await windowOf('operator', 'Scan a device');
    });

    it('is answered in the direct message where the bot is not in the channel', async () => {
      const form = await opens('viewer', 'device', 'Find a device', 'random');
      await offered('viewer', form, 'device', 'web-01');
      await submit('viewer', form, { device: '4001' });
      await told('viewer', 'web-01: Online', '@viewer');
    });
  });

  it('what the service stands in the way of is said in the form, with everything that was entered', async () => {
    const form = await opens('operator', 'group-create every:6h because new site', 'Create a group');
    expect(await submit('operator', form, { name: 'Kiosks', notes: 'two\nlines' })).toMatchObject({
      ok: true,
    });
    const again = await windowOf('operator', 'stands below that parent already');
    expect(again.id).toBe(form.id);
    expect(again['callback_id']).toBe('form');
    for (const entered of ['Kiosks', 'two\\nlines', '"value":"360"', 'new site'])
      expect(JSON.stringify(again.blocks)).toContain(entered);
    expect(await submit('operator', again, { name: 'Kiosks of the new site' })).toMatchObject({ ok: true });
    await windowOf('operator', 'waits for approval');
    const card = await town.card('approvals', ({ text }) => text.includes('Kiosks of the new site'));
    expect(wordsOf(card)).toContain('6 hours');
    expect(wordsOf(card)).toContain('lines');
  });

  it('a service that does not answer costs nothing that was entered', async () => {
    const form = await opens('operator', 'device-edit web-01', 'Edit a device');
    const ready = await windowOf('operator', 'Custom name');
    await town.fault({ service: 'management', match: 'GET /servers/4001', kind: 'status', status: 500 });
    await submit('operator', ready, { 'name:4001': 'Front door' });
    const again = await windowOf('operator', 'Nothing was changed');
    expect([again.id, again['callback_id']]).toEqual([form.id, 'form']);
    expect(JSON.stringify(again.blocks)).toContain('"initial_value":"Front door"');
    expect(await town.writes()).toEqual([]);
  });

  it('an answer whose window was closed is told where it was asked for', async () => {
    await town.fault({ service: 'management', match: 'GET /servers/4001', kind: 'slow', ms: 1_500 });
    const form = await opens('operator', 'scan', 'Scan a device');
    await offered('operator', form, 'device', 'web-01');
    await submit('operator', form, { device: '4001' });
    await town.close({ user: 'operator', view_id: form.id });
    await told('operator', 'was taken up');
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
      return windowOf('operator', 'Everything that is missing');
    };

    it('lists what is missing on the device once one is chosen, and asks for all of it', async () => {
      const form = await opened();
      expect(JSON.stringify(form.blocks)).toMatch(/multi_static_select.*needs a reboot/);
      expect(await submit('operator', form, {})).toMatchObject({ ok: true });
      const card = await town.card('approvals', ({ text }) => text.includes('web-01'));
      expect(card.text).toContain('all missing patches');
    });

    it('says on the field what is wrong with a choice, and the input survives', async () => {
      const form = await opened();
      const [, package_ = ''] = /"value":"([a-z][^"*]*)"/.exec(JSON.stringify(form.blocks)) ?? [];
      const field = 'packages:4001';
      const both = await submit('operator', form, { [field]: ['*', package_] });
      expect(both).toEqual({ ok: false, error: 'invalid_input', errors: { [field]: expect.any(String) } });
      expect(await modals('operator')).toBe(1);
      expect(await submit('operator', form, { [field]: [package_], reason: 'CVE list' })).toMatchObject({
        ok: true,
      });
      const card = await town.card('approvals', ({ text }) => text.includes('web-01'));
      expect(wordsOf(card)).toContain(package_);
      expect(wordsOf(card)).toContain('CVE list');
    });
  });

  it('device filters are counted while they are built, and shown in the end', async () => {
    const form = await opens('viewer', 'preview', 'Build device filters');
    await enters('viewer', form, 'host', 'web-0');
    await windowOf('viewer', 'devices match:');
    await enters('viewer', await windowOf('viewer', 'web-01'), 'not_host', 'web-01');
    const narrowed = await until(
      async () => {
        const top = (await town.views('viewer')).modals.at(-1);
        return top && !JSON.stringify(top.blocks[0]).includes('web-01') ? top : null;
      },
      { what: 'a count without web-01' },
    );
    await offered('viewer', narrowed, 'group', 'linux');
    expect(await submit('viewer', narrowed, { version: 'ten' })).toMatchObject({
      errors: { version: expect.any(String) },
    });
    expect(await submit('viewer', narrowed, { version: '' })).toMatchObject({ ok: true });
    const answer = await told('viewer', 'Preview');
    expect(wordsOf(answer)).toContain('host:web-0');
    expect(wordsOf(answer)).toContain('-host:web-01');
    await town.push('viewer', { ...answer, channel: 'ops' }, 'form');
    const again = JSON.stringify((await windowOf('viewer', 'devices match:')).blocks);
    expect(again).toContain('"initial_value":"web-0"');
    expect(again).toContain('"initial_value":"web-01"');
  });

  describe('shortcuts', () => {
    const acts = async (user: PersonName, channel: string, ts: string, part: string) => {
      expect(await town.shortcut({ user, callback_id: 'act_on_device', channel, ts })).toMatchObject({
        ok: true,
      });
      return windowOf(user, part);
    };
    const writes = async (text: string) => {
      const { ts = '' } = await town.message({ user: 'operator', channel: 'ops', text });
      return ts;
    };

    it('a device is found from anywhere, and shown in the window with its buttons', async () => {
      expect(await town.shortcut({ user: 'viewer', callback_id: 'find_device' })).toMatchObject({ ok: true });
      const form = await windowOf('viewer', 'Find a device');
      await offered('viewer', form, 'device', 'web-01');
      await submit('viewer', form, { device: '4001' });
      const card = await windowOf('viewer', 'Needs a reboot');
      expect(card.id).toBe(form.id);
      await pressIn('viewer', card, 'packages');
      await windowOf('viewer', 'Packages of web-01');
      expect(await town.messages('@viewer', 'viewer')).toEqual([]);
    });

    it('what is looked for stays in the window until it is found', async () => {
      expect(await town.shortcut({ user: 'operator', callback_id: 'find_device' })).toMatchObject({
        ok: true,
      });
      const form = await windowOf('operator', 'Find a device');
      await submit('operator', form, { words: 'nowhere-at-all' });
      const again = await windowOf('operator', 'No device fits');
      expect(JSON.stringify(again.blocks)).toContain('"initial_value":"nowhere-at-all"');
      await submit('operator', again, { words: 'web-0' });
      const list = await windowOf('operator', '*Devices* `web-0`');
      expect(list.id).toBe(form.id);
      await pressIn('operator', list, 'device:4002');
      const card = await windowOf('operator', 'Last logged-in user');
      await town.close({ user: 'operator', view_id: card.id });
      await pressIn('operator', list, 'form:back');
      expect(JSON.stringify((await windowOf('operator', 'Or all that fit')).blocks)).toContain('web-0');
    });

    const pressIn = async (user: PersonName, view: View, action_id: string) => {
      const block = view.blocks.find((one) => JSON.stringify(one).includes(`"action_id":"${action_id}"`));
      const { block_id } = block as { readonly block_id: string };
      expect(await town.click({ user, view_id: view.id, action_id, block_id })).toMatchObject({ ok: true });
    };

    it('the device of a card is shown with its buttons, which act', async () => {
      await town.asks('operator', 'reboot web-01');
      const card = await town.card('approvals', ({ text }) => text.includes('web-01'));
      const shown = await acts('operator', 'approvals', card.ts, 'Last logged-in user');
      const block = shown.blocks.find((one) => JSON.stringify(one).includes('"action_id":"scan"'));
      const { block_id } = block as { readonly block_id: string };
      await town.click({ user: 'operator', view_id: shown.id, action_id: 'scan', block_id });
      await until(async () => (await town.writes()).length === 1, { what: 'a scan' });
      expect(await town.writes()).toEqual(['POST /servers/4001/queues']);
    });

    it('the device of an alert, and the one that somebody wrote of', async () => {
      await town.world({ do: 'patch-fails', device: 'web-02' });
      await town.advance('20s');
      const alert = await town.card('patch-alerts', ({ text }) => text.includes('web-02'));
      await acts('viewer', 'patch-alerts', alert.ts, '#4002');
      await town.close({ user: 'viewer', view_id: (await windowOf('viewer', '#4002')).id });
      await acts('viewer', 'ops', await writes('Is *web-01* (or so), slow again?'), '#4001');
    });

    it('of several devices one is chosen', async () => {
      const choice = await acts(
        'viewer',
        'ops',
        await writes('web-01 and #4002 are slow'),
        'in this message',
      );
      const block = choice.blocks.find((one) => JSON.stringify(one).includes('"action_id":"pick:1"'));
      const { block_id } = block as { readonly block_id: string };
      await town.click({ user: 'viewer', view_id: choice.id, action_id: 'pick:1', block_id });
      await windowOf('viewer', 'Last logged-in user');
      expect(JSON.stringify((await windowOf('viewer', 'web-02')).blocks)).toContain('#4002');
    });

    it('where a message speaks of none, one can be looked for; and nobody without a role learns of any', async () => {
      const none = await writes('Lunch?');
      expect((await acts('viewer', 'ops', none, 'No device of the fleet'))['callback_id']).toBe('form');
      await acts('outsider', 'random', (await said('random', 'web-01')) ?? '', 'This needs the role');
    });

    const said = async (channel: string, text: string) =>
      (await town.message({ user: 'outsider', channel, text })).ts;
  });
});

/** The action id of the element in this field. */
function actionOf({ blocks }: View, field: string): string {
  const block = blocks.find((one) => (one as { readonly block_id?: string }).block_id === field);
  const { element } = block as { readonly element: { readonly action_id: string } };
  return element.action_id;
}
