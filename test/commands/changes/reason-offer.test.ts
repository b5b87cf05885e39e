/** The line and the form that keep what was typed for somebody who has to give a reason. */
import { expect, it } from 'vitest';
import { reasonOffer } from '../../../src/commands/targets/resolve-targets.ts';

const WAVES = { waves: [{ kind: 'devices', devices: 1 }] } as const;

it.each([
  [
    'reboot',
    { filters: [{ key: 'is', value: 'needs-reboot', negated: false }], rollout: WAVES, reason: null },
    'is:needs-reboot waves:1',
  ],
  ['reboot', { device: 42, reason: null }, '#42'],
  ['patch', { device: 'web-01', packages: ['curl'], severities: [], reason: null }, 'web-01 …'],
  ['policy-run', { policy: 2_103, reason: null }, '…'],
  ['group-edit', { group: 'Kiosks', name: 'Public', reason: null }, '…'],
])('%s with %j is completed from what was typed', (name, input, typed) => {
  expect(reasonOffer({ name, input })).toEqual({
    kind: 'line',
    does: 'form',
    line: `/fleet ${name} ${typed} because REASON`,
    choice: { command: name, input },
  });
});
