/**
 * Telling the one who asked how it ended: an edited card makes no sound, and its channel need not be theirs. One direct
 * message for each request, asked for in the transaction that ends it.
 */
import type { Instant } from '../lib/clock.ts';
import { cardKey, channelId, type OperationId, operationCardKey, type PersonId } from '../lib/ids.ts';
import type { ApprovalRecord, CardKey, TargetRecord } from '../store/port/records.ts';
import type { StoreTables } from '../store/port/store.ts';

/** A request that ended without anything being sent; the one who withdrew it knows. */
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
 * A request that went back after its approval: the requester and the approver both believe that it runs. Each time it goes back they are told again, since the version is part of the card's name.
 */
export async function notifyOfReturn(tables: StoreTables, returning: ReturnedRequest): Promise<void> {
  const { after, now } = returning;
  await enqueueReturnMessage(tables, after, after.requesterId, now);
  await notifyApprover(tables, returning);
}

/** An approved request that ended without anything being sent: its operation tells the requester. */
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
 * A command or an edit, once all of it has ended; of several devices also as soon as it is certain that some were not
 * sent, because that may be requested again, and then the message is kept up to date. What needed no approval and was
 * verified is told by its card alone: that stands where it was asked for.
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
