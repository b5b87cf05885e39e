/** What is typed after `missing`: a package or a CVE, where to look, and in which order. Pure. */
import { z } from 'zod';
import { nearestOrAny } from '../../inventory/nearest.ts';
import type { UsageFault } from '../../views/model.ts';
import type { Typed } from '../define.ts';
import { isBareCve, readCve } from '../line/cve.ts';
import { extraWord, fault } from '../line/faults.ts';
import { misfit } from '../line/filters-once.ts';
import { type Filter, type Words, wordText } from '../line/grammar.ts';
import { filterText, isDeviceKey } from '../targets/device-filters.ts';
import { ref } from '../targets/named.ts';
import { SORTS } from './missing-select.ts';
import { PACKAGE_KEYS } from './packages-filters.ts';

export const missingQuestion = z.object({
  sought: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('package'), name: z.string().min(1) }),
    z.object({ kind: z.literal('cve'), cve: z.string().min(1) }),
  ]),
  group: ref.nullable(),
  sort: z.enum(SORTS).optional(),
});
export type MissingQuestion = z.infer<typeof missingQuestion>;

/** Filters of other commands beside those of devices. */
const ELSEWHERE: readonly string[] = [...PACKAGE_KEYS, 'name', 'days', 'in'];

const OURS = ['cve', 'group', 'sort'] as const;

/** A name of several words needs no quotes; one with a colon does, so that no filter is read as a name. */
export function parseMissing(words: Words): Typed<MissingQuestion> {
  const extra = extraWord(words, { filters: true }) ?? misfitOf(words.filters);
  if (extra !== null) return fault(extra);
  const typed = (key: (typeof OURS)[number]) => words.filters.find((one) => one.key === key)?.value;
  const by = typed('sort');
  const sort = SORTS.find((known) => known === by?.toLowerCase());
  if (by !== undefined && sort === undefined) {
    const nearest = nearestOrAny(by, SORTS).map((known) => filterText('sort', known));
    return fault({ kind: 'unknown-word', word: filterText('sort', by), nearest });
  }
  const rest = { group: typed('group') ?? null, ...(sort === undefined ? {} : { sort }) };
  const sought = readSought(words.free, typed('cve'));
  if (sought === null) return fault({ kind: 'missing', what: 'Which package or CVE?', given: rest });
  if (sought.kind === 'fault') return sought;
  return { kind: 'input', input: { sought, ...rest } };
}

/** Null where neither was typed. */
function readSought(free: readonly string[], typed: string | undefined) {
  const bare = free.find(isBareCve);
  const cve = typed ?? bare;
  const name = free.filter((word) => word !== bare).join(' ');
  if (cve === undefined) return name === '' ? null : ({ kind: 'package', name } as const);
  const both = name !== '' || (typed !== undefined && bare !== undefined);
  const read = readCve(cve);
  if (read !== null && !both) return { kind: 'cve', cve: read } as const;
  const word = read === null ? (typed === undefined ? cve : filterText('cve', cve)) : free.join(' ');
  const expected = read === null ? 'a CVE, such as CVE-2026-1234' : 'either a package or one CVE';
  return fault({ kind: 'bad-value', word, expected });
}

/** A part with a colon that is no filter of any command may be a package: that is offered in quotes. */
function misfitOf(filters: readonly Filter[]): UsageFault | null {
  const wrong = misfit(filters, { once: OURS });
  const part = filters.find(({ text }) => wrong !== null && 'word' in wrong && wrong.word === text);
  if (wrong?.kind !== 'unknown-word' || part === undefined || part.negated) return wrong;
  const { key, text } = part;
  const isFilter = isDeviceKey(key) || ELSEWHERE.some((known) => known === key);
  return isFilter ? wrong : { ...wrong, nearest: [...wrong.nearest, wordText(text)] };
}
