import { expect, it } from 'vitest';
import { figure } from './figure.ts';
import { table } from './table.ts';

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
