import { describe, expect, it } from 'vitest';
import { patchForm } from '../../../src/commands/forms/patch-form.ts';
import { failsIfCalled, fieldOf, fieldsOf, formFleetPorts, readForm, valuesOf } from './form-harness.ts';

describe('the form of patch', () => {
  it('lists what is missing on the device, worst first, with everything chosen', async () => {
    const fields = fieldsOf(await patchForm.open({ device: 1 }, formFleetPorts));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({
      kind: 'choices',
      hint: 'To choose packages, remove “All missing patches” first. Missing: OpenSSL, zlib. OpenSSL requires a reboot.',
      initial: ['*'],
      options: [
        { value: '*', label: 'All missing patches (2)', detail: ['requires a reboot', 'OpenSSL, zlib'] },
        { value: '*critical', label: 'All critical patches (1)' },
        { value: '*low', label: 'All low patches (1)' },
        {
          value: 'openssl',
          label: 'OpenSSL',
          detail: ['3.0.14', 'critical', 'requires a reboot'],
        },
        { value: 'zlib', label: 'zlib', detail: ['1.3', 'low'] },
      ],
    });
  });

  it('waits for a device, and keeps the choice when it is refreshed for the same device', async () => {
    expect(fieldsOf(await patchForm.open({ reason: 'x' }, formFleetPorts))).toMatchObject([
      { id: 'device', live: true },
      { id: 'filters', live: true },
      { kind: 'words' },
      { id: 'reason', initial: 'x' },
    ]);
    const values = valuesOf({ device: ['1'], 'packages:1': ['zlib'], 'packages:2': ['*'], reason: ['y'] });
    const fields = fieldsOf((await patchForm.redraw?.(values, null, formFleetPorts)) ?? failsIfCalled());
    expect(fieldOf(fields, 'packages:1')).toMatchObject({ initial: ['zlib'] });
    expect(fieldOf(fields, 'reason')).toMatchObject({ initial: 'y' });
  });

  it('starts with what was typed', async () => {
    const given = { device: 'web-01', packages: ['zlib', 'gone'], severities: ['critical'] };
    const fields = fieldsOf(await patchForm.open(given, formFleetPorts));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({ initial: ['zlib', '*critical'] });
  });

  it('starts empty where none of the typed packages is missing', async () => {
    const fields = fieldsOf(await patchForm.open({ device: 1, packages: ['gone'] }, formFleetPorts));
    expect(fieldOf(fields, 'packages:1')).toMatchObject({ initial: [] });
  });

  it('starts with what was typed even if the device is chosen later, or changed', async () => {
    const opened = await patchForm.open({ severities: ['critical'], reason: 'x' }, formFleetPorts);
    const context = opened.kind === 'form' ? opened.form.context : failsIfCalled();
    const drawn = async (values: Parameters<typeof valuesOf>[0]) =>
      fieldsOf((await patchForm.redraw?.(valuesOf(values), context, formFleetPorts)) ?? failsIfCalled());
    expect(fieldOf(await drawn({ device: ['1'] }), 'packages:1')).toMatchObject({ initial: ['*critical'] });
    const other = await drawn({ device: ['2'], 'packages:1': ['zlib'] });
    expect(fieldOf(other, 'packages:2')).toMatchObject({ initial: ['*critical'] });
    expect(context).toEqual({ drawnFor: null, typed: { severities: ['critical'] } });
  });

  it.each([
    ['everything', ['*'], { packages: [], severities: [] }],
    ['some', ['zlib'], { packages: ['zlib'], severities: [] }],
    ['a severity and one more', ['*critical', 'zlib'], { packages: ['zlib'], severities: ['critical'] }],
  ])('gives %s', (_what, chosen, expected) => {
    expect(readForm(patchForm, { device: ['1'], 'packages:1': chosen, reason: [] })).toEqual({
      kind: 'input',
      input: { device: 1, ...expected, reason: null },
    });
  });

  it.each([
    ['no device', { device: [] }, 'device'],
    ['nothing chosen', { device: ['1'], 'packages:1': [] }, 'packages:1'],
    ['everything and a part of it', { device: ['1'], 'packages:1': ['*', 'zlib'] }, 'packages:1'],
    ['what was chosen for another device', { device: ['2'], 'packages:1': ['zlib'] }, 'device'],
    ['a device whose packages are not listed yet', { device: ['2'] }, 'device'],
  ])('shows the error on the field: %s', (_what, values, field) => {
    expect(readForm(patchForm, values)).toEqual({ kind: 'errors', errors: { [field]: expect.any(String) } });
  });

  it('says of a device on which nothing is missing that this is so', () => {
    const errors = { device: expect.stringContaining('no missing patches') };
    expect(readForm(patchForm, { device: ['2'] }, { drawnFor: 2 })).toEqual({ kind: 'errors', errors });
    const early = { device: expect.stringContaining('aren’t listed yet') };
    expect(readForm(patchForm, { device: ['2'] }, { drawnFor: 1 })).toEqual({
      kind: 'errors',
      errors: early,
    });
  });
});
