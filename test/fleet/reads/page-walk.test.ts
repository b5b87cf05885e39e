import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FleetFailure, type FleetPage, type ReadOptions } from '../../../src/fleet/fleet.ts';
import { createSeenIds, walkPages } from '../../../src/fleet/reads/reads.ts';
import type { RowPage } from '../../../src/fleet/schema/rows.ts';
import { property } from '../../harness/property.ts';

type Row = { readonly id: number };

function page(ids: readonly number[], more: Partial<RowPage<Row>> = {}): RowPage<Row> {
  const unreadable = more.unreadable ?? 0;
  const rows = ids.map((id) => ({ id }));
  return {
    kind: 'rows',
    rows,
    sent: ids.length + unreadable,
    unreadable,
    foreignRows: 0,
    deletedIds: [],
    total: null,
    ...more,
  };
}

/** A service with these pages; pages beyond the end are empty. */
function serviceOf(
  pages: readonly RowPage<Row>[],
  bounds: { readonly pageSize?: number; readonly maxPages?: number; readonly maxRows?: number } = {},
) {
  const requestedPages: number[] = [];
  const receivedOptions: ReadOptions[] = [];
  const fetchPage = async (number: number, options: ReadOptions) => {
    requestedPages.push(number);
    receivedOptions.push(options);
    return pages[number] ?? page([]);
  };
  const list = (options: ReadOptions = {}) => walkPages({ path: '/things', fetchPage, ...bounds }, options);
  return { list, requestedPages, receivedOptions };
}

async function pagesOf(walked: AsyncIterable<FleetPage<Row>>): Promise<readonly FleetPage<Row>[]> {
  const pages: FleetPage<Row>[] = [];
  for await (const one of walked) pages.push(one);
  return pages;
}

async function all(walked: AsyncIterable<FleetPage<Row>>): Promise<readonly number[]> {
  return (await pagesOf(walked)).flatMap(({ rows }) => rows.map(({ id }) => id));
}

describe('a page walk', () => {
  it('is one request when the first page has all that total_count promises', async () => {
    const ids = Array.from({ length: 240 }, (_, index) => index + 1);
    const { list, requestedPages } = serviceOf([page(ids, { total: 240 })]);
    expect(await all(list())).toEqual(ids);
    expect(requestedPages).toEqual([0]);
  });

  it('reads on after a full page, because a total may count only a part of the list', async () => {
    const { list, requestedPages } = serviceOf([page([1, 2], { total: 2 }), page([3], { total: 2 })], {
      pageSize: 2,
    });
    expect(await all(list())).toEqual([1, 2, 3]);
    expect(requestedPages).toEqual([0, 1, 2]);
  });

  it('takes no total for one that more rows disprove', async () => {
    const { list, requestedPages } = serviceOf([page([1, 2, 3], { total: 2 }), page([4], { total: 2 })]);
    expect(await pagesOf(list())).toEqual([
      { rows: [{ id: 1 }, { id: 2 }, { id: 3 }], total: null, unreadable: 0 },
      { rows: [{ id: 4 }], total: null, unreadable: 0 },
    ]);
    expect(requestedPages).toEqual([0, 1, 2]);
  });

  it('counts foreign rows towards the total, and reports how many were left out', async () => {
    const { list, requestedPages } = serviceOf([page([1], { total: 3, foreignRows: 2 })]);
    expect(await pagesOf(list())).toEqual([{ rows: [{ id: 1 }], total: 3, unreadable: 0, foreignRows: 2 }]);
    expect(requestedPages).toEqual([0]);
  });

  it('counts unreadable rows towards the total', async () => {
    const { list, requestedPages } = serviceOf([page([1], { total: 2, unreadable: 1 })]);
    expect(await all(list())).toEqual([1]);
    expect(requestedPages).toEqual([0]);
  });

  it('continues after a short page that does not have everything', async () => {
    const { list, requestedPages } = serviceOf([page([1, 2], { total: 3 }), page([3], { total: 3 })]);
    expect(await all(list())).toEqual([1, 2, 3]);
    expect(requestedPages).toEqual([0, 1]);
  });

  it('continues to an empty page when no total is known', async () => {
    const { list, requestedPages } = serviceOf([page([1, 2]), page([3])]);
    expect(await all(list())).toEqual([1, 2, 3]);
    expect(requestedPages).toEqual([0, 1, 2]);
  });

  it('requests no page that its caller does not want', async () => {
    const { list, requestedPages } = serviceOf([page([9]), page([8])]);
    for await (const { rows } of list()) {
      expect(rows).toEqual([{ id: 9 }]);
      break;
    }
    expect(requestedPages).toEqual([0]);
  });

  it('yields a row once, even if it moved to the next page meanwhile', async () => {
    const { list } = serviceOf([page([5, 4]), page([4, 3]), page([2])]);
    expect(await all(list())).toEqual([5, 4, 3, 2]);
  });

  it('ends when the service returns the same page again and again', async () => {
    const same = page([1, 2], { total: 9 });
    const { list, requestedPages } = serviceOf(Array.from({ length: 9 }, () => same));
    expect(await all(list())).toEqual([1, 2]);
    expect(requestedPages).toEqual([0, 1, 2, 3]);
  });

  it.each([
    ['no total', null],
    ['a total that counts one page', 2],
  ])(
    'fails where every page is full and the same, with %s: nothing says how many rows it never showed',
    async (_, total) => {
      const same = page([1, 2], { total });
      const { list } = serviceOf(
        Array.from({ length: 9 }, () => same),
        { pageSize: 2 },
      );
      const failure = await all(list()).catch((error: unknown) => error);
      expect(failure instanceof FleetFailure && failure.error).toMatchObject({ kind: 'too-large' });
    },
  );

  it('takes a total of an empty first page for what is missing', async () => {
    const { list } = serviceOf([page([], { total: 240 })]);
    expect(await pagesOf(list())).toEqual([{ rows: [], total: 240, unreadable: 0, shortfall: 240 }]);
  });

  it('reaches rows beyond those that a burst pushed onto the next page', async () => {
    const { list } = serviceOf([page([9, 8]), page([9, 8]), page([7, 6])]);
    expect(await all(list())).toEqual([9, 8, 7, 6]);
  });

  it('yields one empty page with total 0 for an empty list', async () => {
    const { list, requestedPages } = serviceOf([]);
    expect(await pagesOf(list())).toEqual([{ rows: [], total: 0, unreadable: 0 }]);
    expect(requestedPages).toEqual([0]);
  });

  it('reports how many rows could not be read, on each page', async () => {
    const { list } = serviceOf([page([1], { unreadable: 2 }), page([], { unreadable: 1 }), page([2])]);
    const pages = await pagesOf(list());
    expect(pages.map(({ unreadable }) => unreadable)).toEqual([2, 1, 0]);
  });

  it('reports on its last page how many rows it never saw', async () => {
    const same = page([1, 2], { total: 9 });
    const repeating = serviceOf(Array.from({ length: 9 }, () => same));
    expect((await pagesOf(repeating.list())).map(({ rows, shortfall }) => [rows.length, shortfall])).toEqual([
      [2, undefined],
      [0, 7],
    ]);
    const ending = serviceOf([page([1, 2], { total: 5 }), page([3], { total: 5 })]);
    expect((await pagesOf(ending.list())).at(-1)).toEqual({
      rows: [],
      total: 5,
      unreadable: 0,
      shortfall: 2,
    });
  });

  it('fails rather than pass off a part as the whole', async () => {
    const { list, requestedPages } = serviceOf([page([1]), page([2]), page([3])], { maxPages: 2 });
    const failure = await all(list()).catch((error: unknown) => error);
    expect(failure instanceof FleetFailure && failure.error).toMatchObject({
      kind: 'too-large',
      path: '/things',
    });
    expect(requestedPages).toEqual([0, 1]);
  });

  it('ends at the maximum number of rows, however many each page has', async () => {
    const { list, requestedPages } = serviceOf([page([1, 2]), page([2, 3]), page([4]), page([5])], {
      maxRows: 3,
    });
    const failure = await all(list()).catch((error: unknown) => error);
    expect(failure instanceof FleetFailure && failure.error).toMatchObject({ kind: 'too-large' });
    expect(requestedPages).toEqual([0, 1, 2]);
  });

  it('shares the caller’s deadline among all pages, and has none of its own', async () => {
    const { list, receivedOptions } = serviceOf([page([1]), page([2])]);
    await all(list({ deadlineMs: 5_000, lane: 'person' }));
    const deadlines = receivedOptions.map(({ deadlineMs }) => deadlineMs ?? 0);
    expect(deadlines.every((left, index) => left <= (deadlines[index - 1] ?? 5_000))).toBe(true);
    expect(receivedOptions.map(({ lane }) => lane)).toEqual(['person', 'person', 'person']);
    const free = serviceOf([page([1])]);
    await all(free.list());
    expect(free.receivedOptions[0]).toEqual({});
  });
});

/** A list that changes during a walk: `changes[n]` happens before request number n. */
function livingList(
  start: readonly number[],
  size: number,
  changes: Readonly<Record<number, (ids: number[]) => void>>,
) {
  const ids = [...start];
  const requestedPages: number[] = [];
  const fetchPage = async (number: number) => {
    changes[requestedPages.length]?.(ids);
    requestedPages.push(number);
    const rows = ids.slice(number * size, (number + 1) * size);
    return page(rows, rows.length === 0 ? {} : { total: ids.length });
  };
  return { list: () => walkPages({ path: '/things', fetchPage }, {}), requestedPages, ids };
}
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe('a list that changes while it is walked', () => {
  it('loses no row when others were removed before it', async () => {
    const { list, requestedPages, ids } = livingList(upTo(12), 4, {
      1: (now) => now.splice(0, 3),
      4: (now) => now.splice(0, 2),
    });
    const pages = await pagesOf(list());
    const rows = pages.flatMap((one) => one.rows.map(({ id }) => id));
    expect(rows).toEqual(expect.arrayContaining(ids));
    expect(new Set(rows).size).toBe(rows.length);
    expect(pages.some(({ shortfall }) => shortfall !== undefined)).toBe(false);
    expect(requestedPages.slice(0, 4)).toEqual([0, 1, 0, 2]);
  });

  it('goes back as many pages as may have moved', async () => {
    const { list, requestedPages, ids } = livingList(upTo(40), 4, { 3: (now) => now.splice(0, 9) });
    expect(await all(list())).toEqual(expect.arrayContaining(ids));
    expect(requestedPages.slice(0, 9)).toEqual([0, 1, 2, 3, 0, 1, 2, 4, 5]);
  });

  it('yields each row once when others were added before it, and reports what it did not see', async () => {
    const { list } = livingList(upTo(8), 4, { 1: (now) => now.unshift(101, 102) });
    const pages = await pagesOf(list());
    expect(pages.flatMap((one) => one.rows.map(({ id }) => id))).toEqual(upTo(8));
    expect(pages.at(-1)?.shortfall).toBe(2);
  });

  it('sees rows that were added at its end', async () => {
    const { list } = livingList(upTo(8), 4, { 1: (now) => now.push(9, 10) });
    const pages = await pagesOf(list());
    expect(pages.flatMap((one) => one.rows.map(({ id }) => id))).toEqual(upTo(10));
    expect(pages.at(-1)?.shortfall).toBeUndefined();
  });

  it('ends although it shrinks at every read, and reports what may be missing', async () => {
    const shrinking = Array.from({ length: 300 }, () => (now: number[]) => void now.shift());
    const { list, requestedPages } = livingList(upTo(300), 4, { ...shrinking });
    const pages = await pagesOf(list());
    expect(requestedPages.length).toBeLessThan(150);
    expect(pages.at(-1)?.shortfall).toBeGreaterThan(0);
  });

  const change = fc.record({ at: fc.nat(30), remove: fc.nat(4), add: fc.nat(4), when: fc.nat(9) });
  property([fc.boolean(), fc.integer({ min: 1, max: 5 }), fc.nat(30), fc.array(change)])(
    'is complete or reports that it is not, whatever is removed and added',
    async (grows, size, count, plan) => {
      let fresh = 1_000;
      const changes: Record<number, (ids: number[]) => void> = {};
      for (const { at, remove, add, when } of plan) {
        changes[when] = (ids) => {
          ids.splice(at, remove, ...Array.from({ length: grows ? add : 0 }, () => (fresh += 1)));
        };
      }
      const { list, ids, requestedPages } = livingList(upTo(count), size, changes);
      const pages = await pagesOf(list());
      const rows = pages.flatMap((one) => one.rows.map(({ id }) => id));
      expect(new Set(rows).size).toBe(rows.length);
      expect(requestedPages.length).toBeLessThan(200);
      const lost = ids.filter((id) => !rows.includes(id));
      if (!grows && lost.length > 0) expect(pages.at(-1)?.shortfall ?? 0).toBeGreaterThan(0);
    },
  );
});

describe('the ids that a walk has seen', () => {
  const id = fc.oneof(fc.nat(50), fc.maxSafeInteger(), fc.integer(), fc.constant(2 ** 32));
  property([fc.array(id, { maxLength: 3_000 })])('are recognized exactly like in a set', (ids) => {
    const seen = createSeenIds();
    const set = new Set<number>();
    // One assertion for all of them: one for each would take longer than the ids themselves.
    const wrong = ids.filter((one) => {
      const isNew = !set.has(one);
      set.add(one);
      return seen.add(one) !== isNew || seen.size() !== set.size;
    });
    expect(wrong).toEqual([]);
  });

  it.each([
    ['one after the other', (index: number) => index],
    ['far apart', (index: number) => index * 65_536],
    ['falling', (index: number) => 4_000_000_000 - index * 7],
    ['larger than 32 bits', (index: number) => 2 ** 40 + index * 1_000],
  ])('are stored by the hundred thousand: %s', (_, idOf) => {
    const seen = createSeenIds();
    const indexes = Array.from({ length: 100_000 }, (_item, index) => index);
    expect(indexes.filter((index) => !seen.add(idOf(index)))).toEqual([]);
    expect(indexes.filter((index) => index % 997 === 0 && seen.add(idOf(index)))).toEqual([]);
    expect(seen.size()).toBe(100_000);
  });
});
