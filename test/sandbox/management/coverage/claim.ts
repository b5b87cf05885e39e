/** What a proof claims. A claim that does not hold is {@link Unproven}, and nothing else is. */
import { isDeepStrictEqual } from 'node:util';
import type { Reply } from './ask.ts';
import { isObject, type Json, thingsIn } from './fields.ts';

export class Unproven extends Error {}

export function claim(holds: boolean, words: string): void {
  if (!holds) throw new Unproven(words);
}

export function claimSame(actual: unknown, expected: unknown, what: string): void {
  const words = `${what} is ${JSON.stringify(actual)?.slice(0, 200)}, not ${JSON.stringify(expected)?.slice(0, 200)}`;
  claim(isDeepStrictEqual(actual, expected), words);
}

/** The things of a successful answer. */
export function things({ status, body }: Reply): readonly Json[] {
  claim(status === 200, `the answer is ${status} ${JSON.stringify(body).slice(0, 200)}`);
  return thingsIn(body);
}

/** A 400 whose words are keyed by `field`. */
export function claimRefused({ status, body }: Reply, field: string): void {
  const errors = isObject(body) && isObject(body['errors']) ? body['errors'] : {};
  claim(status === 400, `the answer is ${status}, not 400`);
  claim(Array.isArray(errors[field]), `the errors do not name ${field}: ${JSON.stringify(body)}`);
}
