/** For commands that take no words. */
import { z } from 'zod';
import type { Typed } from '../define.ts';
import { extraWord, unknownWord } from './faults.ts';
import type { Words } from './grammar.ts';

export const nothing = z.object({});
export type Nothing = z.infer<typeof nothing>;

/** The first word is named back. */
export function parseNothing(words: Words): Typed<Nothing> {
  const [word] = words.free;
  const fault = word === undefined ? extraWord(words, {}) : unknownWord(word, []);
  return fault === null ? { kind: 'input', input: {} } : { kind: 'fault', fault };
}
