/** What is typed after `missing`: a package or a CVE, where to look, and in which order. Pure. */
import { z } from 'zod';
import { SEVERITIES, type Severity } from '../../fleet/model/derived-fields.ts';
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { UsageFault } from '../../views/model.ts';
import type { TypedInput } from '../core/define-command.ts';
import { isBareCve, readCve } from '../parser/cve.ts';
import { filterFault, listedValues } from '../parser/filter-keys.ts';
import { type FilterToken, type LineWords, quoteWord } from '../parser/tokenizer.ts';
import { unexpectedWord, usageFault } from '../parser/usage-errors.ts';
import { filterText, isDeviceKey } from '../targets/device-filters.ts';
import { nameOrId } from '../targets/name-lookup.ts';
import { isSeverityFilter, PACKAGE_KEYS, severitiesFrom } from './package-filters.ts';
import { MISSING_SORTS } from './select-missing.ts';

export const groupsField = z.array(nameOrId).min(1);

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
