/** Edits a card in place, and decides what happens to one that Slack does not let us edit. */
import { type Clock, type Instant, instant, later, MINUTE } from '../../lib/clock.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { CardCall } from '../../store/port/card-call-records.ts';
import type { CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import { simplerMessage } from '../web-api/send-with-fallback.ts';
import {
  isChannelRefused,
  isContentRefused,
  isEditRefused,
  isMessageGoneError,
} from '../web-api/slack-errors.ts';
import type { CardMessage, MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import { recordSuspectedDuplicate } from './duplicate-messages.ts';
import { createWaitCounter, isAlertCard, type RetryPolicy } from './retry-policy.ts';
import { createRolloutTurns, type PacedContent } from './rollout-pacing.ts';
import { concludeCalls, type TrackCall } from './tracked-calls.ts';

/** `next`: compute the card's next step again. */
export type CardStepResult = WorkResult | 'next';

export type CardEdit = {
  readonly card: CardRecord;
  readonly work: ClaimedWork;
  readonly target: MessageRef;
  readonly message: CardMessage;
  /** Earlier edits that may have taken effect late: this edit overwrites them. */
  readonly settled: readonly CardCall[];
};

export type EditCardOptions = Pick<RetryPolicy, 'retryIn' | 'backOff' | 'waitForChannel' | 'giveUp'> & {
  readonly store: Store;
  readonly web: Pick<SlackWeb, 'update'>;
  readonly clock: Clock;
  readonly track: TrackCall;
};

export function createEditCard(options: EditCardOptions): (order: CardEdit) => Promise<CardStepResult> {
  const { store, web, clock, track, retryIn, backOff, waitForChannel, giveUp } = options;
  const turns = createRolloutTurns(clock, store.replicas);
  /** After a 429 no card is edited until this time: Slack's limit on edits covers all channels. */
  let pausedUntil: Instant | null = null;
  /** Answers in a row that a card is gone. */
  const refusals = createWaitCounter();

  /**
   * `call`: the edit; null: it looks as it did before. A holder that lost the lease may have overwritten a newer state, so
   * the card is edited once more.
   */
  const recordEdited = ({ card, work, settled }: CardEdit, call: string | null): Promise<boolean> =>
    store.transaction(async (tables) => {
      if (call !== null) {
        await tables.cardCalls.end([call]);
        await concludeCalls(tables.cardCalls, settled);
      }
      const isOurs = await tables.work.holds(work);
      if (isOurs) await tables.cards.recordEdited(card.key, card.wantedRevision);
      else if (call !== null) await tables.cards.enqueueUpdate(card.key, clock.now());
      return isOurs;
    });

  const refused = async (order: CardEdit, error: string): Promise<CardStepResult> => {
    const { card, work, message } = order;
    const less = isContentRefused(error) ? simplerMessage(message) : null;
    if (less !== null) return edit({ ...order, message: less });
    const state = message.metadata.event_payload['state'];
    // What is new was not shown yet, so it waits for the channel like a first post.
    if (isAlertCard(card.key) && isChannelRefused(error)) return waitForChannel(card, work, error);
    const isNeeded = isAlertCard(card.key) || (typeof state === 'string' && NEEDED_STATES.has(state));
    // Somebody deleted a card that people still need, or what stands there can only say what is no longer true.
    if ((error === 'message_not_found' && isNeeded) || isEditRefused(error))
      return postAnew(options, order, state);
    if (!isMessageGoneError(error)) return backOff(card, work, { kind: 'refused', error });
    const pause = GONE_PAUSES_MS[refusals.count(card.key)];
    if (pause !== undefined) return retryIn(pause);
    refusals.forget(card.key);
    return giveUp(card, error);
  };

  const edit = async (order: CardEdit): Promise<CardStepResult> => {
    const { card, work, target, message } = order;
    if (pausedUntil !== null && clock.now() < pausedUntil) return { kind: 'again', dueAt: pausedUntil };
    const paced = pacedContent(card, message);
    // A late edit may have restored an older state, so what was drawn last says nothing then.
    const turn = paced && (await turns.turnOf(paced, order.settled.length > 0 ? -1 : card.shownRevision));
    if (turn?.kind === 'shown') return (await recordEdited(order, null)) ? 'next' : retryIn(0);
    if (turn?.kind === 'at') return { kind: 'again', dueAt: turn.at };
    const send = () => web.update(target, message);
    const edited = await track({ card, work, kind: 'edit', channel: target.channel, send });
    switch (edited.kind) {
      case 'ok':
        refusals.forget(card.key);
        if (paced !== null) turns.edited(paced);
        return (await recordEdited(order, edited.call)) ? 'next' : retryIn(0);
      case 'not-made':
        return retryIn(0);
      case 'throttled':
        pausedUntil = later(clock.now(), edited.retryAfterMs);
        return backOff(card, work, edited);
      case 'unsent':
      case 'uncertain':
        return backOff(card, work, edited);
      case 'refused':
        return refused(order, edited.error);
    }
  };
  return edit;
}

/** The old message, if it stands, is removed once the new one is posted, unless people talked about it. */
async function postAnew(
  { store, clock }: Pick<EditCardOptions, 'store' | 'clock'>,
  { card, target, message }: CardEdit,
  state: unknown,
): Promise<CardStepResult> {
  const dueAt = later(instant(Math.round(Number(target.ts) * 1_000)), PROGRESS_REPOST_MS);
  if (message.stage !== undefined && state === 'running' && clock.now() < dueAt)
    return { kind: 'again', dueAt };
  await store.transaction(async (tables) => {
    await tables.cards.recordRemoved(card.key, target);
    await recordSuspectedDuplicate(tables, card.key, target, clock.now(), true);
  });
  return 'next';
}

/** Slack may say once in error that a card is gone. It is given up before it would be reported as late. */
const GONE_PAUSES_MS = [2 * MINUTE, 6 * MINUTE] as const;

/** A rollout whose progress cannot be edited in is posted no more often than this. */
const PROGRESS_REPOST_MS = 10 * MINUTE;

/** States in which people decide on the card: whether it goes ahead, stops, or goes on. */
const NEEDED_STATES: ReadonlySet<string> = new Set(['waiting', 'scheduled', 'running', 'paused', 'braked']);

/** Null: its edits are not paced. */
function pacedContent(
  { key, wantedRevision }: CardRecord,
  { stage, text, blocks }: CardMessage,
): PacedContent | null {
  if (stage === undefined) return null;
  return { card: key, revision: wantedRevision, content: JSON.stringify([text, blocks]), stage };
}
