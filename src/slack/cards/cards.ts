/**
 * The outbox: posts each card once and edits it in place as its thing changes. A post whose answer was lost is
 * looked up by the key in its metadata before it is repeated, because `chat.postMessage` has no idempotency key.
 */
import { type Instant, later, MINUTE, SECOND } from '../../clock.ts';
import { isCardKey, readCardKey } from '../../ids.ts';
import type { OnStep } from '../../steps.ts';
import type { CardKey, CardRecord, ClaimedWork } from '../../store/records.ts';
import type { WorkResult } from '../../store/worker.ts';
import { contentRefused, messageGone, placeRefuses, type SlackFault } from '../faults.ts';
import { simpler } from '../understood.ts';
import type { CardMessage, Place, SlackWeb } from '../web.ts';
import { createCardPlaces } from './card-place.ts';
import { type CardEnd, createCardWaits } from './card-waits.ts';
import { createClosedChannels } from './closed-channels.ts';
import { createPace } from './pace.ts';
import { createSetbacks, type SetbacksOptions } from './setbacks.ts';
import { createSettling } from './settling.ts';

export type Cards = {
  /** Handler of `card` work. */
  readonly deliver: (work: ClaimedWork) => Promise<WorkResult>;
  /** Waits (wall time) until the card stands somewhere or was given up; `delayed` when that takes longer. */
  readonly whenPosted: (key: CardKey, withinMs: number) => Promise<CardEnd>;
};

export type CardsOptions = Omit<SetbacksOptions, 'waits'> & {
  readonly web: SlackWeb;
  /** What a card shows now; null when its record is gone. */
  readonly content: (key: CardKey) => Promise<CardMessage | null>;
  readonly onStep?: OnStep | undefined;
  /** Wall time, for calls that may still be under way. */
  readonly wall?: () => number;
};

/** Between looks for a post that may still be carried out. */
const LOOK_AGAIN_MS = 10 * SECOND;

export function createCards(options: CardsOptions): Cards {
  const { store, web, clock, log, content, onStep, wall } = options;
  const places = createCardPlaces(web, log);
  const waits = createCardWaits(store);
  const { again, giveUp, delayed, parked, waiting } = createSetbacks({ ...options, waits });
  const pace = createPace(clock);
  const closed = createClosedChannels(clock);
  const posts = createSettling(wall);
  const edits = createSettling(wall);
  /** After a 429 on edits nobody edits until this: that limit is one for all channels. */
  let editsPausedUntil: Instant | null = null;

  const shown = async (card: CardRecord, place: Place): Promise<WorkResult> => {
    await store.cards.shown(card.key, { ...place, revision: card.wantedRevision });
    waits.settle(card.key, { kind: 'posted', place });
    // An edit that came too late for us may still arrive, and would put an old state back.
    return edits.isKnown(card.key) && !edits.hasEnded(card.key) ? again(MINUTE) : { kind: 'done' };
  };

  const post = async (card: CardRecord, work: ClaimedWork, message: CardMessage): Promise<WorkResult> => {
    const turn = pace.turn(card.channel, card.key);
    if (turn !== null) return { kind: 'again', dueAt: turn };
    await store.cards.attempting(card.key, clock.now());
    await onStep?.('card.attempted');
    const posted = await places.post(card, message);
    switch (posted.kind) {
      case 'ok':
        closed.open(card.channel);
        await onStep?.('card.posted');
        return shown(card, posted.value);
      case 'throttled':
        await store.cards.unposted(card.key);
        return { kind: 'again', dueAt: pace.throttled(card.channel, card.key, posted.retryAfterMs) };
      case 'refused':
        await store.cards.unposted(card.key);
        return refused(card, work, posted);
      case 'uncertain':
        if (posted.inFlight) posts.begin(card.key);
        return delayed(card, work, posted);
    }
  };

  const refused = (
    card: CardRecord,
    work: ClaimedWork,
    fault: Extract<SlackFault, { kind: 'refused' }>,
  ): Promise<WorkResult> | WorkResult => {
    if (placeRefuses(fault.error) && isNews(card.key)) {
      closed.close(card.channel);
      return parked(card, work, fault.error);
    }
    // After the text alone was tried, this content will never be taken.
    if (placeRefuses(fault.error) || contentRefused(fault.error)) return giveUp(card, fault.error);
    return delayed(card, work, fault);
  };

  const postOrFind = async (
    card: CardRecord,
    work: ClaimedWork,
    message: CardMessage,
  ): Promise<WorkResult> => {
    if (card.firstAttemptAt === null) return post(card, work, message);
    const found = await places.find(card, card.firstAttemptAt);
    if (found.kind !== 'ok') return delayed(card, work, found);
    // What the found copy shows is not known, so it is edited to what is wanted now.
    if (found.value !== null) return edit(card, work, found.value, message);
    return posts.isOpen(card.key) ? again(LOOK_AGAIN_MS) : post(card, work, message);
  };

  const edit = async (
    card: CardRecord,
    work: ClaimedWork,
    at: Place,
    message: CardMessage,
  ): Promise<WorkResult> => {
    if (editsPausedUntil !== null && clock.now() < editsPausedUntil)
      return { kind: 'again', dueAt: editsPausedUntil };
    const edited = await web.update(at, message);
    switch (edited.kind) {
      case 'ok':
        return shown(card, at);
      case 'throttled':
        editsPausedUntil = later(clock.now(), edited.retryAfterMs);
        return delayed(card, work, edited);
      case 'uncertain':
        if (edited.inFlight) edits.begin(card.key);
        return delayed(card, work, edited);
      case 'refused':
        return editRefused(card, work, at, message, edited);
    }
  };

  const editRefused = async (
    card: CardRecord,
    work: ClaimedWork,
    at: Place,
    message: CardMessage,
    fault: Extract<SlackFault, { kind: 'refused' }>,
  ): Promise<WorkResult> => {
    const less = contentRefused(fault.error) ? simpler(message) : null;
    if (less !== null) return edit(card, work, at, less);
    const state = message.metadata.event_payload['state'];
    // Alerts were added that nobody saw: they wait for their channel, as a first one does.
    if (state === 'storm' && placeRefuses(fault.error)) return parked(card, work, fault.error);
    // Somebody deleted a card that still has to be decided, or that has such alerts; theirs may also be too old to edit.
    const isLost = fault.error === 'message_not_found' && state === 'waiting';
    if (isLost || (state === 'storm' && messageGone(fault.error))) {
      await store.cards.unposted(card.key);
      return again(0);
    }
    return messageGone(fault.error) ? giveUp(card, fault.error) : delayed(card, work, fault);
  };

  return {
    async deliver(work) {
      // Card work is keyed by the card.
      if (!isCardKey(work.key)) throw new Error('card work with a key of an unknown kind');
      const card = await store.cards.get(work.key);
      if (card === null || card.failure !== null) return { kind: 'done' };
      if (card.shownRevision >= card.wantedRevision && card.ts !== null && !edits.isKnown(card.key)) {
        return { kind: 'done' };
      }
      if (card.ts === null && isNews(card.key) && closed.isClosed(card.channel)) return waiting(work);
      const message = await content(card.key);
      if (message === null) return { kind: 'done' };
      if (card.ts === null || card.postedChannel === null) return postOrFind(card, work, message);
      return edit(card, work, { channel: card.postedChannel, ts: card.ts }, message);
    },
    whenPosted: waits.whenPosted,
  };
}

function isNews(key: CardKey): boolean {
  const { kind } = readCardKey(key);
  return kind === 'alert' || kind === 'silence';
}
