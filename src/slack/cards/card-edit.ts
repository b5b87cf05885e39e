/** Edits a card in place, and decides what becomes of one that Slack will not edit any more. */
import { type Clock, type Instant, later } from '../../lib/clock.ts';
import type { CardCall } from '../../store/port/card-call-records.ts';
import type { CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import type { WorkResult } from '../../store/work/worker.ts';
import { simplerMessage } from '../web-api/send-with-fallback.ts';
import { isChannelRefused, isContentRefused, isMessageGoneError } from '../web-api/slack-errors.ts';
import type { CardMessage, MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import type { RetryPolicy } from './retry-policy.ts';
import { concludeCalls, type TrackCall } from './tracked-calls.ts';

/** `next`: what the card needs now is asked again. */
export type CardStepResult = WorkResult | 'next';

export type CardEdit = {
  readonly card: CardRecord;
  readonly work: ClaimedWork;
  readonly target: MessageRef;
  readonly message: CardMessage;
  /** Edits that had settled before: this one undoes whatever they did late. */
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
  /** After a 429 on edits nobody edits until this: that limit is one for all channels. */
  let pausedUntil: Instant | null = null;

  /** Whoever lost the work may have put an older state over a newer one: then the card is drawn once more. */
  const recordEdited = ({ card, work, settled }: CardEdit, call: string): Promise<boolean> =>
    store.transaction(async (tables) => {
      await tables.cardCalls.end([call]);
      await concludeCalls(tables.cardCalls, settled);
      const isOurs = await tables.work.holds(work);
      if (isOurs) await tables.cards.recordEdited(card.key, card.wantedRevision);
      else await tables.cards.enqueueUpdate(card.key, clock.now());
      return isOurs;
    });

  const refused = async (order: CardEdit, error: string): Promise<CardStepResult> => {
    const { card, work, target, message } = order;
    const less = isContentRefused(error) ? simplerMessage(message) : null;
    if (less !== null) return edit({ ...order, message: less });
    const state = message.metadata.event_payload['state'];
    // Alerts were added that nobody saw: they wait for their channel, as a first one does.
    if (state === 'storm' && isChannelRefused(error)) return waitForChannel(card, work, error);
    // Somebody deleted a card that still has to be decided, or that has such alerts; theirs may also be too old to edit.
    const isLost = error === 'message_not_found' && state === 'waiting';
    if (isLost || (state === 'storm' && isMessageGoneError(error))) {
      await store.cards.recordRemoved(card.key, target);
      return 'next';
    }
    return isMessageGoneError(error) ? giveUp(card, error) : backOff(card, work, { kind: 'refused', error });
  };

  const edit = async (order: CardEdit): Promise<CardStepResult> => {
    const { card, work, target, message } = order;
    if (pausedUntil !== null && clock.now() < pausedUntil) return { kind: 'again', dueAt: pausedUntil };
    const { channel } = target;
    const edited = await track({
      card,
      work,
      kind: 'edit',
      channel,
      send: () => web.update(target, message),
    });
    switch (edited.kind) {
      case 'ok':
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
