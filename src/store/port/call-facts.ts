/** What went wrong with a call, as facts. */
import { z } from 'zod';
import { POLICY_SETTING_NAMES } from '../../fleet/model/policy-settings.ts';
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

export const editedField = z.enum([
  'groupId',
  'exception',
  'customName',
  'tags',
  'addresses',
  'name',
  'refreshIntervalMinutes',
  'parentId',
  'color',
  'notes',
  'osAutoUpdate',
  'wsus',
  'policyIds',
  'configuration',
  'severities',
  'groupIds',
  'days',
  'weeksOfMonth',
  'months',
  'time',
  'timezone',
  ...POLICY_SETTING_NAMES,
]);

/** Why a change could not be sent as it was asked. */
export const changeFault = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('nothing-named'), what: z.enum(['change', 'package', 'tag']) }),
  z.object({ kind: z.literal('package-name'), name: z.string() }),
  z.object({ kind: z.literal('tag-both-ways'), tag: z.string() }),
  z.object({ kind: z.literal('no-address'), address: z.string() }),
  z.object({
    kind: z.enum([
      'blank-tag',
      'blank-group-name',
      'group-color',
      'wsus-not-forced',
      'wsus-address',
      'group-below-itself',
      'default-group',
      'no-more-batches',
    ]),
  }),
  z.object({ kind: z.literal('refresh-interval'), least: z.number(), most: z.number() }),
  z.object({ kind: z.literal('policy-field'), field: editedField }),
  z.object({
    kind: z.literal('not-shown'),
    what: z.enum([
      'device-group',
      'device-exception',
      'device-tags',
      'device-name',
      'group-name',
      'group-refresh-interval',
      'group-parent',
      'policy-configuration',
    ]),
  }),
]);
