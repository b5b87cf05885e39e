/** Sends one write once, with the reads around it, and says what each outcome means for an edit. */

import { type FleetError, FleetFailure, type UnsentWrite, type WriteOptions } from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import { type CallEndpoint, unsendable } from '../http/errors.ts';
import type { HttpRequest } from '../http/http-client.ts';
import type { ChangeFault } from '../model/change-faults.ts';
import type { EditOutcome, Removed } from '../model/edits.ts';
import { failedWrite } from '../writer.ts';

export type RefusedEdit = Extract<EditOutcome<never>, { kind: 'refused' }>;
/** `refused`, `unsent` and `withheld`: it certainly was not carried out. */
export type SentWrite =
  | { readonly kind: 'answered'; readonly json: unknown }
  | UnsentWrite
  | Extract<EditOutcome<never>, { kind: 'refused' | 'withheld' | 'unknown' }>;

/** Sends the write once; it is never repeated. */
export async function sendWrite(
  calls: Calls,
  request: HttpRequest,
  options?: WriteOptions,
): Promise<SentWrite> {
  const outcome = await calls.write(request, options);
  if (outcome.kind === 'answered') return outcome;
  if (outcome.withheld === true) return { kind: 'withheld' };
  return failedWrite(outcome);
}

export function doneEdit<T>(result: T): EditOutcome<T> {
  return { kind: 'done', result };
}

export const NOTHING_NAMED: ChangeFault = { kind: 'nothing-named', what: 'change' };

/** Refused here: nothing was sent. */
export function refusedUnsentEdit(call: CallEndpoint, fault: ChangeFault): RefusedEdit {
  return { kind: 'refused', error: unsendable(call, fault) };
}

/** A read before the write: where it fails, nothing was sent. What may work later leaves the edit unsent. */
export async function readBeforeWrite<T>(
  read: Promise<T>,
): Promise<{ readonly kind: 'read'; readonly value: T } | RefusedEdit | UnsentWrite> {
  try {
    return { kind: 'read', value: await read };
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    return MAY_WORK_LATER.has(error.error.kind)
      ? { kind: 'unsent', error: error.error, retryAfterMs: retryAfterMs(error.error) }
      : { kind: 'refused', error: error.error };
  }
}

const MAY_WORK_LATER: ReadonlySet<FleetError['kind']> = new Set([
  'unreachable',
  'timeout',
  'throttled',
  'broken',
]);

function retryAfterMs(error: FleetError): number | null {
  return error.kind === 'throttled' ? error.retryAfterMs : null;
}

/** A read after the write: where it fails, nothing more is known. */
export async function readBack<T>(read: Promise<T>): Promise<T | null> {
  const after = await readBeforeWrite(read);
  return after.kind === 'read' ? after.value : null;
}

/** A removal, after reading whether the thing is still there. After a lost answer it counts as done only if it is gone. */
export async function removed(
  sent: SentWrite,
  isGone: () => Promise<boolean>,
): Promise<EditOutcome<Removed>> {
  if (sent.kind !== 'answered' && sent.kind !== 'unknown') return sent;
  const gone = (await readBack(isGone())) === true;
  return sent.kind === 'unknown' && !gone ? sent : doneEdit({ gone });
}
