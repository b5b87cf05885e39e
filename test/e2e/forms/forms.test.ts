/** Forms: opened for missing arguments, filled in, and answered where the command was typed. */
import { describe, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { openModalOf, submitModal } from '../harness/modals.ts';
import { messageText } from '../harness/sandbox-people.ts';
import { useResetPeople } from '../harness/use-sandbox-people.ts';
import { createFormUser } from './forms-harness.ts';
import { missingValueTests } from './missing-values.ts';
import { shortcutTests } from './shortcuts.ts';

describe('forms', () => {
  const started = useResetPeople();
  const people = () => started;

  const { opens, offered, enters, told, modals } = createFormUser(people);

  missingValueTests(people);

  it('an error of the service is shown in the form, with everything that was entered', async () => {
    const form = await opens('operator', 'group-create every:6h because new site', 'Create a group');
    expect(
      await submitModal(people(), 'operator', form, { name: 'Kiosks', notes: 'two\nlines' }),
    ).toMatchObject({
      ok: true,
    });
    const again = await openModalOf(people(), 'operator', 'already has a subgroup');
    expect(again.id).toBe(form.id);
    expect(again['callback_id']).toBe('form');
    for (const entered of ['Kiosks', 'two\\nlines', '"value":"360"', 'new site'])
      expect(JSON.stringify(again.blocks)).toContain(entered);
    expect(await submitModal(people(), 'operator', again, { name: 'Kiosks of the new site' })).toMatchObject({
      ok: true,
    });
    await openModalOf(people(), 'operator', 'Approval requested');
    const card = await people().card('approvals', ({ text }) => text.includes('Kiosks of the new site'));
    expect(messageText(card)).toContain('6 hours');
    expect(messageText(card)).toContain('lines');
  });

  it('a service that does not answer loses nothing that was entered', async () => {
    const form = await opens('operator', 'device-edit web-01', 'Edit a device');
    const ready = await openModalOf(people(), 'operator', 'Custom name');
    await people().fault({ service: 'management', match: 'GET /servers/4001', kind: 'status', status: 500 });
    await submitModal(people(), 'operator', ready, { 'name:4001': 'Front door' });
    const again = await openModalOf(people(), 'operator', 'Nothing was changed');
    expect([again.id, again['callback_id']]).toEqual([form.id, 'form']);
    expect(JSON.stringify(again.blocks)).toContain('"initial_value":"Front door"');
    expect(await people().writes()).toEqual([]);
  });

  it('a time at the end of the reason is asked about once, in the form', async () => {
    const form = await opens('operator', 'reboot', 'Reboot a device');
    await offered('operator', form, 'device', 'web-01');
    await submitModal(people(), 'operator', form, { device: '4001', reason: 'kernel, tonight' });
    const asked = await openModalOf(people(), 'operator', 'There are no schedules yet.');
    expect([asked.id, asked['submit']]).toEqual([form.id, { type: 'plain_text', text: 'Request now' }]);
    expect(JSON.stringify(asked.blocks)).toContain('kernel, tonight');
    await submitModal(people(), 'operator', asked, {});
    const card = await people().card('approvals', ({ text }) => text.includes('Reboot web-01'));
    expect(messageText(card)).toContain('Reason: kernel, tonight');
  });

  it('a time that was asked about already is not asked about on the way', async () => {
    const asked = await people().runs('operator', 'reboot web-02 because kernel tonight');
    expect(messageText(asked)).toContain('There are no schedules yet.');
    await people().push('operator', { ...asked, channel: 'ops' }, 'pick:0');
    const card = await people().card('approvals', ({ text }) => text.includes('Reboot web-02'));
    expect(messageText(card)).toContain('Reason: kernel tonight');
  });

  it('an answer whose window was closed is sent where the command was typed', async () => {
    await people().fault({ service: 'management', match: 'GET /servers/4001', kind: 'slow', ms: 3_000 });
    const form = await opens('operator', 'scan', 'Scan a device');
    await offered('operator', form, 'device', 'web-01');
    await submitModal(people(), 'operator', form, { device: '4001' });
    await people().close({ user: 'operator', view_id: form.id });
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
      return openModalOf(people(), 'operator', 'All missing patches');
    };

    it('lists what is missing on the device once one is chosen, and asks for all of it', async () => {
      const form = await opened();
      expect(JSON.stringify(form.blocks)).toMatch(/multi_static_select.*requires a reboot/);
      expect(await submitModal(people(), 'operator', form, {})).toMatchObject({ ok: true });
      const card = await people().card('approvals', ({ text }) => text.includes('web-01'));
      expect(card.text).toContain('all missing patches');
    });

    it('says on the field what is wrong with a choice, and the input survives', async () => {
      const form = await opened();
      const [, package_ = ''] = /"value":"([a-z][^"*]*)"/.exec(JSON.stringify(form.blocks)) ?? [];
      const field = 'packages:4001';
      const both = await submitModal(people(), 'operator', form, { [field]: ['*', package_] });
      expect(both).toEqual({ ok: false, error: 'invalid_input', errors: { [field]: expect.any(String) } });
      expect(await modals('operator')).toBe(1);
      expect(
        await submitModal(people(), 'operator', form, { [field]: [package_], reason: 'CVE list' }),
      ).toMatchObject({
        ok: true,
      });
      const card = await people().card('approvals', ({ text }) => text.includes('web-01'));
      expect(messageText(card)).toContain(package_);
      expect(messageText(card)).toContain('CVE list');
    });
  });

  it('device filters are counted while they are built, and shown in the end', async () => {
    const form = await opens('viewer', 'preview', 'Test a device filter');
    await enters('viewer', form, 'host', 'web-0');
    await openModalOf(people(), 'viewer', 'devices match:');
    await enters('viewer', await openModalOf(people(), 'viewer', 'web-01'), 'not_host', 'web-01');
    const narrowed = await until(
      async () => {
        const top = (await people().views('viewer')).modals.at(-1);
        return top && !JSON.stringify(top.blocks[0]).includes('web-01') ? top : null;
      },
      { what: 'a count without web-01' },
    );
    await offered('viewer', narrowed, 'group', 'linux');
    expect(await submitModal(people(), 'viewer', narrowed, { version: 'ten' })).toMatchObject({
      errors: { version: expect.any(String) },
    });
    expect(await submitModal(people(), 'viewer', narrowed, { version: '' })).toMatchObject({ ok: true });
    const answer = await told('viewer', 'Preview');
    expect(messageText(answer)).toContain('host:web-0');
    expect(messageText(answer)).toContain('-host:web-01');
    await people().push('viewer', { ...answer, channel: 'ops' }, 'form');
    const again = JSON.stringify((await openModalOf(people(), 'viewer', 'devices match:')).blocks);
    expect(again).toContain('"initial_value":"web-0"');
    expect(again).toContain('"initial_value":"web-01"');
  });

  shortcutTests(people);
});
