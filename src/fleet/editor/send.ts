/** One write, sent once, and the reads around it: what each of their ends means for an edit. */
import type { Calls } from '../calls.ts';
import type { EditOutcome } from '../edits.ts';
import { type Call, fleetError } from '../errors.ts';
import { FleetFailure } from '../fleet.ts';
import type { HttpRequest } from '../http.ts';
import { mayHaveHappened } from '../writer.ts';

export type Refused = Extract<EditOutcome<never>, { kind: 'refused' }>;
export type Unknown = Extract<EditOutcome<never>, { kind: 'unknown' }>;
export type Withheld = Extract<EditOutcome<never>, { kind: 'withheld' }>;
/** `refused` and `withheld`: it certainly was not carried out. */
export type Sent = { readonly kind: 'answered'; readonly json: unknown } | Refused | Withheld | Unknown;

/** Sends once. */
export async function send(calls: Calls, request: HttpRequest): Promise<Sent> {
  const outcome = await calls.write(request);
  if (outcome.kind === 'answered') return outcome;
  if (outcome.withheld === true) return { kind: 'withheld' };
  return { kind: mayHaveHappened(outcome) ? 'unknown' : 'refused', error: outcome.error };
}

export function done<T>(result: T): EditOutcome<T> {
  return { kind: 'done', result };
}

/** Refused here, before anything was sent. */
export function refusedHere(call: Call, detail: string): Refused {
  return { kind: 'refused', error: fleetError(call, null, { kind: 'invalid' }, detail) };
}

/** A read before the write: where it fails, nothing was sent, so the edit is refused. */
export async function readFirst<T>(
  read: Promise<T>,
): Promise<{ readonly kind: 'read'; readonly value: T } | Refused> {
  try {
    return { kind: 'read', value: await read };
  } catch (error) {
    if (error instanceof FleetFailure) return { kind: 'refused', error: error.error };
    throw error;
  }
}

/** A read after the write: where it fails, nothing more is known. */
export async function readBack<T>(read: Promise<T>): Promise<T | null> {
  const after = await readFirst(read);
  return after.kind === 'read' ? after.value : null;
}

/** Whether the thing that `read` reads is gone. */
export async function isGone(read: Promise<unknown>): Promise<boolean> {
  const after = await readFirst(read);
  return after.kind === 'refused' && after.error.kind === 'missing';
}
