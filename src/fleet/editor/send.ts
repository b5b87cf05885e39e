/** Sends one write once, with the reads around it, and says what each outcome means for an edit. */
import { isDeepStrictEqual } from 'node:util';
import type { OrganizationId } from '../../lib/ids.ts';
import type { Dialect } from '../dialect.ts';
import {
  type AppliedChange,
  type EditOutcome,
  type FleetError,
  FleetFailure,
  type FleetReader,
  type ReadBackFindings,
  type ReadOptions,
  type Removed,
  type UnacceptedWrite,
  type UnsentWrite,
  type WriteOptions,
} from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import { type CallEndpoint, unsendable } from '../http/errors.ts';
import type { HttpRequest } from '../http/http-client.ts';
import type { ChangeFault } from '../model/changes.ts';
import type { Reads, WithRaw } from '../reads/reads.ts';
import { failedWrite } from '../writer.ts';

type RefusedEdit = Extract<UnacceptedWrite, { kind: 'refused' }>;
/** `refused`, `unsent` and `withheld`: it certainly was not carried out. */
export type SentWrite = { readonly kind: 'answered'; readonly json: unknown } | UnacceptedWrite;

/** Sends the write once; it is never repeated. */
export async function sendWrite(
  calls: Calls,
  request: HttpRequest,
  options?: WriteOptions,
): Promise<SentWrite> {
  const outcome = await calls.write(request, options);
  return outcome.kind === 'answered' ? outcome : failedWrite(outcome);
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

export type PutPlan =
  | { readonly kind: 'put'; readonly query: HttpRequest['query']; readonly body: unknown }
  /** It can't be sent without the risk of losing something. */
  | { readonly kind: 'impossible'; readonly fault: ChangeFault };

type Replacement<T, Field extends string> = {
  /** Path template. */
  readonly path: string;
  readonly id: number;
  readonly read: () => Promise<WithRaw<T>>;
  readonly put: (before: WithRaw<T>) => PutPlan;
  readonly comparisons: (before: WithRaw<T>) => readonly FieldComparison<T, Field>[];
  readonly options?: WriteOptions | undefined;
};

/**
 * Changes a thing whose update replaces it as a whole (§4.4, §4.10): read it, send all of it with the change applied,
 * read it back, compare. Two such changes at once can undo each other, because the service has no versions; whatever
 * else changed in between is reported. Sends at most one write; after a lost answer the change counts as done only if
 * the thing then reads as wanted.
 */
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

export type FieldComparison<T, Field extends string> = {
  readonly field: Field;
  /** Its name in the service's object: a field that is absent there is not shown. */
  readonly key: string;
  /** Undefined: the change does not set it. */
  readonly wanted: unknown;
  readonly read: (thing: WithRaw<T>) => unknown;
  /** Whether the object shows the field, where its key alone does not tell. */
  readonly shown?: (thing: WithRaw<T>) => boolean;
};

/** `before` is null for a new thing: then nothing else can have changed. */
export function compare<T, Field extends string>(
  comparisons: readonly FieldComparison<T, Field>[],
  before: WithRaw<T> | null,
  after: WithRaw<T>,
): ReadBackFindings<Field> {
  const fieldsWhere = (holds: (one: FieldComparison<T, Field>) => boolean) =>
    comparisons.filter(holds).map(({ field }) => field);
  return {
    notApplied: fieldsWhere(
      (one) => isWanted(one) && isShown(one, after) && !isDeepStrictEqual(one.read(after), one.wanted),
    ),
    unconfirmed: fieldsWhere((one) => isWanted(one) && !isShown(one, after)),
    alsoChanged: fieldsWhere(
      (one) =>
        before !== null &&
        !isWanted(one) &&
        isShown(one, before) &&
        isShown(one, after) &&
        !isDeepStrictEqual(one.read(after), one.read(before)),
    ),
  };
}

/** The findings for a change that could not be read back. */
export function unconfirmedFindings<T, Field extends string>(
  comparisons: readonly FieldComparison<T, Field>[],
): ReadBackFindings<Field> {
  const unconfirmed = comparisons.filter(isWanted).map(({ field }) => field);
  return { notApplied: [], unconfirmed, alsoChanged: [] };
}

/** For comparing lists without order and duplicates: the service preserves neither. */
export function asSet<T extends string | number>(list: readonly T[]): readonly T[];
export function asSet<T extends string | number>(list: readonly T[] | undefined): readonly T[] | undefined;
export function asSet<T extends string | number>(list: readonly T[] | undefined): readonly T[] | undefined {
  return list === undefined ? undefined : [...new Set(list)].sort();
}

function isWanted({ wanted }: { readonly wanted: unknown }): boolean {
  return wanted !== undefined;
}

function isShown<T, Field extends string>(one: FieldComparison<T, Field>, thing: WithRaw<T>): boolean {
  return one.key in thing.raw && (one.shown === undefined || one.shown(thing));
}

export type EditContext = {
  readonly calls: Calls;
  readonly reads: Reads;
  readonly reader: FleetReader;
  readonly organizationId: OrganizationId;
  readonly dialect: Dialect;
  /** Waits between two reads of work that the service does after its answer. */
  readonly wait: (ms: number) => Promise<void>;
};

export type Update<Id, Change> = {
  readonly id: Id;
  readonly change: Change;
  readonly options: WriteOptions | undefined;
};

/** Reads of an edit use the person's lane, because a person waits for it. */
export const PERSON_LANE = { lane: 'person' } as const;

/** Nobody waits for those of hundreds of devices: they take the lane of their write. */
export function readLaneOf(options: WriteOptions | undefined): ReadOptions {
  return options?.lane === 'background' ? { lane: 'background' } : PERSON_LANE;
}
