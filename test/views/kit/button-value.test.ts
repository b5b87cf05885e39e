import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { deviceId, requestId } from '../../../src/lib/ids.ts';
import { readButtonValue, writeButtonValue } from '../../../src/views/kit/buttons.ts';
import type { ButtonValue } from '../../../src/views/model.ts';

describe('button values', () => {
  it.each<[string, ButtonValue]>([
    ['a decision', { do: 'decide', approval: requestId('r_1'), seal: 's' }],
    [
      'a control of a rollout',
      { do: 'control', request: requestId('r_1'), control: 'resume', hold: instant(1_000) },
    ],
    ['a command', { do: 'run', command: 'patch', input: { device: 1, packages: ['x'], reason: null } }],
    ['a page', { do: 'run', command: 'devices', input: null, page: 0 }],
    ['a device', { do: 'device', device: deviceId(7) }],
    ['a page of a device', { do: 'device', device: deviceId(7), page: 'hardware' }],
  ])('come back as they went: %s', (_what, value) => {
    expect(readButtonValue(writeButtonValue(value) ?? '')).toEqual(value);
  });

  it('are not written when a button could not carry them', () => {
    expect(writeButtonValue({ do: 'run', command: 'patch', input: 'x'.repeat(2_000) })).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'approve'],
    ['null', 'null'],
    ['an unknown deed', '{"do":"explode"}'],
    ['a decision without a seal', '{"do":"decide","approval":"a_1"}'],
    ['a device that is no id', '{"do":"device","device":"7"}'],
    ['a page before the first', '{"do":"run","command":"devices","input":{},"page":-1}'],
  ])('are refused: %s', (_what, text) => {
    expect(readButtonValue(text)).toBeNull();
  });

  it('never throw on any text', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readButtonValue(text)));
  });
});
