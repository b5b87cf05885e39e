import { describe, expect, it } from 'vitest';
import { figure, lowerQuartile, median } from './figure.ts';
import { runInterleaved } from './interleaved-runs.ts';
import { residentMemory, residentOf } from './process-memory.ts';
import { table } from './table.ts';

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

it('is a Markdown table with three digits to a figure and numbers to the right', () => {
  const figures = [
    figure({ name: 'start', unit: 'ms', ours: 745.959, baseline: 237.45, against: 'bare Bolt' }),
    figure({ name: 'memory', unit: 'MiB', ours: 99.96, baseline: 50, against: 'the same' }),
    figure({ name: 'acknowledgement', unit: 'ms', ours: 0.8449, baseline: 1, against: 'bare Bolt' }),
  ];
  expect(table(figures)).toBe(
    [
      '| what            |    ours | baseline | ratio | the baseline |',
      '| --------------- | ------: | -------: | ----: | ------------ |',
      '| start           |  746 ms |   237 ms |  3.14 | bare Bolt    |',
      '| memory          | 100 MiB | 50.0 MiB |  2.00 | the same     |',
      '| acknowledgement | 0.84 ms |  1.00 ms |  0.84 | bare Bolt    |',
    ].join('\n'),
  );
});

it('is only a head when nothing was measured', () => {
  expect(table([]).split('\n')).toHaveLength(2);
});

it('takes turns, and leaves the warm-up out', async () => {
  const order: string[] = [];
  const take = (who: string) => async () => order.push(who);
  const samples = await runInterleaved({ rounds: 2, warmUp: 1 }, [take('ours'), take('baseline')]);
  expect(order).toEqual(['ours', 'baseline', 'ours', 'baseline', 'ours', 'baseline']);
  expect(samples).toEqual([
    [3, 5],
    [4, 6],
  ]);
});

it('finds the resident memory among the lines of a status, in MiB', () => {
  expect(residentOf('VmHWM:\t  900000 kB\nVmRSS:\t  102400 kB\nRssAnon:\t 1 kB\n')).toBe(100);
});

it('is null for a process that has ended', () => {
  expect(residentOf('')).toBeNull();
});

it.runIf(process.platform === 'linux')('is an error where no child runs the file', async () => {
  await expect(residentMemory('nobody.ts')).rejects.toThrow('no child of this process runs nobody.ts');
});
