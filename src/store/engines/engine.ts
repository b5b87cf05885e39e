/** A database that is open. The two engines differ here, in the claim's lock clause and in the audit's triggers. */
import type { Kysely } from 'kysely';
import type { EngineKind, Schema } from '../schema.ts';

export type Engine = {
  readonly kind: EngineKind;
  readonly db: Kysely<Schema>;
  /** One cheap round trip; throws where there is no answer in time. Those who ask at once share it. */
  readonly ping: () => Promise<void>;
  /** Idempotent. */
  readonly close: () => Promise<void>;
};
