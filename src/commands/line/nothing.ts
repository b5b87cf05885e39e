/** For commands that take no words. */
import { z } from 'zod';
import type { Typed } from '../define.ts';
import { resultKey } from '../lists/results.ts';
import { extraWord, unknownWord } from './faults.ts';
import type { Words } from './grammar.ts';

export const nothing = z.object({});
export type Nothing = z.infer<typeof nothing>;

/** The same for a list, whose buttons go over what was read. */
export const kept = z.object({ result: resultKey.optional() });
export type Kept = z.infer<typeof kept>;

/** The same for a list of the device index, with its button that reads the fleet anew. */
export const orAnew = kept.extend({ refresh: z.literal(true).optional() });
export type OrAnew = z.infer<typeof orAnew>;

/** The first word is named back. */
export function parseNothing(words: Words): Typed<Nothing> {
  const [word] = words.free;
  const fault = word === undefined ? extraWord(words, {}) : unknownWord(word, []);
  return fault === null ? { kind: 'input', input: {} } : { kind: 'fault', fault };
}
