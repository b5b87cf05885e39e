/**
 * Telling people how a request ended, or that it waits for somebody: an edited card makes no sound, and its channel need
 * not be theirs. One direct message for each, asked for in the transaction that ends or holds it. Of a rollout, one line in
 * the card's thread for each wave that ended and each incident, too.
 */
import { DAY, type Instant, later, SECOND } from '../lib/clock.ts';
import {
  type CardKey,
  type ChannelId,
  cardKey,
  channelId,
  type PersonId,
  requestCardKey,
} from '../lib/ids.ts';
import { incidentsBetween, type RolloutIncident, writeLineId } from '../rollout/incidents.ts';
import { heldFrom, isHeld, isHeldUnasked, type RolloutHold } from '../rollout/progress.ts';
import { countIn } from '../rollout/results.ts';
import { type RequestRecord, totalOf, UNSENT_STATES } from '../store/port/request-records.ts';
import type { StoreTables } from '../store/port/store.ts';
import { EXPIRED_TOGETHER_MS, MAX_EXPIRED_TOGETHER } from './decide/rules.ts';

type Cards = Pick<StoreTables, 'cards'>;

/** That it ended; the one who withdrew it knows. */
export async function notifyRequester(tables: Cards, request: RequestRecord, now: Instant): Promise<void> {
  await enqueueMessage(tables, cardKey('told', requestCardKey(request)), request.requesterId, now);
}

/** By then the others of one go have expired, too. */
const GATHERED_MS = 2 * SECOND;

/**
 * A request that nobody decided in time joins the message about the first of its requester that expired just before.
 * `lockRequester` makes one first of two at once.
 */
export async function notifyOfExpiry(
  tables: Cards & Pick<StoreTables, 'requests'>,
  request: RequestRecord,
  now: Instant,
): Promise<void> {
  const [{ requesterId }, dueAt] = [request, later(now, GATHERED_MS)];
  const decidedFrom = later(now, 1 - EXPIRED_TOGETHER_MS);
  const lately = { states: ['expired'], requesterId, decidedFrom, oldestFirst: true } as const;
  for (const first of await tables.requests.list(lately, MAX_EXPIRED_TOGETHER)) {
    const key = cardKey('told', requestCardKey(first));
    if ((await tables.cards.get(key)) !== null) return tables.cards.enqueueUpdate(key, dueAt);
  }
  await notifyRequester(tables, request, dueAt);
}

/** Requester and approver believe that it runs. They are told each time: the key holds the time of the approval. */
export async function notifyOfReturn(tables: Cards, request: RequestRecord, now: Instant): Promise<void> {
  for (const person of new Set([request.requesterId, ...approversOf(request)]))
    await enqueueMessage(tables, returnKey(request, request.approvedAt, person), person, now);
}

/** They read that it needs approval again until somebody decided, or nobody did. */
export async function updateReturnMessages(tables: Cards, request: RequestRecord, now: Instant) {
  for (const person of [request.requesterId, ...approversOf(request)])
    await tables.cards.enqueueUpdate(returnKey(request, request.approvedAt, person), now);
}

const returnKey = ({ id }: RequestRecord, approvedAt: Instant | null, person: PersonId): CardKey =>
  cardKey('returned', `${id}.${approvedAt ?? ''}`, channelId(person));

/**
 * A request once all of it has ended, however long that takes. What needed no approval and was verified is told by its
 * card alone: that stands where it was asked for.
 */
export async function notifyEnd(tables: Cards, request: RequestRecord, now: Instant): Promise<void> {
  const { counts, endedAt, expiresAt } = request;
  if (endedAt === null) return;
  const isPlain = countIn(counts, ['verified']) === totalOf(counts);
  if (expiresAt === null && isPlain) return;
  await notifyRequester(tables, request, now);
  await updateReturnMessages(tables, request, now);
  const { decidedBy, decidedAt } = request;
  if (decidedBy !== null && countIn(counts, UNSENT_STATES) === totalOf(counts))
    await enqueueMessage(tables, returnKey(request, decidedAt, decidedBy), decidedBy, now);
}

/** A rollout that ended because nobody let it go on: those who wanted it believe that it waits for somebody. */
export async function notifyOfEndUnresumed(tables: Cards, request: RequestRecord, now: Instant) {
  await notifyRequester(tables, request, now);
  for (const person of approversOf(request))
    await enqueueMessage(tables, returnKey(request, now, person), person, now);
}

export type HoldChange = {
  /** As it was approved, or before it was held. */
  readonly before: RequestRecord;
  readonly after: RequestRecord;
  readonly now: Instant;
  /** The channel of the approvers; absent: a press, of which nobody has to hear. */
  readonly approvals?: ChannelId | undefined;
};

/**
 * A rollout that stands still though nobody pressed: its requester and its approvers, or all approvers where nobody
 * approved it, are told at once, and once until it goes on. The message changes when something else holds it, or nothing does.
 */
async function notifyOfHold(tables: Cards, change: HoldChange): Promise<void> {
  const { before, after, now } = change;
  const [was, is] = [before.rollout?.hold ?? null, after.rollout?.hold ?? null];
  if (was === is) return;
  for (const [key] of [...holdMessages(after, was), ...holdMessages(after, was, '.again')])
    await tables.cards.enqueueUpdate(key, now);
  if (isHeldUnasked(is)) await enqueueAll(tables, holdMessages(after, is), change);
}

/** They are told once more of a rollout that still stands still a day later. */
export async function remindOfHold(tables: Cards, request: RequestRecord, of: HoldNotice): Promise<void> {
  const hold = request.rollout?.hold ?? null;
  if (hold === null || !isHeld(request) || !isHeldUnasked(hold) || of.now < later(heldFrom(hold), DAY))
    return;
  const messages = holdMessages(request, hold, '.again');
  const sent = await Promise.all(messages.map(([key]) => tables.cards.get(key)));
  if (sent.every((card) => card === null)) await enqueueAll(tables, messages, of);
}

export type HoldNotice = Pick<HoldChange, 'now' | 'approvals'>;
/** Null: in the channel of the approvers. */
type HoldMessage = readonly [key: CardKey, to: PersonId | null];

function holdMessages(request: RequestRecord, hold: RolloutHold | null, time = ''): readonly HoldMessage[] {
  if (hold === null) return [];
  const approvers = approversOf(request);
  const people = [...new Set([request.requesterId, ...approvers])];
  return [...people, ...(approvers.size === 0 ? [null] : [])].map((to) => {
    const id = `${request.id}.held.${heldFrom(hold)}${time}`;
    return [cardKey('returned', id, to === null ? null : channelId(to)), to];
  });
}

async function enqueueAll(tables: Cards, messages: readonly HoldMessage[], { approvals, now }: HoldNotice) {
  for (const [key, to] of messages)
    if (to !== null) await enqueueMessage(tables, key, to, now);
    else if (approvals !== undefined)
      await tables.cards.enqueue({ key, channel: approvals, fallbackPerson: null, dueAt: now });
}

function approversOf({ decidedBy, approvedBy }: RequestRecord): ReadonlySet<PersonId> {
  return new Set([decidedBy, approvedBy].filter((person) => person !== null));
}

async function enqueueMessage(tables: Cards, key: CardKey, person: PersonId, now: Instant): Promise<void> {
  // A person's id in place of a channel's is their direct message (docs.slack.dev/reference/methods/chat.postMessage).
  await tables.cards.enqueue({ key, channel: channelId(person), fallbackPerson: person, dueAt: now });
}

/** Slack takes about one message a second in a channel. */
const LINES_APART_MS = 2 * SECOND;

type RolloutChange = HoldChange & {
  /** Who pressed; absent: nobody. */
  readonly by?: PersonId;
  /** The next wave begins while devices of the one before are offline. */
  readonly isWithout?: boolean;
};

export async function announceChange(
  { cards }: Pick<StoreTables, 'cards'>,
  { before, after, now, approvals, ...how }: RolloutChange,
): Promise<void> {
  if (before.rollout === null || after.rollout === null || before.rollout === after.rollout) return;
  const incidents = incidentsBetween(before.rollout, after.rollout, how);
  // Cards that are due together are posted at once, so each waits for the one before it.
  for (const [place, incident] of incidents.entries())
    await enqueueLine({ cards }, { request: after, incident, now: later(now, place * LINES_APART_MS) });
  await notifyOfHold({ cards }, { before, after, now, approvals });
}

export async function enqueueLine(
  { cards }: Pick<StoreTables, 'cards'>,
  {
    request,
    incident,
    now,
  }: { readonly request: RequestRecord; readonly incident: RolloutIncident; readonly now: Instant },
): Promise<void> {
  const card = await cards.get(requestCardKey(request));
  if (card === null) return;
  const { channel, fallbackPerson } = card;
  const key = cardKey('line', writeLineId({ request: request.id, at: now, incident }));
  await cards.enqueue({ key, channel, fallbackPerson, dueAt: now });
}
