/**
 * Telling people how a request ended: an edited card makes no sound, and its channel need not be theirs. One direct
 * message for each, asked for in the transaction that ends it.
 */
import type { Instant } from '../lib/clock.ts';
import { cardKey, channelId, type PersonId, requestCardKey } from '../lib/ids.ts';
import { countIn } from '../rollout/results.ts';
import type { CardKey } from '../store/port/records.ts';
import { type RequestRecord, totalOf } from '../store/port/request-records.ts';
import type { StoreTables } from '../store/port/store.ts';

type Cards = Pick<StoreTables, 'cards'>;

/** A request that ended without anything being sent; the one who withdrew it knows. */
export async function notifyRequester(tables: Cards, request: RequestRecord, now: Instant): Promise<void> {
  await enqueueCompletionMessage(tables, requestCardKey(request), request.requesterId, now);
}

/** `before`: as it was approved. */
export type ReturnedRequest = {
  readonly before: RequestRecord;
  readonly after: RequestRecord;
  readonly now: Instant;
};

/**
 * A request that was returned after its approval: the requester and the approver both believe that it runs. Each time
 * they are told again, since the version is part of the card's key.
 */
export async function notifyOfReturn(tables: Cards, returned: ReturnedRequest): Promise<void> {
  await enqueueReturnMessage(tables, returned.after, returned.after.requesterId, returned.now);
  await notifyApprover(tables, returned);
}

/** The approver of a request that was returned, or that ended without anything being sent. */
async function notifyApprover(tables: Cards, { before, after, now }: ReturnedRequest): Promise<void> {
  if (before.decidedBy !== null) await enqueueReturnMessage(tables, after, before.decidedBy, now);
}

async function enqueueReturnMessage(
  tables: Cards,
  { id, version }: RequestRecord,
  person: PersonId,
  now: Instant,
): Promise<void> {
  const channel = channelId(person);
  const key = cardKey('returned', `${id}.${version}`, channel);
  await tables.cards.enqueue({ key, channel, fallbackPerson: person, dueAt: now });
}

/**
 * A request once all of it has ended, however long that takes. What needed no approval and was verified is told by its
 * card alone: that stands where it was asked for.
 */
export async function notifyEnd(tables: Cards, request: RequestRecord, now: Instant): Promise<void> {
  const { counts, endedAt, expiresAt } = request;
  if (endedAt === null) return;
  const isPlain = countIn(counts, ['verified']) === totalOf(counts);
  if (expiresAt === null && isPlain) return;
  await enqueueCompletionMessage(tables, requestCardKey(request), request.requesterId, now);
  if (countIn(counts, ['not_sent']) === totalOf(counts))
    await notifyApprover(tables, { before: request, after: request, now });
}

/** A rollout that ended because nobody let it go on: those who wanted it believe that it waits for somebody. */
export async function notifyOfEndUnresumed(
  tables: Cards,
  request: RequestRecord,
  now: Instant,
): Promise<void> {
  const { requesterId, decidedBy, approvedBy } = request;
  await enqueueCompletionMessage(tables, requestCardKey(request), requesterId, now);
  for (const person of new Set([decidedBy, approvedBy]))
    if (person !== null) await enqueueReturnMessage(tables, request, person, now);
}

async function enqueueCompletionMessage(
  tables: Cards,
  of: CardKey,
  person: PersonId,
  now: Instant,
): Promise<void> {
  // A person's id in place of a channel's is their direct message (docs.slack.dev/reference/methods/chat.postMessage).
  const channel = channelId(person);
  await tables.cards.enqueue({ key: cardKey('told', of), channel, fallbackPerson: person, dueAt: now });
}
