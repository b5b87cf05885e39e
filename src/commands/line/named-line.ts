/** How `NAME = LINE` is typed, for aliases and saved targets. Pure. */

import { z } from 'zod';
import { fold } from '../../text.ts';
import type { UsageFault } from '../../views/model.ts';
import { fault } from './faults.ts';
import { readLine, type Words } from './grammar.ts';

/** Our own limits: a name is typed often, a line stands in a list of many. */
const LONGEST_NAME = 30;
export const LONGEST_LINE = 300;
const NAME = new RegExp(`^[a-z0-9][a-z0-9_-]{0,${LONGEST_NAME - 1}}$`);
export const NAME_WANTED = `a name of up to ${LONGEST_NAME} letters, digits, “-” and “_”`;

/** A name in the form in which it is kept, or null. */
export function nameOf(typed: string): string | null {
  const name = fold(typed);
  return NAME.test(name) ? name : null;
}

export const namedOrder = z.discriminatedUnion('do', [
  z.object({ do: z.literal('list') }),
  z.object({ do: z.literal('remove'), name: z.string().regex(NAME), shared: z.boolean() }),
  z.object({
    do: z.literal('keep'),
    name: z.string().regex(NAME),
    shared: z.boolean(),
    line: z.string().max(LONGEST_LINE),
  }),
]);
export type NamedOrder = z.infer<typeof namedOrder>;

export type ReadOrder =
  | { readonly kind: 'order'; readonly order: NamedOrder }
  | { readonly kind: 'fault'; readonly fault: UsageFault };

/**
 * What follows the command `command` in the line that was typed: nothing, `[shared] NAME = LINE`, or
 * `remove [shared] NAME`.
 */
export function readOrder(command: string, { line = '' }: Pick<Words, 'line'>): ReadOrder {
  const [, rest = ''] = new RegExp(`^${command}(?: +|$)(.*)$`, 'i').exec(line) ?? [];
  if (rest === '') return { kind: 'order', order: { do: 'list' } };
  const at = rest.indexOf('=');
  if (at !== -1) return keep(rest.slice(0, at).trim(), rest.slice(at + 1).trim());
  const [verb = '', ...words] = rest.trim().split(/ +/);
  if (verb.toLowerCase() === 'remove') return remove(words);
  const { shared, words: named } = sharedOf([verb, ...words]);
  const given = { name: named.join(' '), shared };
  return fault({ kind: 'missing', what: 'Enter what the name stands for, after “=”.', given });
}

function keep(before: string, line: string): ReadOrder {
  const { shared, words } = sharedOf(before.split(/ +/).filter((word) => word !== ''));
  const named = oneName(words, { line, shared });
  if (named.kind === 'fault') return named;
  const given = { name: named.name, shared };
  if (line === '')
    return fault({ kind: 'missing', what: 'Enter what the name stands for, after “=”.', given });
  if (line.length > LONGEST_LINE)
    return fault({ kind: 'too-long', length: line.length, limit: LONGEST_LINE });
  const read = readLine(line);
  if (read.kind === 'fault') return read;
  return { kind: 'order', order: { do: 'keep', name: named.name, shared, line } };
}

function remove(typed: readonly string[]): ReadOrder {
  const { shared, words } = sharedOf(typed);
  const named = oneName(words, { remove: true });
  return named.kind === 'fault'
    ? named
    : { kind: 'order', order: { do: 'remove', name: named.name, shared } };
}

/** `shared` alone is a name like any other. */
function sharedOf(words: readonly string[]): { readonly shared: boolean; readonly words: readonly string[] } {
  const shared = words.length > 1 && words[0]?.toLowerCase() === 'shared';
  return { shared, words: shared ? words.slice(1) : words };
}

/** `given`: what else was typed. */
function oneName([word, extra]: readonly string[], given: object) {
  if (word === undefined) return fault({ kind: 'missing', what: 'Enter a name.', given });
  if (extra !== undefined)
    return fault({ kind: 'bad-value', word: extra, expected: `“=” after ${NAME_WANTED}` });
  const name = nameOf(word);
  return name === null
    ? fault({ kind: 'bad-value', word, expected: NAME_WANTED })
    : ({ kind: 'name', name } as const);
}
