/** What an alias makes of a line: text in place of its first word, once, before anything is parsed. */

import type { NamedLines } from '../settings/settings-port.ts';
import { normalizedName } from './named-line-parser.ts';
import { MAX_LINE_LENGTH, plainLine } from './tokenizer.ts';

/** The alias, and the whole line that it makes. */
export type ExpandedAlias = { readonly name: string; readonly line: string };

export type AliasReader = {
  /** A command is never shadowed. */
  readonly isCommand: (word: string) => boolean;
  /** Among those of the person who typed. */
  readonly find: (name: string) => ReturnType<NamedLines['find']>;
};

/** Null where the line begins with no alias. */
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
