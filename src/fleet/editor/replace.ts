/**
 * Changes a thing whose update replaces it as a whole (§4.4, §4.10): read it, send all of it with the change applied,
 * read it back, compare. Two such changes at once can undo each other, because the service has no versions; whatever
 * else changed in between is reported.
 */
import type { WriteOptions } from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import type { HttpRequest } from '../http/http-client.ts';
import type { ChangeFault } from '../model/change-faults.ts';
import type { AppliedChange, EditOutcome } from '../model/edits.ts';
import type { WithRaw } from '../reads/reads.ts';
import { compare, type FieldComparison, unconfirmedFindings } from './compare.ts';
import { doneEdit, readBack, readBeforeWrite, refusedUnsentEdit, sendWrite } from './send.ts';

export type PutPlan =
  | { readonly kind: 'put'; readonly query: HttpRequest['query']; readonly body: unknown }
  /** It can't be sent without the risk of losing something. */
  | { readonly kind: 'impossible'; readonly fault: ChangeFault };

export type Replacement<T, Field extends string> = {
  /** Path template. */
  readonly path: string;
  readonly id: number;
  readonly read: () => Promise<WithRaw<T>>;
  readonly put: (before: WithRaw<T>) => PutPlan;
  readonly comparisons: (before: WithRaw<T>) => readonly FieldComparison<T, Field>[];
  /** Of its one write. */
  readonly options?: WriteOptions | undefined;
};

/** Sends at most one write. After a lost answer the change counts as done only if the thing then reads as wanted. */
export async function replace<T, Field extends string>(
  calls: Calls,
  { path, id, read, put, comparisons, options }: Replacement<T, Field>,
): Promise<EditOutcome<AppliedChange<T, Field>>> {
  const before = await readBeforeWrite(read());
  if (before.kind !== 'read') return before;
  const request = put(before.value);
  if (request.kind === 'impossible') return refusedUnsentEdit({ method: 'PUT', path }, request.fault);
  const { query, body } = request;
  const sent = await sendWrite(calls, { method: 'PUT', path, id, query, body }, options);
  if (sent.kind !== 'answered' && sent.kind !== 'unknown') return sent;
  const after = await readBack(read());
  const wanted = comparisons(before.value);
  const findings = after === null ? unconfirmedFindings(wanted) : compare(wanted, before.value, after);
  const proven = findings.notApplied.length === 0 && findings.unconfirmed.length === 0;
  if (sent.kind === 'unknown' && !proven) return sent;
  return doneEdit({ after: after === null ? null : after.read, ...findings });
}
