import { describe, expect, it } from 'vitest';
import { findDevice } from '../../../src/commands/forms/device-form.ts';
import { namedForm } from '../../../src/commands/forms/named-form.ts';
import { registry } from '../../../src/commands/index.ts';
import { readWords } from '../../../src/commands/line/grammar.ts';
import { fieldsOf, formOf, ports, read } from './fields.ts';

describe('the form of a device', () => {
  it.each([
    ['a name', 'web-01'],
    ['a number', 1],
  ])('begins with the device that was given by %s', async (_what, device) => {
    const fields = fieldsOf(await findDevice.open({ device }, ports));
    expect(fields).toMatchObject([
      {
        kind: 'search',
        of: 'device',
        initial: { value: '1', label: 'web-01', detail: '#1 · Linux servers' },
      },
    ]);
  });

  it.each([
    ['several of that name', { device: 'dup' }],
    ['none of that name', { device: 'nothing' }],
    ['nothing', null],
    ['what does not fit', { device: { id: 1 } }],
  ])('never picks by itself: %s', async (_what, given) => {
    expect(fieldsOf(await findDevice.open(given, ports))).toMatchObject([{ initial: null }]);
  });

  it('asks for a reason where the command takes one, on one line', async () => {
    expect(fieldsOf(await formOf('reboot').open({ reason: 'kernel' }, ports))).toMatchObject([
      { id: 'device' },
      { id: 'reason', initial: 'kernel', optional: true },
    ]);
    expect(read(formOf('reboot'), { device: ['1'], reason: ['  kernel\n update '] })).toEqual({
      kind: 'input',
      input: { device: 1, reason: 'kernel update' },
    });
    expect(read(formOf('reboot'), { device: ['1'], reason: [] })).toMatchObject({ input: { reason: null } });
  });

  it.each([[[]], [['x']], [['-1']]])('says on its field that %j is no device', (device) => {
    expect(read(formOf('scan'), { device, reason: [] })).toEqual({
      kind: 'errors',
      errors: { device: 'Choose a device.' },
    });
  });

  it('goes on with what else was typed', async () => {
    const words = readWords('severity:critical');
    const parsed = words.kind === 'words' ? registry.find('packages')?.parse(words.words) : undefined;
    if (parsed?.kind !== 'fault' || parsed.fault.kind !== 'missing') throw new Error('nothing is missing');
    const opened = await formOf('packages').open(parsed.fault.given, ports);
    const context: unknown = JSON.parse(JSON.stringify(opened.kind === 'form' ? opened.form.context : null));
    expect(read(formOf('packages'), { device: ['1'] }, context)).toMatchObject({
      input: { device: 1, filters: [{ key: 'severity', value: 'critical' }] },
    });
  });
});

it('the form of a group or a policy gives its number', () => {
  const form = namedForm({ command: 'group', of: 'group', title: 'Show a group', label: 'Group' });
  expect(read(form, { group: ['20'] })).toEqual({ kind: 'input', input: { group: 20 } });
  expect(read(form, { group: [] })).toEqual({ kind: 'errors', errors: { group: 'Choose a group.' } });
});
