import { describe, expect, it } from 'vitest';
import { deviceSearch, groupOrPolicyForm } from '../../../../src/commands/forms/subject-forms.ts';
import { registry } from '../../../../src/commands/index.ts';
import { tokenizeTyped } from '../../../../src/commands/parser/tokenizer.ts';
import { fieldsOf, formFleetPorts, openForm, readForm } from '../form-harness.ts';

describe('the form of a device', () => {
  it.each([
    ['a name', 'web-01'],
    ['a number', 1],
  ])('starts with the device given by %s', async (_what, device) => {
    const fields = fieldsOf(await deviceSearch.open({ device }, formFleetPorts));
    expect(fields).toMatchObject([
      {
        kind: 'search',
        of: 'device',
        initial: { value: '1', label: 'web-01', detail: ['#1', 'Linux servers'] },
      },
    ]);
  });

  it.each([
    ['several of that name', { device: 'dup' }],
    ['none of that name', { device: 'nothing' }],
    ['nothing', null],
    ['what does not fit', { device: { id: 1 } }],
  ])('never chooses on its own: %s', async (_what, given) => {
    expect(fieldsOf(await deviceSearch.open(given, formFleetPorts))).toMatchObject([{ initial: null }]);
  });

  it('asks for a reason where the command takes one, on one line', async () => {
    expect(fieldsOf(await openForm('reboot').open({ reason: 'kernel' }, formFleetPorts))).toMatchObject([
      { id: 'device' },
      { id: 'filters' },
      { id: 'reason', initial: 'kernel', optional: true },
    ]);
    expect(readForm(openForm('reboot'), { device: ['1'], reason: ['  kernel\n update '] })).toEqual({
      kind: 'input',
      input: { device: 1, reason: 'kernel update' },
    });
    expect(readForm(openForm('reboot'), { device: ['1'], reason: [] })).toMatchObject({
      input: { reason: null },
    });
  });

  it.each([[[]], [['x']], [['-1']]])('says on its field that %j is no device', (device) => {
    expect(readForm(openForm('scan'), { device, reason: [] })).toEqual({
      kind: 'errors',
      errors: { device: 'Choose a device.' },
    });
  });

  it('keeps what else was typed', async () => {
    const words = tokenizeTyped('severity:critical');
    const parsed = words.kind === 'words' ? registry.find('packages')?.parse(words.words) : undefined;
    if (parsed?.kind !== 'fault' || parsed.fault.kind !== 'missing') throw new Error('nothing is missing');
    const opened = await openForm('packages').open(parsed.fault.prefill, formFleetPorts);
    const context: unknown = JSON.parse(JSON.stringify(opened.kind === 'form' ? opened.form.context : null));
    expect(readForm(openForm('packages'), { device: ['1'] }, context)).toMatchObject({
      input: { device: 1, filters: [{ key: 'severity', value: 'critical' }] },
    });
  });
});

it('the form of a group or a policy gives its number', () => {
  const form = groupOrPolicyForm('group');
  expect(readForm(form, { group: ['20'] })).toEqual({ kind: 'input', input: { group: 20 } });
  expect(readForm(form, { group: [] })).toEqual({ kind: 'errors', errors: { group: 'Choose a group.' } });
});
