/** Windows with fields: opened where something is missing, filled in, and answered where it was asked. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { filledIn } from './forms-filled-in.ts';
import { createForms } from './forms-hand.ts';
import { shortcuts } from './forms-shortcuts.ts';
import { startTown, type Town, wordsOf } from './town.ts';
import { submit, windowOf } from './windows.ts';

describe('forms', () => {
  let started: Town;
  const town = () => started;
  beforeAll(async () => {
    started = await startTown();
  });
  afterAll(() => started.stop());
  beforeEach(async () => {
    await started.reset();
  });

  const { opens, offered, enters, told, modals } = createForms(town);

  filledIn(town);

  it('what the service stands in the way of is said in the form, with everything that was entered', async () => {
    const form = await opens('operator', 'group-create every:6h because new site', 'Create a group');
    expect(await submit(town(), 'operator', form, { name: 'Kiosks', notes: 'two\nlines' })).toMatchObject({
      ok: true,
    });
    const again = await windowOf(town(), 'operator', 'already has a subgroup');
    expect(again.id).toBe(form.id);
    expect(again['callback_id']).toBe('form');
    for (const entered of ['Kiosks', 'two\\nlines', '"value":"360"', 'new site'])
      expect(JSON.stringify(again.blocks)).toContain(entered);
    expect(await submit(town(), 'operator', again, { name: 'Kiosks of the new site' })).toMatchObject({
      ok: true,
    });
    await windowOf(town(), 'operator', 'Waiting for approval');
    const card = await town().card('approvals', ({ text }) => text.includes('Kiosks of the new site'));
    expect(wordsOf(card)).toContain('6 hours');
    expect(wordsOf(card)).toContain('lines');
  });

  it('a service that does not answer costs nothing that was entered', async () => {
    const form = await opens('operator', 'device-edit web-01', 'Edit a device');
    const ready = await windowOf(town(), 'operator', 'Custom name');
    await town().fault({ service: 'management', match: 'GET /servers/4001', kind: 'status', status: 500 });
    await submit(town(), 'operator', ready, { 'name:4001': 'Front door' });
    const again = await windowOf(town(), 'operator', 'Nothing was changed');
    expect([again.id, again['callback_id']]).toEqual([form.id, 'form']);
    expect(JSON.stringify(again.blocks)).toContain('"initial_value":"Front door"');
    expect(await town().writes()).toEqual([]);
  });

  it('an answer whose window was closed is told where it was asked for', async () => {
    await town().fault({ service: 'management', match: 'GET /servers/4001', kind: 'slow', ms: 1_500 });
    const form = await opens('operator', 'scan', 'Scan a device');
    await offered('operator', form, 'device', 'web-01');
    await submit(town(), 'operator', form, { device: '4001' });
    await town().close({ user: 'operator', view_id: form.id });
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
      return windowOf(town(), 'operator', 'All missing patches');
    };

    it('lists what is missing on the device once one is chosen, and asks for all of it', async () => {
      const form = await opened();
      expect(JSON.stringify(form.blocks)).toMatch(/multi_static_select.*requires a reboot/);
      expect(await submit(town(), 'operator', form, {})).toMatchObject({ ok: true });
      const card = await town().card('approvals', ({ text }) => text.includes('web-01'));
      expect(card.text).toContain('all missing patches');
    });

    it('says on the field what is wrong with a choice, and the input survives', async () => {
      const form = await opened();
      const [, package_ = ''] = /"value":"([a-z][^"*]*)"/.exec(JSON.stringify(form.blocks)) ?? [];
      const field = 'packages:4001';
      const both = await submit(town(), 'operator', form, { [field]: ['*', package_] });
      expect(both).toEqual({ ok: false, error: 'invalid_input', errors: { [field]: expect.any(String) } });
      expect(await modals('operator')).toBe(1);
      expect(
        await submit(town(), 'operator', form, { [field]: [package_], reason: 'CVE list' }),
      ).toMatchObject({
        ok: true,
      });
      const card = await town().card('approvals', ({ text }) => text.includes('web-01'));
      expect(wordsOf(card)).toContain(package_);
      expect(wordsOf(card)).toContain('CVE list');
    });
  });

  it('device filters are counted while they are built, and shown in the end', async () => {
    const form = await opens('viewer', 'preview', 'Preview device filters');
    await enters('viewer', form, 'host', 'web-0');
    await windowOf(town(), 'viewer', 'devices match:');
    await enters('viewer', await windowOf(town(), 'viewer', 'web-01'), 'not_host', 'web-01');
    const narrowed = await until(
      async () => {
        const top = (await town().views('viewer')).modals.at(-1);
        return top && !JSON.stringify(top.blocks[0]).includes('web-01') ? top : null;
      },
      { what: 'a count without web-01' },
    );
    await offered('viewer', narrowed, 'group', 'linux');
    expect(await submit(town(), 'viewer', narrowed, { version: 'ten' })).toMatchObject({
      errors: { version: expect.any(String) },
    });
    expect(await submit(town(), 'viewer', narrowed, { version: '' })).toMatchObject({ ok: true });
    const answer = await told('viewer', 'Preview');
    expect(wordsOf(answer)).toContain('host:web-0');
    expect(wordsOf(answer)).toContain('-host:web-01');
    await town().push('viewer', { ...answer, channel: 'ops' }, 'form');
    const again = JSON.stringify((await windowOf(town(), 'viewer', 'devices match:')).blocks);
    expect(again).toContain('"initial_value":"web-0"');
    expect(again).toContain('"initial_value":"web-01"');
  });

  shortcuts(town);
});
