/** Why a target is in its state, as facts: each becomes one sentence where somebody reads it. */
import { z } from 'zod';
import { changeFault, editedField } from '../../fleet/model/changes.ts';
import type { Instant } from '../../lib/clock.ts';
import {
  instantField as at,
  wholeNumber as count,
  groupField,
  nullableNumber,
  policyField,
  queueEntryField,
  type Stored,
  nullableText as words,
} from '../../lib/record-fields.ts';

const heldCause = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('breaker'), failures: count, retryInMs: z.number() }),
  z.object({ kind: z.enum(['limit', 'pause', 'crowded', 'stopping', 'delayed', 'no-batches']) }),
]);

export const errorKind = z.enum([
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
]);

/** What went wrong with a call; `detail` is cut and holds no secret. */
const errorFacts = z.object({
  kind: errorKind,
  status: z.number().nullable(),
  detail: z.string(),
  /** A 2xx that carries an error. */
  declined: z.literal(true).optional(),
  /** Why Patchbay itself did not send it; null: it did. */
  held: heldCause.nullable(),
});
export type ErrorFacts = Stored<typeof errorFacts>;

const names = z.array(z.string());
const exitCode = nullableNumber;

const policy = z.object({ id: policyField, name: words });
const recordKind = z.enum(['device', 'group', 'policy']);
/** Absent device: it is online, or that is not known. `since`: null where that is not known. */
const offline = z.object({ since: at.nullable() }).nullable();

const rights = [
  /** Somebody has no longer the role that requesting or approving it takes. */
  z.object({ kind: z.literal('rights-lost'), who: z.enum(['requester', 'approver']) }),
  /** Slack did not say whether its people still have their roles. */
  z.object({ kind: z.literal('rights-unread') }),
] as const;

/** Why nothing was sent. */
const notSent = [
  z.object({ kind: z.literal('paused'), since: at, endedAt: at.nullable(), reason: words }),
  z.object({ kind: z.literal('pause-unread') }),
  z.object({
    kind: z.literal('too-late'),
    since: at,
    how: z.enum(['requested', 'approved']),
    maxAgeMs: count,
  }),
  /** The service could not be read, or not be reached, until it was too late. */
  z.object({ kind: z.literal('unread'), error: errorFacts }),
  /** The same so far: it is read again soon. */
  z.object({ kind: z.literal('not-read-yet'), error: errorFacts }),
  z.object({ kind: z.literal('unsent'), error: errorFacts }),
  z.object({ kind: z.literal('delayed') }),
  z.object({ kind: z.literal('gone'), thing: recordKind }),
  /** Of what it would install nothing is missing any more. */
  z.object({ kind: z.literal('not-needed') }),
  z.object({ kind: z.literal('already-queued'), entry: queueEntryField }),
  z.object({ kind: z.literal('under-way'), since: at }),
  z.object({ kind: z.literal('twin'), name: z.string(), group: groupField }),
  z.object({ kind: z.literal('name-taken'), name: z.string(), policy: policyField }),
  z.object({ kind: z.literal('request-waiting') }),
  /** Left out of a rollout, as its plan says. `since`: null where that is not known. */
  z.object({ kind: z.literal('offline'), since: at.nullable() }),
  /** Somebody stopped the rollout. */
  z.object({ kind: z.literal('stopped'), at }),
  ...rights,
] as const;

/** What became of the one call. */
const sent = [
  z.object({ kind: z.literal('refused'), error: errorFacts }),
  /** By Patchbay itself, before anything was sent. */
  z.object({ kind: z.literal('unsendable'), fault: changeFault }),
  z.object({ kind: z.literal('answer-lost'), error: errorFacts }),
  z.object({ kind: z.literal('interrupted') }),
  z.object({ kind: z.literal('accepted'), inQueue: z.enum(['not-yet', 'not-seen', 'unasked']) }),
] as const;

/** What the queue of the device shows. */
const queue = [
  z.object({ kind: z.literal('queued'), entry: count, answerLost: z.boolean(), offline }),
  z.object({ kind: z.literal('ambiguous'), entries: count, answerLost: z.boolean() }),
  z.object({ kind: z.literal('answered'), exitCode }),
  z.object({ kind: z.literal('left-queue') }),
  z.object({ kind: z.literal('still-queued'), offline, at }),
] as const;

/** What the device shows. */
const effect = [
  z.object({ kind: z.literal('refreshed'), at }),
  z.object({ kind: z.literal('not-refreshed'), last: at.nullable() }),
  z.object({ kind: z.literal('restarted'), left: at, flagCleared: z.boolean() }),
  z.object({ kind: z.literal('uptime-dropped'), flagCleared: z.boolean() }),
  z.object({ kind: z.literal('not-back'), left: at }),
  z.object({ kind: z.literal('not-restarted'), uptimeDropped: z.boolean() }),
  z.object({ kind: z.literal('installed'), packages: names }),
  z.object({ kind: z.literal('reported-installed'), packages: names }),
  z.object({
    kind: z.literal('install-failed'),
    packages: names,
    words,
    installed: count,
    total: count,
  }),
  z.object({
    kind: z.literal('not-installed'),
    packages: names,
    nameless: z.object({ words }).nullable(),
  }),
  z.object({ kind: z.literal('packages-unread') }),
  z.object({ kind: z.literal('policy-tested'), policy, exitCode }),
  z.object({ kind: z.literal('policy-result'), policy, at, status: nullableNumber }),
  z.object({ kind: z.literal('no-policy-result'), policy }),
  z.object({ kind: z.literal('policy-ran'), policy, exitCode }),
  z.object({ kind: z.literal('policy-failed'), policy, exitCode }),
  z.object({ kind: z.literal('policy-met'), policy }),
  z.object({ kind: z.literal('policy-unproven'), policy, run: z.object({ exitCode }).nullable() }),
] as const;

const fields = z.array(editedField);

/** What the record shows after an edit or a removal. */
const edited = [
  z.object({ kind: z.literal('shown-after-loss') }),
  z.object({ kind: z.literal('group-made'), group: groupField }),
  /** `name`: the new custom name where nothing else was changed; null: none. */
  z.object({ kind: z.literal('confirmed'), fields, name: words.optional() }),
  z.object({ kind: z.literal('other-values'), fields }),
  z.object({ kind: z.literal('not-shown'), fields }),
  z.object({ kind: z.literal('also-changed'), fields }),
  z.object({ kind: z.literal('policy-made'), policy: policyField }),
  z.object({ kind: z.literal('no-such-group') }),
  z.object({ kind: z.literal('no-such-policy') }),
  z.object({ kind: z.literal('several-policies'), policies: count }),
  z.object({ kind: z.literal('several-groups'), groups: count }),
  z.object({ kind: z.literal('edit-unconfirmed'), answerLost: z.boolean() }),
  z.object({ kind: z.literal('removed'), thing: recordKind }),
  z.object({ kind: z.literal('still-there'), thing: recordKind }),
] as const;

/** What all of it comes to. */
const verdict = [
  z.object({ kind: z.literal('looking') }),
  z.object({ kind: z.literal('unconfirmed') }),
  z.object({ kind: z.literal('cause-unknown') }),
  z.object({ kind: z.literal('stays-unknown') }),
  z.object({ kind: z.literal('unverifiable'), thing: recordKind }),
  /** The time to check is over, but the service could not be read then; it is read again. */
  z.object({ kind: z.literal('check-late'), error: errorFacts }),
  z.object({ kind: z.literal('unread-to-the-end'), error: errorFacts }),
] as const;

const value = z.union([z.string(), z.number(), z.boolean()]).nullable();

/** What changed since the card was drawn; `name` is what it is about: the target, or its policy. */
export const driftSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('gone'), name: z.string() }),
  /** Its serial number, UUID or time of creation, which stand on no record. */
  z.object({ kind: z.literal('other-machine'), name: z.string() }),
  /** What a rule asks by now, beyond what was agreed; null: what no rule covers. */
  z.object({ kind: z.literal('rule'), name: z.string(), rule: words, does: z.enum(['refuses', 'asks']) }),
  /** A policy that would run, and of which the service does not show what it runs. */
  z.object({ kind: z.literal('policy-hidden'), policy: words }),
  /**
   * A field by its path in the facts; `item`: of this thing in a list. Values are null where they stand on no record, and
   * empty where nothing is stated.
   */
  z.object({
    kind: z.literal('changed'),
    name: z.string(),
    field: z.string(),
    item: words,
    was: value,
    now: value,
  }),
  /** A list by its path in the facts. */
  z.object({ kind: z.literal('listed'), name: z.string(), field: z.string(), added: names, removed: names }),
]);
export type Drift = Stored<typeof driftSchema>;

const drifted = z.object({
  kind: z.literal('drifted'),
  subject: z.enum(['device', 'devices', 'device-or-policy', 'group-or-policy', 'group', 'policy']),
  changes: z.array(driftSchema),
  /** Of a request for many devices: how many changes are not listed. */
  more: count,
});

export const evidenceSchema = z.discriminatedUnion('kind', [
  ...notSent,
  ...sent,
  ...queue,
  ...effect,
  ...edited,
  ...verdict,
  drifted,
]);
export type Evidence = Stored<typeof evidenceSchema>;

/** What a reader is told first comes first. */
export type EvidenceList = readonly Evidence[];

/** Why a request was returned for approval, or withdrawn by Patchbay, or what it waits for. */
export const noteSchema = z.discriminatedUnion('kind', [
  drifted,
  notSent[0],
  ...rights,
  z.object({ kind: z.literal('unposted'), why: z.string() }),
]);
export type RequestNote = Stored<typeof noteSchema>;

/** Whether the evidence says that it failed, which is more than that nothing proves it. */
export function saysFailed(evidence: EvidenceList): boolean {
  return evidence.some(({ kind }) => kind === 'install-failed' || kind === 'policy-failed');
}

/** Whether the evidence says that the device or group it is about no longer exists. */
export function saysGone(evidence: EvidenceList): boolean {
  return evidence.some(({ kind }) => kind === 'gone' || kind === 'removed' || kind === 'unverifiable');
}

export type OfflineFacts = { readonly since: Instant | null } | null;
