/** What went wrong with a call, as facts. */
import { z } from 'zod';
import { type Stored, wholeNumber } from '../../lib/record-fields.ts';

const heldCause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('breaker'), failures: wholeNumber, retryInMs: z.number() }),
  z.object({ kind: z.enum(['limit', 'pause', 'crowded', 'stopping', 'delayed', 'no-batches']) }),
]);

/** What went wrong with a call; `detail` is cut and holds no secret. */
export const errorFacts = z.object({
  kind: z.enum([
    'unreachable',
    'timeout',
    'unauthorized',
    'forbidden',
    'missing',
    'invalid',
    'throttled',
    'broken',
    'unreadable',
    'too-large',
  ]),
  status: z.number().nullable(),
  detail: z.string(),
  /** A 2xx that carries an error. */
  declined: z.literal(true).optional(),
  /** Why Patchbay itself did not send it; null: it did. */
  held: heldCause.nullable(),
});
export type ErrorFacts = Stored<typeof errorFacts>;
