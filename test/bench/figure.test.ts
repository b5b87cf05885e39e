import { describe, expect, it } from 'vitest';
import { figure, median } from './figure.ts';

describe('median', () => {
  it.each([
    [[7], 7],
    [[9, 1, 5], 5],
    [[4, 1, 3, 2], 2.5],
    [[10, 9, 100], 10],
    [[0, 0, 0, 1_000], 0],
    [[-3, -1], -2],
  ])('of %j is %d', (values, middle) => {
    expect(median(values)).toBe(middle);
  });

  it('leaves the samples in the order in which they were taken', () => {
    const samples = [3, 1, 2];
    median(samples);
    expect(samples).toEqual([3, 1, 2]);
  });

  it('has no answer where nothing was measured', () => {
    expect(() => median([])).toThrow('nothing was measured');
  });
});

describe('figure', () => {
  it('says how often the baseline goes into ours', () => {
    const { ratio } = figure({ name: 'a', unit: 'ms', ours: 3, baseline: 2, against: 'b' });
    expect(ratio).toBe(1.5);
  });
});
