/** The filters and orders of `packages`: which there are, and how they are read and written. Pure. */

import { z } from 'zod';
import { SEVERITIES } from '../../fleet/software.ts';
import { nearestOrAny } from '../../inventory/nearest.ts';
import type { UsageFault } from '../../views/model.ts';
import type { Typed } from '../define.ts';
import { isBareCve, readCve } from '../line/cve.ts';
import { fault } from '../line/faults.ts';
import { type Filter, wordText } from '../line/grammar.ts';
import { filterText } from '../targets/device-filters.ts';

/** `pending` is all that is not installed; `missing` leaves out what is ignored or deferred. */
const STATES = ['missing', 'installed', 'ignored', 'deferred', 'pending', 'all'] as const;
/** `none`: looked at and harmless, which is not the same as `unstated`. */
export const SEVERITY_WORDS = [...SEVERITIES, 'none', 'unstated'] as const;
const SORTS = ['severity', 'name', 'installed'] as const;

const negated = z.boolean();
const packageFilter = z.discriminatedUnion('key', [
  z.object({ key: z.literal('is'), value: z.enum(STATES), negated }),
  z.object({ key: z.literal('severity'), value: z.enum(SEVERITY_WORDS), negated }),
  z.object({ key: z.literal('cve'), value: z.string().min(1), negated }),
]);
export type PackageFilter = z.infer<typeof packageFilter>;

export const packageQuery = z.object({
  words: z.array(z.string()).default([]),
  filters: z.array(packageFilter).default([]),
  sort: z.enum(SORTS).nullable().default(null),
});
export type PackageQuery = z.infer<typeof packageQuery>;

export const PACKAGE_KEYS = ['is', 'severity', 'cve', 'sort'] as const;

/** What was typed; several values after commas are several filters of one key, of which any will do. */
export function readPackageFilters(typed: readonly Filter[]): Typed<Omit<PackageQuery, 'words'>> {
  const filters: PackageFilter[] = [];
  let sort: PackageQuery['sort'] = null;
  for (const part of typed) {
    const key = PACKAGE_KEYS.find((known) => known === part.key);
    if (key === undefined) return fault(unknown(part.text, part.key, PACKAGE_KEYS, (known) => `${known}:`));
    if (part.value === '') {
      return fault({ kind: 'bad-value', word: part.text, expected: 'a value right after the colon' });
    }
    if (key === 'sort') {
      const found = SORTS.find((known) => known === part.value.toLowerCase());
      if (found === undefined || part.negated) {
        return fault(unknown(part.text, part.value, SORTS, (known) => `sort:${known}`));
      }
      sort = found;
      continue;
    }
    for (const value of part.value.split(',')) {
      const read = readOne(key, value.trim(), part);
      if (read.kind === 'fault') return read;
      filters.push(read.input);
    }
  }
  return { kind: 'input', input: { filters, sort } };
}

/** A CVE among the words is the filter of the same name; the other words stay. */
export function bareCves(
  free: readonly string[],
): Typed<{ readonly words: readonly string[]; readonly filters: readonly PackageFilter[] }> {
  const filters: PackageFilter[] = [];
  for (const word of free.filter(isBareCve)) {
    const cve = readCve(word);
    if (cve === null) return fault({ kind: 'bad-value', word, expected: 'a CVE, such as CVE-2026-1234' });
    filters.push({ key: 'cve', value: cve, negated: false });
  }
  return { kind: 'input', input: { words: free.filter((word) => !isBareCve(word)), filters } };
}

function readOne(
  key: 'is' | 'severity' | 'cve',
  value: string,
  { text, negated: turned }: Filter,
): Typed<PackageFilter> {
  switch (key) {
    case 'is': {
      const state = STATES.find((known) => known === value.toLowerCase());
      if (state === undefined) return fault(unknown(text, value, STATES, (known) => `is:${known}`));
      return { kind: 'input', input: { key, value: state, negated: turned } };
    }
    case 'severity': {
      const word = SEVERITY_WORDS.find((known) => known === value.toLowerCase());
      if (word === undefined)
        return fault(unknown(text, value, SEVERITY_WORDS, (known) => `severity:${known}`));
      return { kind: 'input', input: { key, value: word, negated: turned } };
    }
    case 'cve': {
      const cve = readCve(value);
      if (cve === null)
        return fault({ kind: 'bad-value', word: text, expected: 'a CVE, such as cve:CVE-2026-1234' });
      return { kind: 'input', input: { key, value: cve, negated: turned } };
    }
  }
}

function unknown(
  word: string,
  value: string,
  known: readonly string[],
  write: (value: string) => string,
): UsageFault {
  return { kind: 'unknown-word', word, nearest: nearestOrAny(value, known).map(write) };
}

/** What was understood, as it would be typed after the device. */
export function packageQuestion({ words, filters, sort }: PackageQuery): string {
  return [
    ...words.map(wordText),
    ...filters.map(({ key, value, negated: turned }) => filterText(key, value, turned)),
    ...(sort === null ? [] : [filterText('sort', sort)]),
  ].join(' ');
}
