/** The planner: whatever is asked for, the waves are the devices, each once. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type PlanOptions, planRollout, type WaveSize, waveOf, waveRange } from '../../src/rollout/plan.ts';

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

  it('are none of them empty, and together all devices, whatever the options', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4000 }), options, (count, given) => {
        const { waves } = planRollout(count, given);
        expect(waves.every((size) => Number.isInteger(size) && size > 0)).toBe(true);
        expect(waves.reduce((sum, size) => sum + size, 0)).toBe(count);
      }),
    );
  });

  it('hold each position in exactly one wave', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 300 }), options, (count, given) => {
        const plan = planRollout(count, given);
        for (let position = 0; position < count; position += 1) {
          const range = waveRange(plan, waveOf(plan, position));
          expect(range).not.toBeNull();
          expect(position).toBeGreaterThanOrEqual(range?.from ?? Number.NaN);
          expect(position).toBeLessThan(range?.to ?? Number.NaN);
        }
        expect(waveRange(plan, plan.waves.length)).toBeNull();
        expect(() => waveOf(plan, count)).toThrow('beyond the plan');
      }),
    );
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
