/** Saved settings of people: the types, and the ports to them. Part of the store's port. */
import { z } from 'zod';
import type { Instant } from '../../lib/clock.ts';
import { type PauseId, type PersonId, pauseId } from '../../lib/ids.ts';
import { instantField, nullableText, personField, type Stored } from '../../lib/record-fields.ts';

/** An alias stands for the start of a command line, a saved target for filters. */
export type StoredLineKind = 'alias' | 'saved';

export const namedLine = z.object({
  /** In lower case. */
  name: z.string(),
  line: z.string(),
  /** Null: shared by everybody. */
  owner: personField.nullable(),
  by: personField,
  at: instantField,
});
export type NamedLine = Stored<typeof namedLine>;

export type NamedLineStore = {
  /** Saves the line, replacing the owner's line with that name. `full`: the owner already has `most` others. */
  readonly put: (kind: StoredLineKind, named: NamedLine, most: number) => Promise<'kept' | 'full'>;
  /** False: it did not exist. */
  readonly remove: (kind: StoredLineKind, owner: PersonId | null, name: string) => Promise<boolean>;
  /** The person's own line, or else the shared one; null when there is neither. */
  readonly find: (kind: StoredLineKind, person: PersonId, name: string) => Promise<NamedLine | null>;
  /** The person's own lines and the shared ones, by name. */
  readonly list: (kind: StoredLineKind, person: PersonId) => Promise<readonly NamedLine[]>;
};

export type PeopleStore = {
  /** IANA name; null: none was chosen. */
  readonly timeZone: (person: PersonId) => Promise<string | null>;
  readonly setTimeZone: (person: PersonId, zone: string | null) => Promise<void>;
};

/** A period in which changes are paused. */
export const pauseRecord = z.object({
  id: z.string().transform(pauseId),
  by: personField,
  reason: nullableText,
  since: instantField,
  endedBy: personField.nullable(),
  /** Null: it is active. */
  endedAt: instantField.nullable(),
});
export type PauseRecord = Stored<typeof pauseRecord>;

export type PauseStore = {
  readonly get: (id: PauseId) => Promise<PauseRecord | null>;
  readonly current: () => Promise<PauseRecord | null>;
  /** The active pause, or the last one that ended after `at`; reads without a lock. */
  readonly currentOrEndedSince: (at: Instant) => Promise<PauseRecord | null>;
  /**
   * The same inside a transaction, and no pause begins or ends before the transaction does: what is written with it
   * is written completely before a pause, or sees it. Call it before writing the audit, as a pause does. With
   * `since`, also returns a pause that ended later: what was requested before a pause must not run after it.
   */
  readonly lockAndRead: (since?: Instant | null) => Promise<PauseRecord | null>;
  /** `already` contains the active pause. */
  readonly begin: (
    pause: Omit<PauseRecord, 'endedBy' | 'endedAt'>,
  ) => Promise<{ readonly kind: 'begun' } | { readonly kind: 'already'; readonly pause: PauseRecord }>;
  readonly setReason: (id: PauseId, reason: string) => Promise<void>;
  /** Ends the active pause, or only the one with `id` or that began by then; null when that is not active. */
  readonly end: (end: {
    readonly by: PersonId;
    readonly at: Instant;
    readonly id?: PauseId | undefined;
    readonly begunBy?: Instant | undefined;
  }) => Promise<PauseRecord | null>;
};
