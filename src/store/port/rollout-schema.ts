/** The rollout of a request, as it is stored with it. */
import { z } from 'zod';
import type { Rollout } from '../../rollout/progress.ts';
import { instantField, nullableText, personField, wholeNumber } from './fields.ts';

const brakeSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('devices'), devices: wholeNumber.min(1) }),
  z.object({ kind: z.literal('share'), percent: z.number().positive().max(100) }),
]);

const holdSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('paused'),
    by: personField.nullable(),
    at: instantField,
    since: instantField.exactOptional(),
  }),
  z.object({
    kind: z.literal('braked'),
    bad: wholeNumber,
    ended: wholeNumber,
    at: instantField,
    drifted: z.literal(true).exactOptional(),
    unproven: z.literal(true).exactOptional(),
    heldFrom: instantField.exactOptional(),
  }),
  z.object({
    kind: z.literal('unanswered'),
    sends: wholeNumber,
    at: instantField,
    heldFrom: instantField.exactOptional(),
  }),
  z.object({ kind: z.literal('expired'), at: instantField }),
  z.object({ kind: z.literal('away'), from: instantField, at: instantField }),
  z.object({ kind: z.literal('gate'), at: instantField }),
  z.object({
    kind: z.literal('stopped'),
    by: personField.nullable(),
    at: instantField,
    why: z.enum(['closed', 'unresumed', 'rights']).exactOptional(),
  }),
]);

const topCountsSchema = z.object({
  top: z.array(z.object({ name: nullableText, devices: wholeNumber })),
  more: wholeNumber,
});

const summarySchema = z.object({
  frozenAt: instantField,
  offline: wholeNumber,
  loggedIn: wholeNumber,
  deferred: wholeNumber,
  rebootPending: wholeNumber,
  excluded: wholeNumber,
  servers: wholeNumber,
  groups: topCountsSchema,
  systems: topCountsSchema,
  packages: topCountsSchema,
  rebootFor: topCountsSchema,
  severities: topCountsSchema,
  cves: topCountsSchema,
  packagesRead: z
    .object({ looked: wholeNumber, fromList: wholeNumber, oldest: instantField })
    .exactOptional(),
});

/** Stored records may lack `unanswered`, which was added later. */
export const rolloutSchema: z.ZodType<Rollout> = z.object({
  plan: z.object({
    waves: z.array(wholeNumber.min(1)).min(1),
    waitMs: wholeNumber,
    brake: brakeSchema,
    gate: z.enum(['auto', 'manual']),
    offline: z.enum(['queue', 'skip']),
    lastsMs: wholeNumber.min(1),
  }),
  wave: wholeNumber,
  waveFrom: instantField,
  endsAt: instantField,
  hold: holdSchema.nullable(),
  forgiven: wholeNumber,
  unanswered: wholeNumber.default(0),
  resumedBy: personField.nullable(),
  summary: summarySchema,
});
