/** What a rollout costs: requests and time at the permitted rate. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import { estimateRollout, planRollout } from '../../src/rollout/plan.ts';

const cost = (kind: string, devices: number, fleet = devices, options = {}) =>
  estimateRollout({ kind, plan: planRollout(devices, options), fleet });

describe('the cost of a rollout', () => {
  it.each([
    ['reboot', 10_000, 30_000, 15 * MINUTE],
    ['scan', 10_000, 30_000, 15 * MINUTE],
    ['patch-each', 10_000, 50_000, 25 * MINUTE],
    ['policy-remediate', 300, 1_200, 0],
  ])('%s of %d devices takes %d requests for them', (kind, devices, requests, ms) => {
    const found = cost(kind, devices);
    // Pages of lists come on top: at most one per device, and two walks for each of the three waves.
    expect(found.requests - requests).toBeGreaterThanOrEqual(6);
    expect(found.requests - requests).toBeLessThanOrEqual(6 * 20);
    expect(found.ms).toBeGreaterThanOrEqual(ms);
    expect(found.ms).toBeLessThanOrEqual(ms + 6 * MINUTE);
  });

  it('has a minute for a look, and the waits between waves', () => {
    expect(cost('scan', 2).ms).toBeGreaterThan(MINUTE);
    expect(cost('scan', 100, 100, { waitMs: HOUR }).ms).toBeGreaterThan(2 * HOUR);
  });

  it('reads few devices of a large fleet one by one', () => {
    expect(cost('reboot', 3, 100_000).requests).toBe(3 * 3 + 2 * 3);
  });

  it('grows with the devices, and shrinks with the rate', () => {
    const plan = planRollout(500);
    const slow = estimateRollout({ kind: 'reboot', plan, fleet: 500, perSecond: 3.75 });
    expect(slow.requests).toBe(cost('reboot', 500).requests);
    expect(slow.ms).toBeGreaterThan(cost('reboot', 500).ms);
  });
});
