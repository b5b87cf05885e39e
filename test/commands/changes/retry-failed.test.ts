/** Retry asks for exactly the devices on which a change failed. */
import { describe, expect, it } from 'vitest';
import { retryOfAlerts, retryOfRequest } from '../../../src/commands/changes/retry-failed.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { deviceId, policyId } from '../../../src/lib/ids.ts';
import type { TargetState } from '../../../src/store/port/records.ts';

const targets = (...states: readonly TargetState[]) =>
  states.map((state, at) => ({ deviceId: deviceId(at + 1), state }));
const retryOf = (action: FleetAction, ...states: readonly TargetState[]) =>
  retryOfRequest({ action, reason: 'why' }, targets(...states));

describe('a retry', () => {
  it('is for what failed, and for nothing that was carried out', () => {
    expect(
      retryOf({ kind: 'reboot' }, 'verified', 'not_verified', 'refused', 'verified', 'unknown', 'not_sent'),
    ).toEqual({
      command: 'reboot',
      input: { device: '#2, #3, #5, #6', reason: 'why' },
    });
    expect(retryOf({ kind: 'scan' }, 'verified', 'queued')).toBeNull();
  });

  it.each<readonly [FleetAction, string, object]>([
    [
      { kind: 'patch-each', chosen: { severities: ['critical'], named: ['curl'] } },
      'patch',
      { packages: ['curl'], severities: ['critical'] },
    ],
    [{ kind: 'policy-remediate', policyId: policyId(7) }, 'policy-remediate', { policy: 7 }],
    [{ kind: 'device-edit', change: { retag: { add: ['x'], remove: [] } } }, 'device-edit', { add: ['x'] }],
  ])('of %o is the same command', (action, command, input) => {
    expect(retryOf(action, 'not_verified', 'verified', 'refused')).toEqual({
      command,
      input: { ...input, device: '#1, #3', reason: 'why' },
    });
  });

  it('of alerts patches each of their devices once', () => {
    const alerts = [3, 4, 3].map((id) => ({ deviceId: deviceId(id) }));
    expect(retryOfAlerts([...alerts, { deviceId: null }])).toEqual({
      command: 'patch',
      input: { device: '#3, #4', packages: [], severities: [] },
    });
    expect(retryOfAlerts([{ deviceId: null }])).toBeNull();
  });
});
