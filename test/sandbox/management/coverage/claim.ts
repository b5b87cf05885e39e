/** Assertions of proofs. A failed assertion throws {@link Unproven}; nothing else does. */
import { isDeepStrictEqual } from 'node:util';
import { isObject, itemsIn, type Json } from './json-fields.ts';
import type { CoverageReply } from './requester.ts';

export class Unproven extends Error {}

export function assertClaim(holds: boolean, words: string): void {
  if (!holds) throw new Unproven(words);
}

export function assertSame(actual: unknown, expected: unknown, what: string): void {
  const words = `${what} is ${JSON.stringify(actual)?.slice(0, 200)}, not ${JSON.stringify(expected)?.slice(0, 200)}`;
  assertClaim(isDeepStrictEqual(actual, expected), words);
}

/** The objects of a successful answer. */
export function itemsOf({ status, body }: CoverageReply): readonly Json[] {
  assertClaim(status === 200, `the answer is ${status} ${JSON.stringify(body).slice(0, 200)}`);
  return itemsIn(body);
}

/** A 400 whose error is keyed by `field`. */
export function assertRefused({ status, body }: CoverageReply, field: string): void {
  const errors = isObject(body) && isObject(body['errors']) ? body['errors'] : {};
  assertClaim(status === 400, `the answer is ${status}, not 400`);
  assertClaim(Array.isArray(errors[field]), `the errors do not name ${field}: ${JSON.stringify(body)}`);
}
