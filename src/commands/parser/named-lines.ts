/** How `NAME = LINE` is typed, and what a name stands for: `in:NAME` for filters, an alias for the first words of a line. */
import { z } from 'zod';
import { nearestNamesOrAll } from '../../inventory/nearest-names.ts';
import type { PersonId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { UsageFault } from '../../views/views.ts';
import type { NamedLines } from '../core/settings-port.ts';
import {
  type FilterToken,
  type LineWords,
  MAX_LINE_LENGTH,
  plainLine,
  type TokenizedLine,
  tokenizeLine,
} from './tokenizer.ts';
import { usageFault } from './usage-errors.ts';

/** Our own limits: a name is typed often, a line stands in a list of many. */
const MAX_NAME_LENGTH = 30;
export const MAX_NAMED_LINE_LENGTH = 300;
const NAME_PATTERN = new RegExp(`^[a-z0-9][a-z0-9_-]{0,${MAX_NAME_LENGTH - 1}}$`);
export const NAME_EXPECTED = `a name of up to ${MAX_NAME_LENGTH} letters, digits, hyphens and underscores`;

/** A name in its stored form, or null if invalid. */
export function normalizedName(typed: string): string | null {
  const name = fold(typed);
  return NAME_PATTERN.test(name) ? name : null;
}

export const namedLineInput = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list') }),
  z.object({ do: z.literal('remove'), name: z.string().regex(NAME_PATTERN), shared: z.boolean() }),
  z.object({
    do: z.literal('keep'),
    name: z.string().regex(NAME_PATTERN),
    shared: z.boolean(),
    line: z.string().max(MAX_NAMED_LINE_LENGTH),
  }),
]);
export type NamedLineInput = z.infer<typeof namedLineInput>;

type ParsedNamedLine =
  | { readonly kind: 'order'; readonly input: NamedLineInput }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/** After `command` stands nothing, `[shared] NAME = LINE`, or `remove [shared] NAME`. */
export function parseNamedLine(command: string, { line = '' }: Pick<LineWords, 'line'>): ParsedNamedLine {
  const [, rest = ''] = new RegExp(`^${command}(?: +|$)(.*)$`, 'i').exec(line) ?? [];
  if (rest === '') return { kind: 'order', input: { do: 'list' } };
  const at = rest.indexOf('=');
  if (at !== -1) return parseSave(rest.slice(0, at).trim(), rest.slice(at + 1).trim());
  const [verb = '', ...words] = rest.trim().split(/ +/);
  if (verb.toLowerCase() === 'remove') return parseRemove(words);
  const { shared, words: named } = takeSharedFlag([verb, ...words]);
  return withoutLine({ name: named.join(' '), shared });
}

function parseSave(before: string, line: string): ParsedNamedLine {
  const { shared, words } = takeSharedFlag(before.split(/ +/).filter((word) => word !== ''));
  const named = singleName(words, { line, shared });
  if (named.kind === 'fault') return named;
  if (line === '') return withoutLine({ name: named.name, shared });
  if (line.length > MAX_NAMED_LINE_LENGTH)
    return usageFault({ kind: 'too-long', length: line.length, limit: MAX_NAMED_LINE_LENGTH });
  const read = tokenizeLine(line);
  if (read.kind === 'fault') return read;
  return { kind: 'order', input: { do: 'keep', name: named.name, shared, line } };
}

function withoutLine(prefill: object) {
  return usageFault({ kind: 'missing', what: 'Enter what the name stands for, after “=”.', prefill });
}

function parseRemove(typed: readonly string[]): ParsedNamedLine {
  const { shared, words } = takeSharedFlag(typed);
  const named = singleName(words, { remove: true });
  return named.kind === 'fault'
    ? named
    : { kind: 'order', input: { do: 'remove', name: named.name, shared } };
}

/** `shared` alone is an ordinary name. */
function takeSharedFlag(words: readonly string[]): {
  readonly shared: boolean;
  readonly words: readonly string[];
} {
  const shared = words.length > 1 && words[0]?.toLowerCase() === 'shared';
  return { shared, words: shared ? words.slice(1) : words };
}

/** `given`: what else was typed. */
function singleName([word, extra]: readonly string[], partialInput: object) {
  if (word === undefined)
    return usageFault({ kind: 'missing', what: 'Enter a name.', prefill: partialInput });
  if (extra !== undefined)
    return usageFault({ kind: 'bad-value', word: extra, expected: `“=” after ${NAME_EXPECTED}` });
  const name = normalizedName(word);
  return name === null
    ? usageFault({ kind: 'bad-value', word, expected: NAME_EXPECTED })
    : ({ kind: 'name', name } as const);
}

export const SAVED_KEY = 'in';

type SavedTargets = { readonly saved: Pick<NamedLines, 'find' | 'list'>; readonly person: PersonId };

/**
 * The words with each `in:NAME` replaced, once: saved filters contain no `in:`. `filters`: words of a search are refused,
 * because a change is for the devices that are named or filtered, never for what a search finds.
 */
export async function expandSaved(
  words: LineWords,
  targets: SavedTargets,
  takes: 'words' | 'filters' = 'words',
): Promise<TokenizedLine> {
  if (!usesSavedTarget(words)) return { kind: 'words', words };
  const free = [...words.free];
  const filters: FilterToken[] = [];
  for (const [at, filter] of words.filters.entries()) {
    if (!isSaved(filter)) {
      filters.push(filter);
      continue;
    }
    if (filter.value.trim() === '') return savedTargetFault(filter, 'a name right after the colon');
    const isAlternative = filter.or === true || words.filters[at + 1]?.or === true;
    if (filter.negated || isAlternative)
      return savedTargetFault(filter, 'a saved target without “-” and “or”');
    const inside = await savedWords(filter, targets);
    if (inside.kind === 'fault') return inside;
    if (takes === 'filters' && inside.words.free.length > 0)
      return savedTargetFault(filter, 'a saved target that has only filters, without words to search for');
    free.push(...inside.words.free);
    filters.push(...inside.words.filters.map((one) => ({ ...one, saved: true as const })));
  }
  return { kind: 'words', words: { ...words, free, filters } };
}

const isSaved = ({ key }: FilterToken): boolean => key === SAVED_KEY;

export function usesSavedTarget({ filters }: LineWords): boolean {
  return filters.some(isSaved);
}

async function savedWords(filter: FilterToken, { saved, person }: SavedTargets): Promise<TokenizedLine> {
  const name = normalizedName(filter.value);
  const named = name === null ? null : await saved.find(person, name);
  if (named !== null) return tokenizeLine(named.line);
  const names = (await saved.list(person)).map((known) => known.name);
  const nearest = nearestNamesOrAll(filter.value, names).map((known) => `${SAVED_KEY}:${known}`);
  return { kind: 'fault', fault: { kind: 'unknown-word', word: filter.text, nearest, of: 'saved target' } };
}

function savedTargetFault({ text: word }: FilterToken, expected: string): TokenizedLine {
  return { kind: 'fault', fault: { kind: 'bad-value', word, expected } };
}

/** The alias, null where people only said what they want, and the whole line that it stands for. */
export type ExpandedAlias = {
  readonly name: string | null;
  readonly line: string;
};

type AliasReader = {
  /** Commands, which an alias never replaces. */
  readonly isCommand: (word: string) => boolean;
  readonly find: (name: string) => ReturnType<NamedLines['find']>;
};

/** Null where the line does not begin with an alias. */
export async function expandAlias(
  text: string,
  { isCommand, find }: AliasReader,
): Promise<ExpandedAlias | null> {
  if (text.length > MAX_LINE_LENGTH) return null;
  const [, first = '', rest = ''] = /^([^ ]+)(.*)$/.exec(plainLine(text)) ?? [];
  const name = isCommand(first) ? null : normalizedName(first);
  const named = name === null ? null : await find(name);
  return named && { name: named.name, line: `${named.line}${rest}` };
}
