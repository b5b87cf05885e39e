import { describe, expect, it } from 'vitest';
import { isObject, type RowReader, readList, readListInSlices } from '../../../src/fleet/schema/rows.ts';

const readRow: RowReader<unknown> = (value) =>
  isObject(value) && value['id'] === 'foreign'
    ? { kind: 'foreign', detail: 'a row of another' }
    : { kind: 'row', row: value };
const page = (count: number) => Array.from({ length: count }, (_, at) => ({ id: at + 1 }));

describe('reading a list in slices', () => {
  it.each([
    [0, 0],
    [1, 0],
    [200, 0],
    [201, 2],
    [500, 3],
  ])('of %i rows yields %i times, and gives the same as reading it at once', (rows, times) => {
    const parts = readListInSlices(page(rows), readRow);
    let left = 0;
    let part = parts.next();
    for (; part.done !== true; part = parts.next()) left += 1;
    expect([left, part.value]).toEqual([times, readList(page(rows), readRow)]);
  });

  it('ends at the first row of another owner', () => {
    const parts = readListInSlices([{ id: 'foreign' }, ...page(500)], readRow);
    expect(parts.next()).toEqual({ done: false, value: undefined });
    expect(parts.next()).toEqual({
      done: true,
      value: { kind: 'misshapen', detail: 'a row of another' },
    });
  });
});
