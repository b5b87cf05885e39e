/** Every limit, sent by Slack's own client one below, at, and one above it; the last is refused with a pointer. */
import { describe, expect, it } from 'vitest';
import { DOCUMENTED } from '../documented/documented-lists.ts';
import type { LimitCase } from './limit-cases.ts';
import { LIMITS } from './limit-table.ts';
import { type CallOutcome, useSlack } from './limits-harness.ts';

const slack = useSlack();
type Sized = {
  readonly what: string;
  readonly least?: number | undefined;
  readonly most?: number | undefined;
};

function expectRefused({ word, pointers }: CallOutcome, limit: LimitCase): void {
  expect(word).toBe(limit.word);
  if (limit.at === null) expect(pointers).toEqual([]);
  else expect(pointers).toContain(limit.at);
}

describe('a real client', () => {
  it.each(LIMITS.filter(({ most }) => most !== undefined))(
    'may send $what up to $most and no more ($source)',
    async (limit) => {
      const most = limit.most ?? 0;
      const taken = [most - 1, most].filter((size) => size >= (limit.least ?? 1));
      for (const size of taken)
        expect(await slack.outcomeOf(...limit.make(size))).toMatchObject({ word: 'ok' });
      expectRefused(await slack.outcomeOf(...limit.make(most + 1)), limit);
    },
  );

  it.each(LIMITS.filter(({ least }) => least !== undefined))(
    'must send $what of at least $least ($source)',
    async (limit) => {
      const least = limit.least ?? 0;
      expect(await slack.outcomeOf(...limit.make(least))).toMatchObject({ word: 'ok' });
      expectRefused(await slack.outcomeOf(...limit.make(least - 1)), limit);
    },
  );
});

describe('the table of limits', () => {
  it('has the documented numbers, and no others', () => {
    const lines = (all: readonly Sized[]) =>
      all.map(({ what, least, most }) => `${what}: ${least} to ${most}`).sort();
    expect(lines(LIMITS)).toEqual(lines(DOCUMENTED.limits));
  });

  it('names the source of every number', () => {
    for (const { source } of [...LIMITS, ...DOCUMENTED.limits])
      expect(source).toMatch(/^https:\/\/(docs\.slack\.dev|github\.com)\/./);
  });
});
