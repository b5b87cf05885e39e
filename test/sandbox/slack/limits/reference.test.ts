/** The table of limits has the numbers of Slack's documented lists, and a rule where these state one in words. */
import { describe, expect, it } from 'vitest';
import { DOCUMENTED } from '../documented/documented-lists.ts';
import { LIMITS, RULES } from './all-limits.ts';
import type { LimitRow } from './limit-cases.ts';

/** Rows without a number; triggers and hashes are tested in `views.test.ts`. */
const STATED: readonly LimitRow[] = [
  'markdown_text',
  'block_id / action_id',
  'section',
  'header',
  'button',
  'option',
  'select',
  'table',
  'data_table',
  'external_id',
  'title / submit / close',
];

describe('the table of limits', () => {
  it.each(DOCUMENTED.limits)('has the documented numbers of “$what”', ({ what, least, most }) => {
    expect(LIMITS.find((limit) => limit.what === what)).toMatchObject({
      ...(least === undefined ? {} : { least }),
      ...(most === undefined ? {} : { most }),
    });
  });

  it('has no number that is not documented', () => {
    const documented = DOCUMENTED.limits.map(({ what }) => what);
    expect(LIMITS.map(({ what }) => what).filter((what) => !documented.includes(what))).toEqual([]);
  });

  it.each(STATED)('has a rule for “%s”', (row) => {
    expect(RULES.map((rule) => rule.row)).toContain(row);
  });

  it('names the source of every number', () => {
    for (const { source } of [...LIMITS, ...RULES, ...DOCUMENTED.limits])
      expect(source).toMatch(/^https:\/\/(docs\.slack\.dev|github\.com)\/./);
  });

  it('has no two rows of one name', () => {
    const names = LIMITS.map(({ what }) => what);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});
