/** Posts a card for the first time, in the turn of its channel. The first recorded message stays. */
import type { Clock } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { Store } from '../../store/port/store.ts';
import { isChannelRefused, isContentRefused, type SlackError } from '../web-api/slack-errors.ts';
import type { CardMessage, MessageRef, SlackWeb } from '../web-api/slack-web.ts';
import type { CardStepResult } from './card-edit.ts';
import type { PostCard } from './card-post.ts';
import { createChannelPacing, createClosedChannels } from './channel-pacing.ts';
import { recordSuspectedDuplicate, removeDuplicate } from './duplicate-messages.ts';
import { isAlertCard, type RetryPolicy } from './retry-policy.ts';

export type PostStepOptions = Pick<RetryPolicy, 'retryIn' | 'backOff' | 'waitForChannel' | 'giveUp'> & {
  readonly store: Store;
  readonly web: SlackWeb;
  readonly clock: Clock;
  readonly postCard: PostCard;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export type PostStep = {
  readonly post: (card: CardRecord, work: ClaimedWork, message: CardMessage) => Promise<CardStepResult>;
  /** Whether it is an alert for a channel that refused one lately. */
  readonly isHeldBack: (card: CardRecord) => boolean;
  /** The bot may post in the channel by now. */
  readonly reopen: (channel: CardRecord['channel']) => void;
};

export function createPostStep(options: PostStepOptions): PostStep {
  const { store, web, clock, postCard, onFailpoint } = options;
  const { retryIn, giveUp, backOff, waitForChannel } = options;
  const pace = createChannelPacing(clock);
  const closed = createClosedChannels(clock);

  /** The first recorded message stays; a second one, by a holder that lost its lease, is removed. */
  const posted = async (
    card: CardRecord,
    work: ClaimedWork,
    place: MessageRef,
    call: string,
  ): Promise<CardStepResult> => {
    const isFirst = await store.transaction(async (tables) => {
      const recorded = await tables.cards.recordPosted(card.key, { ...place, revision: card.wantedRevision });
      if (recorded) await tables.cardCalls.end([call]);
      return recorded;
    });
    if (isFirst) return 'next';
    const fault = await removeDuplicate(web, place);
    await store.transaction(async (tables) => {
      // The record of its call may be gone if this process was suspended for minutes.
      if (fault !== null) await recordSuspectedDuplicate(tables, card.key, place, clock.now());
      await tables.cardCalls.end([call]);
    });
    return fault === null ? 'next' : backOff(card, work, fault);
  };

  const post: PostStep['post'] = async (card, work, message) => {
    const turn = pace.nextTurn(card.channel, card.key);
    if (turn !== null) return { kind: 'again', dueAt: turn };
    const sent = await postCard(card, work, message);
    switch (sent.kind) {
      case 'ok':
        closed.open(card.channel);
        await onFailpoint?.('card.posted');
        return posted(card, work, sent.value, sent.call);
      case 'not-made':
        return retryIn(0);
      case 'throttled':
        return { kind: 'again', dueAt: pace.throttled(card.channel, card.key, sent.retryAfterMs) };
      case 'refused':
        return refused(card, work, sent);
      case 'unsent':
      case 'uncertain':
        return backOff(card, work, sent);
    }
  };

  const refused = (
    card: CardRecord,
    work: ClaimedWork,
    fault: Extract<SlackError, { kind: 'refused' }>,
  ): Promise<WorkResult> | WorkResult => {
    if (isChannelRefused(fault.error) && isAlertCard(card.key)) {
      closed.close(card.channel);
      return waitForChannel(card, work, fault.error);
    }
    // Even the plain text was refused, so this content will never be accepted.
    if (isChannelRefused(fault.error) || isContentRefused(fault.error)) return giveUp(card, fault.error);
    return backOff(card, work, fault);
  };

  return {
    post,
    isHeldBack: ({ key, channel }) => isAlertCard(key) && closed.isClosed(channel),
    reopen: closed.open,
  };
}
