/** Work that is due at a time, and the port to it. Part of the store's port. */
import { z } from 'zod';
import { type Instant, SECOND } from '../../lib/clock.ts';
import { instantField, organizationField, wholeNumber } from '../../lib/record-fields.ts';

/** The kinds of work that this program knows; during an upgrade another replica may add newer ones. */
export const WORK_KINDS = ['card', 'inbox', 'run', 'follow', 'expire', 'nudge', 'silence'] as const;
export type WorkKind = (typeof WORK_KINDS)[number];

/** Work due at a time. One row per kind and key; scheduling it again moves it. */
export const workRecord = z.object({
  organizationId: organizationField,
  kind: z.enum(WORK_KINDS),
  key: z.string(),
  dueAt: instantField,
  payload: z.unknown(),
  /** How often it was claimed before, including failures. */
  attempts: wholeNumber,
});
export type WorkRecord = Readonly<z.output<typeof workRecord>>;

/** How long a dead holder's work stays leased: after that, another one takes it over. */
export const WORK_LEASE_MS = 30 * SECOND;

/** A claimed row; the token fences off a holder whose lease expired. */
export type ClaimedWork = WorkRecord & { readonly token: string };

export type NewWork = Pick<WorkRecord, 'kind' | 'key' | 'dueAt'> & {
  readonly payload?: unknown;
  /** A row that nobody holds keeps its time. */
  readonly keepsDue?: boolean;
  /** The same where its time is earlier. */
  readonly keepsEarlier?: boolean;
};

export type WorkStore = {
  /** Schedules work; an existing row of the same kind and key moves to the new time and payload. */
  readonly put: (work: NewWork) => Promise<void>;
  /** Adds work unless a row of the same kind and key exists, which stays: `exists`. */
  readonly insert: (work: NewWork) => Promise<'inserted' | 'exists'>;
  /** Moves work that was never claimed to an earlier time; ignores other work. */
  readonly hasten: (kind: WorkKind, key: string, dueAt: Instant) => Promise<void>;
  /** Due at `now` (clock) and not leased, oldest first, in one statement. Leases use the time of `leaseNow`. */
  readonly claim: (options: {
    readonly now: Instant;
    readonly leaseMs: number;
    readonly limit: number;
    /** Only work of these kinds; absent: all kinds. */
    readonly kinds?: readonly WorkKind[] | undefined;
  }) => Promise<readonly ClaimedWork[]>;
  /** Extends a lease. False: it was lost. */
  readonly renew: (work: ClaimedWork, leaseMs: number) => Promise<boolean>;
  /** Whether this claim still holds its row. Inside a transaction, nobody else takes it before the transaction ends. */
  readonly holds: (work: Pick<ClaimedWork, 'kind' | 'key' | 'token'>) => Promise<boolean>;
  /** Deletes the row, or frees it for its new time if scheduled again meanwhile. False: the lease was lost. */
  readonly finish: (work: ClaimedWork) => Promise<boolean>;
  /** Not done: frees the row until `dueAt`. False: the lease was lost. */
  readonly postpone: (work: ClaimedWork, dueAt: Instant) => Promise<boolean>;
  readonly drop: (kind: WorkKind, key: string) => Promise<void>;
  readonly nextDue: (kinds?: readonly WorkKind[]) => Promise<Instant | null>;
};
