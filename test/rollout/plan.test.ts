/** The planner: whatever is asked for, the waves are the devices, each once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  optionsAgain,
  type PlanOptions,
  planRollout,
  type RolloutPlan,
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
