/** How `NAME = LINE` is typed, for aliases and saved targets. Pure. */

import { z } from 'zod';
import { fold } from '../../lib/text.ts';
import type { UsageFault } from '../../views/model.ts';
import { type LineWords, tokenizeLine } from './tokenizer.ts';
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

export type ParsedNamedLine =
  | { readonly kind: 'order'; readonly input: NamedLineInput }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/**
 * What follows the command `command` in the line that was typed: nothing, `[shared] NAME = LINE`, or
 * `remove [shared] NAME`.
 */
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
