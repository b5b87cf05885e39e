/** The planner: whatever is asked for, the waves are the devices, each once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../src/lib/clock.ts';
import {
  estimateRollout,
  inWaveOrder,
  optionsAgain,
  type PlanOptions,
  planRollout,
  type RolloutPlan,
  type WavePlace,
  type WaveSize,
  waveOf,
  waveRange,
} from '../../src/rollout/plan.ts';
import { property } from '../harness/property.ts';

const devices = (count: number): WaveSize => ({ kind: 'devices', devices: count });
const share = (percent: number): WaveSize => ({ kind: 'share', percent });

describe('the waves of a plan', () => {
  it.each<[string, number, PlanOptions, readonly number[]]>([
    ['one device', 1, {}, [1]],
    ['ten devices', 10, {}, [10]],
    ['eleven devices', 11, {}, [1, 2, 8]],
    ['212 devices', 212, {}, [11, 42, 159]],
    ['10,000 devices', 10_000, {}, [500, 2000, 7500]],
    ['waves:1,25%,100%', 40, { waves: [devices(1), share(25), share(100)] }, [1, 9, 30]],
    ['waves:1,10% with the rest left out', 40, { waves: [devices(1), share(10)] }, [1, 3, 36]],
    ['waves:5,5,5', 20, { waves: [devices(5), devices(5), devices(5)] }, [5, 15]],
    ['waves that shrink', 20, { waves: [share(50), share(10)] }, [10, 10]],
    ['a wave beyond all devices', 3, { waves: [devices(9), devices(12)] }, [3]],
    ['waves for one device', 1, { waves: [devices(1), share(25), share(100)] }, [1]],
    ['no waves at all', 30, { waves: [] }, [30]],
    ['a share of less than a device', 11, { waves: [share(1)] }, [1, 10]],
  ])('of %s', (_what, count, options, waves) => {
    expect(planRollout(count, options).waves).toEqual(waves);
  });

  const sizes = fc.oneof(
    fc.integer({ min: 1, max: 5000 }).map(devices),
    fc.double({ min: 0.01, max: 100, noNaN: true }).map(share),
  );
  const options = fc.record(
    { waves: fc.array(sizes, { maxLength: 12 }), waitMs: fc.nat(), gate: fc.constantFrom('auto', 'manual') },
    { requiredKeys: [] },
  );

  property([fc.integer({ min: 1, max: 4000 }), options])(
    'are none of them empty, and together all devices, whatever the options',
    (count, given) => {
      const { waves } = planRollout(count, given);
      expect(waves.every((size) => Number.isInteger(size) && size > 0)).toBe(true);
      expect(waves.reduce((sum, size) => sum + size, 0)).toBe(count);
    },
  );

  property([fc.integer({ min: 1, max: 300 }), options])(
    'hold each position in exactly one wave',
    (count, given) => {
      const plan = planRollout(count, given);
      for (let position = 0; position < count; position += 1) {
        const range = waveRange(plan, waveOf(plan, position));
        expect(range).not.toBeNull();
        expect(position).toBeGreaterThanOrEqual(range?.from ?? Number.NaN);
        expect(position).toBeLessThan(range?.to ?? Number.NaN);
      }
      expect(waveRange(plan, plan.waves.length)).toBeNull();
      expect(() => waveOf(plan, count)).toThrow('beyond the plan');
    },
  );
});

describe('the plan for what is left of a rollout', () => {
  const again = (plan: RolloutPlan, devices: number) => planRollout(devices, optionsAgain(plan, devices));

  it('keeps its options, with its waves in the same shares', () => {
    const options = { waitMs: 600_000, brake: { kind: 'devices', devices: 2 }, gate: 'manual' } as const;
    const plan = planRollout(40, { ...options, waves: [devices(4), share(50)], offline: 'skip' });
    expect(again(plan, 40)).toEqual(plan);
    expect(again(plan, 20)).toEqual({ ...plan, waves: [2, 8, 10] });
    expect(again(plan, 1)).toEqual({ ...plan, waves: [1], brake: { kind: 'devices', devices: 1 } });
  });

  it('has one wave where the rollout had, and the usual ones where nobody asked for others', () => {
    expect(again(planRollout(100, { waves: [share(100)] }), 30).waves).toEqual([30]);
    expect(again(planRollout(100), 8).waves).toEqual([8]);
    expect(again(planRollout(100), 30)).toEqual(planRollout(30));
  });
});

it('a plan without options waits for nobody, brakes at a tenth, and leaves nothing out', () => {
  expect(planRollout(30)).toMatchObject({
    waitMs: 0,
    brake: { kind: 'share', percent: 10 },
    gate: 'auto',
    offline: 'queue',
  });
});

/** The order of a rollout: what its first devices say about the rest. */
const place: fc.Arbitrary<WavePlace> = fc.record({
  id: fc.integer({ min: 1, max: 100_000 }),
  isOnline: fc.constantFrom(true, false, null),
  kind: fc.constantFrom('linux', 'windows', 'mac'),
});
const fleet = fc.uniqueArray(place, { selector: ({ id }) => id, minLength: 1, maxLength: 80 });
const ordered = (places: readonly WavePlace[]) => inWaveOrder(places, (one) => one);

describe('the order of a rollout', () => {
  property([fleet])('has each device once, whatever order they come in', (places) => {
    expect(ordered(places)).toEqual(ordered(places.toReversed()));
    expect(new Set(ordered(places))).toEqual(new Set(places));
  });

  const rank = ({ isOnline }: WavePlace) => [true, null, false].indexOf(isOnline);
  property([fleet])('puts connected devices before those that can prove nothing', (places) => {
    const ranks = ordered(places).map(rank);
    expect(ranks).toEqual(ranks.toSorted((a, b) => a - b));
  });

  it('has of each kind its share in every first part', () => {
    const devices = Array.from({ length: 100 }, (_, at) => ({
      id: at + 1,
      isOnline: true,
      kind: at < 80 ? 'linux' : 'windows',
    }));
    const all = ordered(devices);
    for (const part of [5, 10, 25, 50]) {
      const windows = all.slice(0, part).filter(({ kind }) => kind === 'windows').length;
      expect(Math.abs(windows - part / 5)).toBeLessThanOrEqual(1);
    }
    expect(all[0]?.kind).toBe('linux');
  });
});

/** What a rollout costs: requests and time at the permitted rate. */
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
