/** What finds packages, and devices that miss some: the filters and orders of `packages` and what `missing` asks. Pure. */
import { z } from 'zod';
import { SEVERITIES, type Severity, severityRank } from '../../fleet/model/derived-fields.ts';
import { displayName } from '../../fleet/model/resources.ts';
import type {
  MissingPatchesEntry,
  MissingPatchFacts,
  PatchCandidate,
} from '../../inventory/missing-patches/missing-patch-index.ts';
import { nearestNames, nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { DeviceId } from '../../lib/ids.ts';
import { compareNames, fold } from '../../lib/text.ts';
import type { PatchChoice } from '../../views/models/list-model.ts';
import type { UsageFault } from '../../views/views.ts';
import type { TypedInput } from '../core/command.ts';
import { isBareCve, type MissingTarget, packageMatcher, readCve } from '../parser/missing-target.ts';
import { type FilterToken, type LineWords, quoteWord } from '../parser/tokenizer.ts';
import { filterFault, listedValues, unexpectedWord, usageFault } from '../parser/usage-errors.ts';
import { filterText, isDeviceKey } from '../targets/device-query.ts';
import { nameOrId } from '../targets/name-lookup.ts';

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

const PACKAGE_KEYS = ['is', 'severity', 'cve', 'sort'] as const;

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

export const groupsField = z.array(nameOrId).min(1);

const MISSING_SORTS = ['name', 'group', 'severity'] as const;

export const missingQuerySchema = z.object({
  sought: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('package'), name: z.string().min(1) }),
    z.object({ kind: z.literal('cve'), cves: z.array(z.string().min(1)).min(1) }),
    z.object({ kind: z.literal('severity'), severities: z.array(z.enum(SEVERITIES)).min(1) }),
  ]),
  /** Any of them; null: everywhere. */
  group: groupsField.nullable(),
  sort: z.enum(MISSING_SORTS).optional(),
});
export type MissingQuery = z.infer<typeof missingQuerySchema>;

/** Filters of other commands beside those of devices. */
const KEYS_OF_OTHER_COMMANDS: readonly string[] = [...PACKAGE_KEYS, 'name', 'days', 'in'];

const MISSING_KEYS = { once: ['cve', 'severity', 'sort'], many: ['group'] } as const;

/** A name of several words needs no quotes; one with a colon does, so that no filter is read as a name. */
export function parseMissing(words: LineWords): TypedInput<MissingQuery> {
  const extra = unexpectedWord(words, { filters: true }) ?? missingFilterFault(words.filters);
  if (extra !== null) return usageFault(extra);
  const typed = (key: (typeof MISSING_KEYS.once)[number]) =>
    words.filters.find((one) => one.key === key)?.value;
  const by = typed('sort');
  const sort = MISSING_SORTS.find((known) => known === by?.toLowerCase());
  if (by !== undefined && sort === undefined) {
    const nearest = nearestNamesOrAll(by, MISSING_SORTS).map((known) => filterText('sort', known));
    return usageFault({ kind: 'unknown-word', word: filterText('sort', by), nearest });
  }
  const groups = words.filters.filter(({ key }) => key === 'group');
  const rest = { group: listedValues(groups, false) ?? null, ...(sort === undefined ? {} : { sort }) };
  const severe = severitiesFrom(words.filters.filter(isSeverityFilter));
  if (severe.kind === 'fault') return severe;
  const bare = bareSeverities(words.free);
  const free = bare.length === 0 ? words.free : [];
  const target = readMissingTarget(free, typed('cve'), [...new Set([...severe.input, ...bare])]);
  if (target === null)
    return usageFault({ kind: 'missing', what: 'Which package, CVE or severity?', prefill: rest });
  if (target.kind === 'fault') return target;
  return { kind: 'input', input: { sought: target, ...rest } };
}

/** Words that are all severities, such as `critical,high`, mean those, as after `missing:`. */
function bareSeverities(free: readonly string[]): readonly Severity[] {
  const words = free.flatMap((word) => word.split(',')).filter((word) => word !== '');
  const known = words.flatMap((word) => SEVERITIES.find((one) => one === word.toLowerCase()) ?? []);
  return known.length === words.length ? known : [];
}

const ONE_TARGET = 'either a package, CVEs or severities';

/** Null where none was typed. */
function readMissingTarget(
  free: readonly string[],
  typed: string | undefined,
  severities: readonly Severity[],
) {
  if (severities.length > 0) {
    if (free.length === 0 && typed === undefined)
      return { kind: 'severity' as const, severities: [...severities] };
    const word = free.length > 0 ? free.join(' ') : filterText('cve', typed ?? '');
    return usageFault({ kind: 'bad-value', word, expected: ONE_TARGET });
  }
  const other = free.find((word) => !isBareCve(word) && !/^(?:,|and|or)$/i.test(word));
  const listed = [...free.filter(isBareCve), ...(typed === undefined ? [] : [typed])];
  const words = listed.flatMap((list) => list.split(',')).filter((word) => word !== '');
  if (words.length === 0)
    return free.length === 0 ? null : ({ kind: 'package', name: free.join(' ') } as const);
  const odd = words.find((word) => readCve(word) === null);
  if (odd !== undefined) {
    const word = odd === typed ? filterText('cve', odd) : odd;
    return usageFault({ kind: 'bad-value', word, expected: 'a CVE, such as CVE-2026-1234' });
  }
  if (other !== undefined)
    return usageFault({ kind: 'bad-value', word: free.join(' '), expected: ONE_TARGET });
  const cves = new Set(words.flatMap((word) => readCve(word) ?? []));
  return { kind: 'cve' as const, cves: [...cves] };
}

/** A part with a colon that is no filter of any command may be a package: that is offered in quotes. */
function missingFilterFault(filters: readonly FilterToken[]): UsageFault | null {
  const wrong = filterFault(filters, MISSING_KEYS);
  const part = filters.find(({ text }) => wrong !== null && 'word' in wrong && wrong.word === text);
  if (wrong?.kind !== 'unknown-word' || part === undefined || part.negated) return wrong;
  const { key, text } = part;
  const isFilter = isDeviceKey(key) || KEYS_OF_OTHER_COMMANDS.some((known) => known === key);
  return isFilter ? wrong : { ...wrong, nearest: [...wrong.nearest, quoteWord(text)] };
}

type MissingResult = {
  /** By display name. */
  readonly rows: readonly {
    readonly device: PatchCandidate;
    readonly packages: readonly MissingPatchFacts[];
  }[];
  /** Every package that a device misses, by both of its names. */
  readonly names: ReadonlySet<string>;
};

/** Candidates that miss what is sought, sorted by name, as far as their packages are known. */
export function devicesMissing(
  candidates: readonly PatchCandidate[],
  known: ReadonlyMap<DeviceId, MissingPatchesEntry>,
  target: MissingTarget,
): MissingResult {
  const fits = packageMatcher(target);
  const names = new Set<string>();
  const rows = candidates.flatMap((device) => {
    const entry = known.get(device.id);
    if (entry === undefined) return [];
    for (const { name, displayName: shown } of entry.packages) names.add(name).add(shown);
    const packages = entry.packages.filter(fits);
    return packages.length === 0 ? [] : [{ device, packages }];
  });
  const sorted = rows.toSorted(
    (a, b) => compareNames(displayName(a.device), displayName(b.device)) || a.device.id - b.device.id,
  );
  return { rows: sorted, names };
}

/** What a patch of devices installs that were listed for missing this: severities as such, all else by its packages. */
export function patchChoice(
  sought: readonly MissingTarget[],
  missing: readonly (readonly Pick<MissingPatchFacts, 'name'>[])[],
): PatchChoice {
  const severities = sought.flatMap((one) => (one.kind === 'severity' ? one.severities : []));
  if (severities.length > 0 || sought.length === 0) return { packages: [], severities };
  return { packages: [...new Set(missing.flat().map(({ name }) => name))].toSorted(), severities };
}

type MissingRow = {
  readonly line: { readonly groupName: string | null };
  readonly packages: readonly Pick<MissingPatchFacts, 'severity'>[];
};

/** Sorts rows by group, those without one last, or by the worst severity; equal ones by name. */
export function sortMissingRows<T extends MissingRow>(
  rows: readonly T[],
  sort: (typeof MISSING_SORTS)[number] = 'name',
): readonly T[] {
  switch (sort) {
    case 'name':
      return rows;
    case 'group':
      return rows.toSorted((a, b) => {
        const [one, other] = [a.line.groupName, b.line.groupName];
        if (one === null || other === null) return Number(one === null) - Number(other === null);
        return compareNames(one, other);
      });
    case 'severity': {
      const worst = ({ packages }: MissingRow) =>
        Math.min(...packages.map(({ severity }) => severityRank(severity)));
      return rows.toSorted((a, b) => worst(a) - worst(b));
    }
  }
}

/** Close names: those that contain the words first, and missing packages before installed ones. */
export function nameSuggestions(
  name: string,
  missing: ReadonlySet<string>,
  installed: Iterable<string>,
): readonly string[] {
  const foldedName = fold(name);
  const names = new Set(missing);
  for (const one of installed) {
    if (names.size >= MAX_COMPARED) break;
    names.add(one);
  }
  const others = [...names].filter((one) => fold(one) !== foldedName);
  const holding = others.filter((one) => fold(one).includes(foldedName)).toSorted(compareNames);
  return [...new Set([...holding, ...nearestNames(name, others)])].slice(0, MAX_SUGGESTIONS);
}

const MAX_SUGGESTIONS = 5;
/** Comparing this many takes about 50 ms, which blocks other answers. */
const MAX_COMPARED = 10_000;
