/**
 * An open database. The two engines differ here, in the lock clause of a claim, and in the triggers on the audit
 * table.
 */
import type { Kysely } from 'kysely';
import type { EngineKind, Schema } from '../schema.ts';

export type Engine = {
  readonly kind: EngineKind;
  readonly db: Kysely<Schema>;
  /** One cheap round trip; throws when there is no answer in time. Simultaneous callers share it. */
  readonly ping: () => Promise<void>;
  /** May be called again. */
  readonly close: () => Promise<void>;
};
