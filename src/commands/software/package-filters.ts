/** The filters and orders of `packages`: which there are, and how they are read and written. Pure. */
import { z } from 'zod';
import { SEVERITIES, type Severity } from '../../fleet/model/derived-fields.ts';
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { UsageFault } from '../../views/types.ts';
import type { TypedInput } from '../core/command.ts';
import { isBareCve, readCve } from '../parser/missing-target.ts';
import { type FilterToken, quoteWord } from '../parser/tokenizer.ts';
import { usageFault } from '../parser/usage-errors.ts';
import { filterText } from '../targets/device-query.ts';

/** `pending` is all that is not installed; `missing` leaves out what is ignored or deferred. */
const PACKAGE_STATES = ['missing', 'installed', 'ignored', 'deferred', 'pending', 'all'] as const;
/** `none`: looked at and harmless, which is not the same as `unstated`. */
export const SEVERITY_NAMES = [...SEVERITIES, 'none', 'unstated'] as const;
const PACKAGE_SORTS = ['severity', 'name', 'installed'] as const;

const negatedFlag = z.boolean();
const packageFilter = z.discriminatedUnion('key', [
  z.object({ key: z.literal('is'), value: z.enum(PACKAGE_STATES), negated: negatedFlag }),
  z.object({ key: z.literal('severity'), value: z.enum(SEVERITY_NAMES), negated: negatedFlag }),
  z.object({ key: z.literal('cve'), value: z.string().min(1), negated: negatedFlag }),
]);
export type PackageFilter = z.infer<typeof packageFilter>;

export const packageQuery = z.object({
  words: z.array(z.string()).default([]),
  filters: z.array(packageFilter).default([]),
  sort: z.enum(PACKAGE_SORTS).nullable().default(null),
});
export type PackageQuery = z.infer<typeof packageQuery>;

export const PACKAGE_KEYS = ['is', 'severity', 'cve', 'sort'] as const;

/** What was typed; several values after commas are several filters of one key, of which any will do. */
export function readPackageFilters(typed: readonly FilterToken[]): TypedInput<Omit<PackageQuery, 'words'>> {
  const filters: PackageFilter[] = [];
  let sort: PackageQuery['sort'] = null;
  for (const part of typed) {
    const key = PACKAGE_KEYS.find((known) => known === part.key);
    if (key === undefined)
      return usageFault(unknownValueFault(part.text, part.key, PACKAGE_KEYS, (known) => `${known}:`));
    if (part.value === '') {
      return usageFault({ kind: 'bad-value', word: part.text, expected: 'a value right after the colon' });
    }
    if (key === 'sort') {
      const found = PACKAGE_SORTS.find((known) => known === part.value.toLowerCase());
      if (found === undefined || part.negated) {
        return usageFault(
          unknownValueFault(part.text, part.value, PACKAGE_SORTS, (known) => `sort:${known}`),
        );
      }
      sort = found;
      continue;
    }
    for (const value of part.value.split(',')) {
      const read = readPackageFilter(key, value.trim(), part);
      if (read.kind === 'fault') return read;
      filters.push(read.input);
    }
  }
  return { kind: 'input', input: { filters, sort } };
}

/** A CVE among the words is the filter of the same name; the other words stay. */
export function bareCves(
  free: readonly string[],
): TypedInput<{ readonly words: readonly string[]; readonly filters: readonly PackageFilter[] }> {
  const filters: PackageFilter[] = [];
  for (const word of free.filter(isBareCve)) {
    const cve = readCve(word);
    if (cve === null)
      return usageFault({ kind: 'bad-value', word, expected: 'a CVE, such as CVE-2026-1234' });
    filters.push({ key: 'cve', value: cve, negated: false });
  }
  return { kind: 'input', input: { words: free.filter((word) => !isBareCve(word)), filters } };
}

function readPackageFilter(
  key: 'is' | 'severity' | 'cve',
  value: string,
  { text, negated: turned }: FilterToken,
): TypedInput<PackageFilter> {
  switch (key) {
    case 'is': {
      const state = PACKAGE_STATES.find((known) => known === value.toLowerCase());
      if (state === undefined)
        return usageFault(unknownValueFault(text, value, PACKAGE_STATES, (known) => `is:${known}`));
      return { kind: 'input', input: { key, value: state, negated: turned } };
    }
    case 'severity': {
      const word = SEVERITY_NAMES.find((known) => known === value.toLowerCase());
      if (word === undefined)
        return usageFault(unknownValueFault(text, value, SEVERITY_NAMES, (known) => `severity:${known}`));
      return { kind: 'input', input: { key, value: word, negated: turned } };
    }
    case 'cve': {
      const cve = readCve(value);
      if (cve === null)
        return usageFault({ kind: 'bad-value', word: text, expected: 'a CVE, such as cve:CVE-2026-1234' });
      return { kind: 'input', input: { key, value: cve, negated: turned } };
    }
  }
}

function unknownValueFault(
  word: string,
  value: string,
  known: readonly string[],
  write: (value: string) => string,
): UsageFault {
  return { kind: 'unknown-word', word, nearest: nearestNamesOrAll(value, known).map(write) };
}

export function packageQueryText({ words, filters, sort }: PackageQuery): string {
  return [
    // Before a filter a bare one would join, not name a package.
    ...words.map((word) => (word.toLowerCase() === 'or' ? `"${word}"` : quoteWord(word))),
    ...filters.map(({ key, value, negated: turned }) => filterText(key, value, turned)),
    ...(sort === null ? [] : [filterText('sort', sort)]),
  ].join(' ');
}

/** The severities that `patch` is asked for, such as `severity:critical,high`. */
export function isSeverityFilter({ key }: FilterToken): boolean {
  return key === 'severity';
}

/** Several are any of them, whether after commas or each with its own key. */
export function severitiesFrom(filters: readonly FilterToken[]): TypedInput<Severity[]> {
  const severities = new Set<Severity>();
  for (const { value, negated, text } of filters) {
    for (const word of value.split(',')) {
      const severity = SEVERITIES.find((known) => known === word.trim().toLowerCase());
      if (severity === undefined || negated) {
        const offered = nearestNamesOrAll(word, SEVERITIES).map((known) => `severity:${known}`);
        return { kind: 'fault', fault: { kind: 'unknown-word', word: text, nearest: offered } };
      }
      severities.add(severity);
    }
  }
  return { kind: 'input', input: [...severities] };
}
