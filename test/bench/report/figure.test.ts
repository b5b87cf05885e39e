import { describe, expect, it } from 'vitest';
import { figure, lowerQuartile, median } from './figure.ts';

describe('the middle and the quarter of', () => {
  it.each([
    { values: [7], middle: 7, quarter: 7 },
    { values: [9, 1, 5], middle: 5, quarter: 3 },
    { values: [4, 1, 5, 3, 2], middle: 3, quarter: 2 },
    { values: [4, 1, 3, 2], middle: 2.5, quarter: 1.75 },
    { values: [10, 9, 100], middle: 10, quarter: 9.5 },
    { values: [0, 0, 0, 1_000], middle: 0, quarter: 0 },
    { values: [-3, -1], middle: -2, quarter: -2.5 },
  ])('$values', ({ values, middle, quarter }) => {
    expect(median(values)).toBe(middle);
    expect(lowerQuartile(values)).toBe(quarter);
  });

  it('leaves the samples in the order in which they were taken', () => {
    const samples = [3, 1, 2];
    median(samples);
    expect(samples).toEqual([3, 1, 2]);
  });

  it('is null when nothing was measured', () => {
    expect(() => median([])).toThrow('nothing was measured');
  });
});

describe('figure', () => {
  it('has the ratio of ours to the baseline', () => {
    const { ratio } = figure({ name: 'a', unit: 'ms', ours: 3, baseline: 2, against: 'b' });
    expect(ratio).toBe(1.5);
  });
});
