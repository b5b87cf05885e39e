/**
 * Changing a thing whose update replaces it whole (§4.4, §4.10): read it, send it all again with the change in it,
 * read it back, compare. Two such changes at once can undo each other, since the service has no versions; what else
 * changed in between is told.
 */
import type { Calls } from '../calls.ts';
import type { Checked, EditOutcome } from '../edits.ts';
import type { HttpRequest } from '../http.ts';
import type { Whole } from '../reads/reads.ts';
import { type Comparison, compare, unread } from './compare.ts';
import { done, readBack, readFirst, refusedHere, send } from './send.ts';

export type Put =
  | { readonly kind: 'put'; readonly query: HttpRequest['query']; readonly body: unknown }
  /** It already is as wanted. */
  | { readonly kind: 'needless' }
  /** It cannot be sent without risk. */
  | { readonly kind: 'impossible'; readonly detail: string };

export type Replacement<T, Field extends string> = {
  /** Path template. */
  readonly path: string;
  readonly id: number;
  readonly read: () => Promise<Whole<T>>;
  readonly put: (before: Whole<T>) => Put;
  readonly comparisons: (before: Whole<T>) => readonly Comparison<T, Field>[];
};

const NOTHING = { notTaken: [], sentUnconfirmed: [], alsoChanged: [] } as const;

/** Sends at most one write. A lost answer is made up for only where the thing then reads as it was wanted. */
export async function replace<T, Field extends string>(
  calls: Calls,
  { path, id, read, put, comparisons }: Replacement<T, Field>,
): Promise<EditOutcome<Checked<T, Field>>> {
  const before = await readFirst(read());
  if (before.kind === 'refused') return before;
  const request = put(before.value);
  if (request.kind === 'impossible') return refusedHere({ method: 'PUT', path }, request.detail);
  if (request.kind === 'needless') return done({ after: before.value.read, ...NOTHING });
  const { query, body } = request;
  const sent = await send(calls, { method: 'PUT', path, id, query, body });
  if (sent.kind === 'refused' || sent.kind === 'withheld') return sent;
  const after = await readBack(read());
  const wanted = comparisons(before.value);
  const findings = after === null ? unread(wanted) : compare(wanted, before.value, after);
  const proven = findings.notTaken.length === 0 && findings.sentUnconfirmed.length === 0;
  if (sent.kind === 'unknown' && !proven) return sent;
  return done({ after: after === null ? null : after.read, ...findings });
}
