import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bar } from '../../../src/views/kit/charts.ts';

describe('bars', () => {
  it('never draw something as nothing, nor a part as all', () => {
    const numbers = fc.integer({ min: 1, max: 100_000 });
    fc.assert(
      fc.property(numbers, numbers, (a, b) => {
        const drawn = bar(Math.min(a, b), Math.max(a, b));
        expect(drawn).toHaveLength(22);
        expect(drawn.includes('█')).toBe(true);
        expect(drawn.includes('░')).toBe(a !== b);
      }),
    );
  });

  it('draw nothing of nothing', () => {
    expect(bar(0, 0)).toBe(`\`${'░'.repeat(20)}\``);
    expect(bar(0, 9)).toBe(`\`${'░'.repeat(20)}\``);
  });
});
