/**
 * Tells the requester how a request ended: an edited card notifies nobody, and the requester may not be in its channel.
 * One direct message for each request, enqueued in the transaction that ends it.
 */
import type { Instant } from '../lib/clock.ts';
import { cardKey, channelId, type OperationId, operationCardKey, type PersonId } from '../lib/ids.ts';
import type { ApprovalRecord, CardKey, TargetRecord } from '../store/port/records.ts';
import type { StoreTables } from '../store/port/store.ts';

/** Enqueues the message about a request that ended unsent, for its requester. */
export async function notifyRequester(
  tables: StoreTables,
  { id, requesterId }: ApprovalRecord,
  now: Instant,
): Promise<void> {
  await enqueueCompletionMessage(tables, cardKey('approval', id), requesterId, now);
}

/** `before`: as it was approved. */
type ReturnedRequest = {
  readonly before: ApprovalRecord;
  readonly after: ApprovalRecord;
  readonly now: Instant;
};

/**
 * Tells the requester and the approver of a request that went back after its approval: both believe that it runs. The
 * message's key holds the version, so they are told each time.
 */
export async function notifyOfReturn(tables: StoreTables, returning: ReturnedRequest): Promise<void> {
  const { after, now } = returning;
  await enqueueReturnMessage(tables, after, after.requesterId, now);
  await notifyApprover(tables, returning);
}

/** Tells the approver of a request that ended unsent; its operation tells the requester. */
export async function notifyApprover(
  tables: StoreTables,
  { before, after, now }: ReturnedRequest,
): Promise<void> {
  if (before.decidedBy !== null) await enqueueReturnMessage(tables, after, before.decidedBy, now);
}

async function enqueueReturnMessage(
  tables: StoreTables,
  { id, version }: ApprovalRecord,
  person: PersonId,
  now: Instant,
): Promise<void> {
  const channel = channelId(person);
  const key = cardKey('returned', `${id}.${version}`, channel);
  await tables.cards.enqueue({ key, channel, fallbackPerson: person, dueAt: now });
}

/**
 * Enqueues the message about a command or edit once all of it has ended; of several devices already when some were
 * certainly not sent, because those can be requested again. A verified command that needed no approval gets none: its
 * card is in the channel where it was requested.
 */
export async function notifyEnd(tables: StoreTables, id: OperationId, now: Instant): Promise<void> {
  const operation = await tables.operations.get(id);
  if (operation === null) return;
  const isOpen = operation.targets.some(({ endedAt }) => endedAt === null);
  if (isOpen && !isPartlyUnsent(operation.targets)) return;
  const isPlain = operation.targets.every(({ state }) => state === 'verified');
  if (operation.approvalId === null && isPlain) return;
  await enqueueCompletionMessage(tables, operationCardKey(operation), operation.requesterId, now);
}

/** Some were not sent, and all others were. */
function isPartlyUnsent(targets: readonly TargetRecord[]): boolean {
  const states = new Set(targets.map(({ state }) => state));
  return states.has('not_sent') && !states.has('ready') && !states.has('issuing');
}

async function enqueueCompletionMessage(
  tables: StoreTables,
  of: CardKey,
  person: PersonId,
  now: Instant,
): Promise<void> {
  // A person's id in place of a channel's is their direct message (docs.slack.dev/reference/methods/chat.postMessage).
  const channel = channelId(person);
  await tables.cards.enqueue({ key: cardKey('told', of), channel, fallbackPerson: person, dueAt: now });
}
