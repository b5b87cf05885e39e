/**
 * The outbox: posts each card once and edits it in place as its thing changes. A post whose answer was lost is
 * looked up by the key in its metadata before it is repeated, because `chat.postMessage` has no idempotency key.
 */
import { type Clock, type Instant, later, MINUTE, SECOND } from '../clock.ts';
import type { ChannelId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { OnStep } from '../steps.ts';
import type { CardKey, CardRecord, ClaimedWork } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import {
  type Asked,
  contentRefused,
  faultText,
  messageGone,
  placeRefuses,
  type SlackFault,
} from './faults.ts';
import type { CardMessage, Place, SlackWeb } from './web.ts';

export type CardEnd =
  | { readonly kind: 'posted'; readonly place: Place }
  | { readonly kind: 'refused'; readonly error: string }
  | { readonly kind: 'delayed' };

export type Cards = {
  /** Handler of `card` work. */
  readonly deliver: (work: ClaimedWork) => Promise<WorkResult>;
  /** Waits (wall time) until the card stands somewhere or was given up; `delayed` when that takes longer. */
  readonly whenPosted: (key: CardKey, withinMs: number) => Promise<CardEnd>;
};

export type CardsOptions = {
  readonly store: Store;
  readonly web: SlackWeb;
  readonly clock: Clock;
  readonly log: Log;
  /** What a card shows now; null when its record is gone. */
  readonly content: (key: CardKey) => Promise<CardMessage | null>;
  /** Told when Slack will not take a card at all. */
  readonly onRefused: (key: CardKey, error: string) => Promise<void>;
  readonly onStep?: OnStep | undefined;
};

/** Pause after a failed attempt: doubled each time, at most five minutes. */
function pause(attempts: number): number {
  return Math.min(2 * SECOND * 2 ** Math.min(attempts, 10), 5 * MINUTE);
}

export function createCards(options: CardsOptions): Cards {
  const { store, web, clock, log, content, onRefused, onStep } = options;
  const waiting = new Map<CardKey, Set<(end: CardEnd) => void>>();
  /** After a 429 nobody posts or edits until this. */
  let pausedUntil: Instant | null = null;

  const settle = (key: CardKey, end: CardEnd): void => {
    for (const resolve of waiting.get(key) ?? []) resolve(end);
    waiting.delete(key);
  };

  const giveUp = async (card: CardRecord, error: string): Promise<WorkResult> => {
    await store.cards.giveUp(card.key, error);
    log.error(
      { event: 'card.refused', card: card.key, channel: card.channel, error },
      'Slack refused a card',
    );
    await onRefused(card.key, error);
    settle(card.key, { kind: 'refused', error });
    return { kind: 'done' };
  };

  const retry = (card: CardRecord, work: ClaimedWork, fault: SlackFault): WorkResult => {
    const wait = fault.kind === 'throttled' ? fault.retryAfterMs : pause(work.attempts);
    const dueAt = later(clock.now(), wait);
    if (fault.kind === 'throttled') pausedUntil = dueAt;
    log.warn({ event: 'card.delayed', card: card.key, reason: faultText(fault), wait }, 'card not shown yet');
    return { kind: 'again', dueAt };
  };

  const shown = async (card: CardRecord, place: Place, revision: number): Promise<WorkResult> => {
    await store.cards.shown(card.key, { ...place, revision });
    settle(card.key, { kind: 'posted', place });
    return { kind: 'done' };
  };

  /** Where the card goes: its channel, or its person's direct message when the channel will not have it. */
  const place = async (card: CardRecord, message: CardMessage): Promise<Asked<Place>> => {
    const inChannel = await post(card.channel, message);
    if (inChannel.kind !== 'refused' || !placeRefuses(inChannel.error) || card.fallbackPerson === null)
      return inChannel;
    const direct = await web.openDirect(card.fallbackPerson);
    return direct.kind === 'ok' ? post(direct.value, message) : direct;
  };

  /** Blocks that Slack does not understand must not cost the message: its text is posted alone. */
  const post = async (channel: ChannelId, message: CardMessage): Promise<Asked<Place>> => {
    const posted = await web.post(channel, message);
    if (posted.kind !== 'refused' || !contentRefused(posted.error) || message.blocks.length === 0)
      return posted;
    log.error({ event: 'card.content-refused', error: posted.error }, 'posted as text');
    return web.post(channel, { ...message, blocks: [] });
  };

  const lookUp = async (card: CardRecord, since: Instant): Promise<Asked<Place | null>> => {
    const inChannel = await findIn(card.channel, card.key, since);
    const decided = inChannel.kind !== 'ok' || inChannel.value !== null;
    if (decided || card.fallbackPerson === null) return inChannel;
    const direct = await web.openDirect(card.fallbackPerson);
    return direct.kind === 'ok' ? findIn(direct.value, card.key, since) : direct;
  };

  /** A channel that we cannot read because we are no member cannot hold our card. */
  const findIn = async (channel: ChannelId, key: CardKey, since: Instant): Promise<Asked<Place | null>> => {
    const found = await web.findCard(channel, key, since);
    return found.kind === 'refused' && placeRefuses(found.error) ? { kind: 'ok', value: null } : found;
  };

  const postFirst = async (
    card: CardRecord,
    work: ClaimedWork,
    message: CardMessage,
  ): Promise<WorkResult> => {
    if (card.firstAttemptAt !== null) {
      const found = await lookUp(card, card.firstAttemptAt);
      if (found.kind !== 'ok') return retry(card, work, found);
      // What the found copy shows is not known, so it is edited to what is wanted now.
      if (found.value !== null) return edit(card, work, found.value, message);
    }
    if (card.firstAttemptAt === null) await store.cards.attempting(card.key, clock.now());
    await onStep?.('card.attempted');
    const posted = await place(card, message);
    if (posted.kind === 'refused' && hopeless(posted.error)) return giveUp(card, posted.error);
    if (posted.kind !== 'ok') return retry(card, work, posted);
    await onStep?.(card.key.startsWith('notice:') ? 'card.posted' : 'card.posted');
    return shown(card, posted.value, card.wantedRevision);
  };

  const edit = async (
    card: CardRecord,
    work: ClaimedWork,
    at: Place,
    message: CardMessage,
  ): Promise<WorkResult> => {
    const edited = await web.update(at, message);
    if (edited.kind === 'ok') return shown(card, at, card.wantedRevision);
    if (edited.kind !== 'refused') return retry(card, work, edited);
    if (messageGone(edited.error)) return giveUp(card, edited.error);
    if (contentRefused(edited.error) && message.blocks.length > 0) {
      return edit(card, work, at, { ...message, blocks: [] });
    }
    return retry(card, work, edited);
  };

  return {
    async deliver(work) {
      const card = await store.cards.get(cardKey(work.key));
      if (card === null || card.failure !== null || card.shownRevision >= card.wantedRevision)
        return { kind: 'done' };
      if (pausedUntil !== null && clock.now() < pausedUntil) return { kind: 'again', dueAt: pausedUntil };
      const message = await content(card.key);
      if (message === null) return { kind: 'done' };
      if (card.ts === null || card.postedChannel === null) return postFirst(card, work, message);
      return edit(card, work, { channel: card.postedChannel, ts: card.ts }, message);
    },
    async whenPosted(key, withinMs) {
      const { promise, resolve } = Promise.withResolvers<CardEnd>();
      const others = waiting.get(key) ?? new Set();
      waiting.set(key, others.add(resolve));
      const timer = setTimeout(() => resolve({ kind: 'delayed' }), withinMs);
      const card = await store.cards.get(key);
      if (card?.failure != null) resolve({ kind: 'refused', error: card.failure });
      if (card?.ts != null && card.postedChannel !== null) {
        resolve({ kind: 'posted', place: { channel: card.postedChannel, ts: card.ts } });
      }
      return promise.finally(() => {
        clearTimeout(timer);
        others.delete(resolve);
      });
    },
  };
}

/** Neither this place nor, after the text alone was tried, this content will ever be taken. */
function hopeless(error: string): boolean {
  return placeRefuses(error) || contentRefused(error);
}

/** Card work is keyed by the card. */
function cardKey(key: string): CardKey {
  if (/^(approval|operation|notice):/.test(key)) return key as CardKey; // the pattern is the type
  throw new Error(`card work with a key of an unknown kind: ${key}`);
}
