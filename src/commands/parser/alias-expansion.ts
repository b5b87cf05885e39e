/** Replaces an alias at the start of a line with its text, once, before parsing. */

import type { NamedLines } from '../settings/settings-port.ts';
import { normalizedName } from './named-line-parser.ts';
import { MAX_LINE_LENGTH, plainLine } from './tokenizer.ts';

/** The alias, null where people only said what they want, and the whole line that it stands for. */
export type ExpandedAlias = { readonly name: string | null; readonly line: string };

export type AliasReader = {
  /** Commands, which an alias never replaces. */
  readonly isCommand: (word: string) => boolean;
  /** Finds an alias of the person, or a shared one. */
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
