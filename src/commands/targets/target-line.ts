/**
 * One grammar for the devices of every command that changes some: names and `#ids` separated by commas, or the filters of
 * `devices`; then the command's own parts, and options. Pure. Bare words are names and never search.
 */
import { z } from 'zod';
import { packedIds } from '../../lib/ids.ts';
import { defined } from '../../lib/record-fields.ts';
import type { TypedInput } from '../core/command.ts';
import { SAVED_KEY } from '../parser/named-lines.ts';
import {
  misspelledOption,
  OPTION_KEYS,
  type RolloutOptions,
  rolloutOptions,
  takeRolloutOptions,
} from '../parser/rollout-options.ts';
import type { FilterToken, LineWords } from '../parser/tokenizer.ts';
import { unexpectedWord, usageFault } from '../parser/usage-errors.ts';
import {
  type DeviceFilter,
  deviceFilter,
  isDeviceKey,
  MAX_FILTER_VALUES,
  parseDeviceFilters,
} from './device-query.ts';
import { type DeviceRef, reasonSchema } from './resolve-device.ts';

/** Characters of names and `#ids`: some two thousand devices, from a form or a retry. */
const MAX_NAMES_LENGTH = 20_000;

/** The part of a command's input that says which devices are meant: only one of `device`, `filters` and `ids`. */
export const targetFields = {
  /** A name, an id, or several with commas. */
  device: z.union([z.string().min(1).max(MAX_NAMES_LENGTH), z.int().positive()]).exactOptional(),
  filters: z.array(deviceFilter).min(1).max(MAX_FILTER_VALUES).exactOptional(),
  /** Devices that somebody saw in a list or on a card. Those that are gone meanwhile stay out, and are named. */
  ids: packedIds.exactOptional(),
  rollout: rolloutOptions.exactOptional(),
  reason: reasonSchema,
};

export const targetInput = z.object(targetFields);
export type TargetInput = z.infer<typeof targetInput>;

export function splitTarget<Input extends TargetInput>({ device, filters, ids, ...rest }: Input) {
  const meant = defined({ device, filters, ids });
  const { reason, rollout } = rest;
  return { meant, rest, target: { ...meant, reason, ...defined({ rollout }) } };
}

export type TargetLine = {
  readonly target: { readonly device?: DeviceRef; readonly filters?: DeviceFilter[] };
  readonly rollout?: RolloutOptions;
  /** Parts that are the command's own, in order. */
  readonly own: readonly FilterToken[];
  /** Free words after the names, where the command takes some. */
  readonly rest: readonly string[];
  readonly reason: string | null;
  /** What to ask for beside devices; null: nothing. */
  readonly missing: string | null;
};

type TargetGrammar = {
  /** Keys of `key:value` parts that are the command's own. Those of saved targets never are. */
  readonly ownKeys?: readonly string[];
  /** Every key that selects no devices is the command's own too: a package may be called like one. */
  readonly ownsOthers?: true;
  /** Free words after the first name, or after filters, are the command's own: packages. */
  readonly takesWords?: true;
};

/** Which devices are meant, and what is left for the command; or the first word that does not fit. */
export function parseTargetLine(
  typed: LineWords,
  { ownKeys = [], ownsOthers, takesWords }: TargetGrammar = {},
): TypedInput<TargetLine> {
  const taken = takeRolloutOptions(typed);
  if (taken.kind === 'fault') return taken;
  const { words, rollout } = taken.input;
  const isOwn = ({ key, saved }: FilterToken) =>
    saved !== true &&
    (ownKeys.includes(key) || (ownsOthers === true && !isDeviceKey(key) && key !== SAVED_KEY));
  const own = words.filters.filter(isOwn);
  const slip = misspelledOption(
    words.filters.filter(({ key }) => !isDeviceKey(key) && !ownKeys.includes(key)),
  );
  if (slip !== null) return usageFault(slip);
  const finding = words.filters.filter((part) => !own.includes(part));
  const fault = unexpectedWord(words, { filters: true, or: true, reason: true });
  if (fault !== null && fault.kind !== 'missing') return usageFault(fault);
  const mixed = words.filters.find(
    (part, at) => part.or === true && own.includes(part) !== own.includes(words.filters[at - 1] ?? part),
  );
  if (mixed !== undefined || own.some(({ or }) => or === true))
    return usageFault({ kind: 'bad-value', word: 'or', expected: 'filters of devices on both sides' });
  const read = readFinding(finding, ownKeys);
  if (read.kind === 'fault') return read;
  const filters = read.input;
  const hasFilters = filters.length > 0;
  const { names, rest } = splitWords(words.free, { takesWords: takesWords === true, hasFilters });
  const target = { ...(names === '' ? {} : { device: names }), ...(hasFilters ? { filters } : {}) };
  if (names !== '' && hasFilters) {
    const expected = 'either names of devices or filters, not both';
    return usageFault({ kind: 'bad-value', word: names, expected });
  }
  const missing = fault === null ? null : fault.what;
  const { reason } = words;
  return { kind: 'input', input: { target, own, rest, reason, missing, ...defined({ rollout }) } };
}

/** Every part that is not the command's own selects devices, so one that cannot is named. */
function readFinding(parts: readonly FilterToken[], ownKeys: readonly string[]): TypedInput<DeviceFilter[]> {
  const sort = parts.find(({ key }) => key === 'sort');
  if (sort !== undefined && sort.saved !== true)
    return usageFault({
      kind: 'bad-value',
      word: sort.text,
      expected: 'a filter. A change can’t be sorted',
    });
  const read = parseDeviceFilters(
    parts.filter(({ key }) => key !== 'sort'),
    [...OPTION_KEYS, ...ownKeys],
  );
  return read.kind === 'fault' ? read : { kind: 'input', input: read.input.filters };
}

/** The names are the first word and what commas tie to it. With filters no word is a name. */
function splitWords(
  free: readonly string[],
  { takesWords, hasFilters }: { readonly takesWords: boolean; readonly hasFilters: boolean },
): { readonly names: string; readonly rest: readonly string[] } {
  const count = takesWords ? namesAtStart(free, hasFilters) : free.length;
  return { names: namesText(free.slice(0, count)), rest: free.slice(count) };
}

/** How many of the words are names: with filters only those that a comma makes a list. */
function namesAtStart(free: readonly string[], hasFilters: boolean): number {
  let count = 1;
  while (count < free.length && (endsOpen(free[count - 1]) || startsOpen(free[count]))) count += 1;
  return hasFilters && count === 1 ? 0 : Math.min(count, free.length);
}

const endsOpen = (word = ''): boolean => !isQuoted(word) && word.endsWith(',');
const startsOpen = (word = ''): boolean => !isQuoted(word) && word.startsWith(',');

/** Only in quotes can a word hold a space. */
function isQuoted(word: string): boolean {
  return word.includes(' ');
}

/** A single name stays as it was typed; beside others a name with a space of its own is quoted again. */
function namesText(words: readonly string[]): string {
  const [only = '', ...others] = words;
  if (others.length === 0) return only;
  return words.map((word) => (isQuoted(word) ? quoteName(word) : word)).join(' ');
}

/** For commands without parts of their own. */
export function parseTargets(words: LineWords): TypedInput<TargetInput> {
  const line = parseTargetLine(words);
  return line.kind === 'fault' ? line : toTargetInput(line.input, {});
}

/** The input with the command's own part; or what is still missing, with all that was typed for its form. */
export function toTargetInput<Own extends object>(
  { target, rollout, reason, missing }: TargetLine,
  own: Own,
): TypedInput<TargetInput & Own> {
  const known = { ...target, ...defined({ rollout }), ...own };
  const nowhere = target.device === undefined && target.filters === undefined;
  const what = nowhere ? 'Which device?' : missing;
  if (what === null) return { kind: 'input', input: { ...known, reason } };
  const prefill = { ...known, ...(reason === null || reason === '' ? {} : { reason }) };
  return usageFault({ kind: 'missing', what, prefill });
}

/** Spaces part them, but for those in quotes. A name in quotes keeps its commas. */
export function namesWithWords(typed: string) {
  return partsOf(typed, ',').map((part) => ({
    name: unquoted(part),
    words: partsOf(part, ' ').map(unquoted),
  }));
}

/** What stands between the separators outside of quotes, and is not empty. */
function partsOf(typed: string, separator: ',' | ' '): readonly string[] {
  const parts = [''];
  let quoted = false;
  for (const sign of typed) {
    if (sign === '"') quoted = !quoted;
    if (sign === separator && !quoted) parts.push('');
    else parts.push(`${parts.pop()}${sign}`);
  }
  return parts.filter((part) => unquoted(part) !== '');
}

function unquoted(part: string): string {
  return part.replaceAll('"', '').trim();
}

function quoteName(name: string): string {
  return /[ ,]/.test(name) && !name.includes('"') ? `"${name}"` : name;
}

/** These names as one text, which {@link namesWithWords} reads as them again. */
export function joinNames(names: readonly string[]): string {
  return names.map(quoteName).join(', ');
}
