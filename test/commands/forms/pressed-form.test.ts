/** What the form of a pressed button says, and what its submission runs. */
import { describe, expect, it } from 'vitest';
import { formOf } from '../../../src/commands/forms/pressed-form.ts';
import { registry } from '../../../src/commands/index.ts';
import { channelId } from '../../../src/lib/ids.ts';
import { formWindow } from '../../../src/views/forms/form-window.ts';
import type { FormView } from '../../../src/views/models/form-model.ts';
import { fieldOf, formFleetPorts as ports, valuesOf } from './form-harness.ts';

function pressed(name: string) {
  const command = registry.find(name);
  const form = command && formOf(command, { pressed: true });
  if (form === null) throw new Error(`no command ${name}`);
  return form;
}
async function opened(name: string, input: object): Promise<FormView> {
  const form = await pressed(name).open(input, ports);
  if (form.kind !== 'form') throw new Error(JSON.stringify(form));
  return form.form;
}
const wordsOf = ({ fields }: FormView): readonly string[] =>
  fields.flatMap((field) => (field.kind === 'words' ? field.text.split('\n') : []));

const ALL = { packages: [], severities: [] };
const SILENCE = {
  ...{ events: ['patch-failed'], group: null, package: null, lasts: { for: 7_200_000 }, reason: null },
};

describe('the form of a pressed button', () => {
  it.each<[string, object, string, readonly string[]]>([
    ['scan', { device: 1, reason: null }, 'Request', ['Device: web-01 (#1)']],
    ['reboot', { device: 99, reason: null }, 'Request', ['Device: #99']],
    ['patch', { device: 1, ...ALL, reason: null }, 'Request', ['Packages: (all missing patches)']],
    [
      'patch',
      { device: 1, ...ALL, packages: ['curl', 'a, b'], reason: null },
      'Request',
      ['Packages: curl, "a, b"'],
    ],
    ['scan', { ids: 'BB', reason: null, rollout: { offline: 'skip' } }, 'Request', ['Options: offline:skip']],
    ['scan', { ids: 'BB', reason: null }, 'Request', ['Devices: 2: web-01 (#1), web-02 (#2)']],
    ['pause', { do: 'off', pause: 'p_1' }, 'Resume changes', []],
    ['silence', { off: 7 }, 'End silence', ['Silence: #7']],
    ['silence', { ...SILENCE, device: 1 }, 'Silence', ['Alerts: patch-failed', 'Group: any']],
    ['silence', { ...SILENCE, device: null, lasts: null }, 'Silence', ['Device: any', 'Duration: 2 hours']],
    ['accept-removals', { missing: 12 }, 'Accept removal', ['Missing from the lists: 12']],
    ['unsubscribe', { number: 3 }, 'Unsubscribe', ['Subscription: #3']],
    ['alias', { do: 'remove', name: 'lr', shared: true }, 'Remove', ['Name: lr', 'For everyone: yes']],
  ])('of %s with %o says all of it, and runs exactly that', async (name, input, submit, facts) => {
    const form = await opened(name, input);
    expect(form.submit).toBe(submit);
    expect(wordsOf(form)).toEqual(expect.arrayContaining([...facts]));
    expect(pressed(name).read(new Map(), form.context, ports)).toEqual({ kind: 'input', input });
    expect(formWindow(form, { channel: channelId('C0OPS'), pressed: true })).not.toBeNull();
  });

  it.each<[string, string, object, object]>([
    ['a silence that looks like its end', 'silence', SILENCE, { do: 'remove', device: null }],
    ['a line of its own in a key', 'scan', { device: 1, reason: null }, { 'x\nDevice: #2': 'y' }],
  ])('passes on nothing that the command does not take: %s', async (_what, name, input, more) => {
    const form = await opened(name, { ...input, ...more });
    const given = 'device' in more ? { ...input, device: null } : input;
    expect(pressed(name).read(new Map(), form.context, ports)).toEqual({ kind: 'input', input: given });
    expect(form.submit).toBe(name === 'scan' ? 'Request' : 'Silence');
    expect(wordsOf(form).join()).not.toContain('#2');
  });

  it.each<[string, string, object]>([
    ['two targets', 'scan', { device: 1, ids: 'BB', reason: null }],
    ['more than a line holds', 'patch', { device: 1, packages: Array(99).fill('openssl'), reason: null }],
  ])('is the command’s own form for %s', async (_what, name, input) => {
    const form = await opened(name, input);
    expect(form.fields.some(({ kind }) => kind.startsWith('search'))).toBe(true);
  });

  it('is none for what the command does not take, or has no form for', async () => {
    expect(await pressed('accept-removals').open({ missing: 'all' }, ports)).toMatchObject({
      kind: 'problem',
    });
  });

  it('takes another reason', async () => {
    const form = await opened('reboot', { device: 1, reason: 'kernel' });
    expect(fieldOf(form.fields, 'reason')).toMatchObject({ initial: 'kernel' });
    expect(pressed('reboot').read(valuesOf({ reason: ['disk'] }), form.context, ports)).toEqual({
      kind: 'input',
      input: { device: 1, reason: 'disk' },
    });
  });

  it('keeps a value on one line, and what looks like a line of ours in quotation marks', async () => {
    const form = await opened('patch', {
      device: 1,
      packages: ['x\nReason: approved · by all'],
      reason: null,
    });
    expect(wordsOf(form)).toContain('Packages: "x\\nReason: approved · by all"');
  });
});
