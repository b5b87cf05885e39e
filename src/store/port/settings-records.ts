/** What people want remembered, as types, and the ports to it. Part of the store's port. */
import type { Instant } from '../../lib/clock.ts';
import type { PauseId, PersonId } from '../../lib/ids.ts';

/** An alias stands for the beginning of a command line, a saved target for filters. */
export type StoredLineKind = 'alias' | 'saved';

export type NamedLine = {
  /** In lower case. */
  readonly name: string;
  readonly line: string;
  /** Null: everybody's. */
  readonly owner: PersonId | null;
  readonly by: PersonId;
  readonly at: Instant;
};

export type NamedLineStore = {
  /** Keeps it in place of the owner's one of that name. `full`: it would be one more than `most` of the owner. */
  readonly put: (kind: StoredLineKind, named: NamedLine, most: number) => Promise<'kept' | 'full'>;
  /** False: there was none. */
  readonly remove: (kind: StoredLineKind, owner: PersonId | null, name: string) => Promise<boolean>;
  /** The person's own one before everybody's; null where there is neither. */
  readonly find: (kind: StoredLineKind, person: PersonId, name: string) => Promise<NamedLine | null>;
  /** The person's own and everybody's, by name. */
  readonly list: (kind: StoredLineKind, person: PersonId) => Promise<readonly NamedLine[]>;
};

export type PeopleStore = {
  /** IANA name; null: none was chosen. */
  readonly timeZone: (person: PersonId) => Promise<string | null>;
  readonly setTimeZone: (person: PersonId, zone: string | null) => Promise<void>;
};

/** A time in which nothing is changed. */
export type PauseRecord = {
  readonly id: PauseId;
  readonly by: PersonId;
  readonly reason: string | null;
  readonly since: Instant;
  readonly endedBy: PersonId | null;
  /** Null: it goes on. */
  readonly endedAt: Instant | null;
};

export type PauseStore = {
  readonly get: (id: PauseId) => Promise<PauseRecord | null>;
  /** The one that goes on, or null. */
  readonly current: () => Promise<PauseRecord | null>;
  /** The one that goes on, or the last that ended after `at`; a plain look that holds nobody up. */
  readonly currentOrEndedSince: (at: Instant) => Promise<PauseRecord | null>;
  /**
   * The same inside a transaction, and until that ends no pause begins or ends: what is written with it is written
   * wholly before a pause, or sees it. Asked before the audit is written, as a pause does. With `since`, also one that
   * ended later: what was asked for before a pause is not meant to run after it.
   */
  readonly lockAndRead: (since?: Instant | null) => Promise<PauseRecord | null>;
  /** `already` carries the one that goes on. */
  readonly begin: (
    pause: Omit<PauseRecord, 'endedBy' | 'endedAt'>,
  ) => Promise<{ readonly kind: 'begun' } | { readonly kind: 'already'; readonly pause: PauseRecord }>;
  /** Replaces the reason of this pause. */
  readonly setReason: (id: PauseId, reason: string) => Promise<void>;
  /** Ends the one that goes on, or only that of `id`; null where it does not go on. */
  readonly end: (end: {
    readonly by: PersonId;
    readonly at: Instant;
    readonly id?: PauseId | undefined;
  }) => Promise<PauseRecord | null>;
};
