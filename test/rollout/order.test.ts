/** The order of a rollout: what its first devices say about the rest. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { inWaveOrder, type WavePlace } from '../../src/rollout/plan.ts';
import { property } from '../harness/property.ts';

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
