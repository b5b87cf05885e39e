/** Edits a card in place, and decides what happens to one that Slack does not let us edit. */
import { type Clock, type Instant, instant, later, MINUTE, SECOND, wallNow } from '../../lib/clock.ts';
import type { CardKey } from '../../lib/ids.ts';
import { setNewest } from '../../lib/lists.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { CardCall, CardRecord } from '../../store/port/card-records.ts';
import type { ReplicaStore } from '../../store/port/replica-records.ts';
import type { Store } from '../../store/port/store.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import {
  isChannelRefused,
  isContentRefused,
  isEditRefused,
  isMessageGoneError,
} from '../web-api/slack-errors.ts';
import { type CardMessage, type MessageRef, type SlackWeb, simplerMessage } from '../web-api/slack-web.ts';
import { recordSuspectedDuplicate } from './duplicate-messages.ts';
import { createWaitCounter, isAlertCard, type RetryPolicy } from './retry-policy.ts';
import { concludeCalls, type TrackCall } from './tracked-calls.ts';

/** `next`: compute the card's next step again. */
export type CardStepResult = WorkResult | 'next';

type CardEdit = {
  readonly card: CardRecord;
  readonly work: ClaimedWork;
  readonly target: MessageRef;
  readonly message: CardMessage;
  /** Earlier edits that may have taken effect late: this edit overwrites them. */
  readonly settled: readonly CardCall[];
};

type EditCardOptions = Pick<RetryPolicy, 'retryIn' | 'backOff' | 'waitForChannel' | 'giveUp'> & {
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

  /** `call`: the edit; null: it looks as before. A holder that lost the lease may have overwritten a newer state: edited once more. */
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

/** Between two edits of one card. */
export const EDIT_INTERVAL_MS = 3 * SECOND;
/** Edits of all rollouts in a minute: for progress, and beside that for decisions. */
export const PROGRESS_EDITS = 20;
export const DECISION_EDITS = 5;

type EditKind = 'progress' | 'decision';

type PacedContent = {
  readonly card: CardKey;
  readonly revision: number;
  /** Equal for contents that look the same. */
  readonly content: string;
  /** Changes with decisions and holds, which people wait for. */
  readonly stage: string;
};

type EditTurn =
  | { readonly kind: 'shown' }
  | {
      readonly kind: 'now';
      readonly edit: EditKind;
      /** Other replicas have made so many that it comes then. */
      readonly putOff: (until: Instant) => void;
    }
  | { readonly kind: 'at'; readonly at: Instant };

/** Cards that are remembered: more than run at once. */
const MAX_REMEMBERED = 1_000;

/**
 * When the card of a rollout may be edited. Each change of a device wants an edit, and Slack takes about 50 a minute for
 * all channels together (`chat.update` is in tier 3, docs.slack.dev/apis/web-api/rate-limits), which other cards need, too.
 */
export function createRolloutPacing(clock: Pick<Clock, 'now'>) {
  const last = new Map<CardKey, { readonly at: Instant; readonly shown: PacedContent }>();
  const turns = new Map<CardKey, Instant>();
  const progress = createBudget(PROGRESS_EDITS);
  const decisions = createBudget(DECISION_EDITS);

  const turnIn = (card: CardKey, now: Instant): Instant => {
    const before = last.get(card);
    const apart = before === undefined ? now : later(before.at, EDIT_INTERVAL_MS);
    const at = turns.get(card) ?? progress.reserve(apart > now ? apart : now);
    turns.set(card, at);
    return at;
  };

  /** The card is edited now: a turn that came sooner than its next interval would be too early. */
  const giveUpTurn = (card: CardKey): void => {
    const at = turns.get(card);
    if (at === undefined) return;
    turns.delete(card);
    progress.release(at);
  };

  const made = (edit: EditKind, card: CardKey, now: Instant): EditTurn => ({
    kind: 'now',
    edit,
    putOff(until) {
      (edit === 'decision' ? decisions : progress).giveBack(now);
      turns.set(card, until);
    },
  });

  return {
    /** `shown`: the card shows this already. `at`: its turn has come, or comes then, whatever is wanted until then. */
    turnOf({ card, content, stage }: PacedContent, shownRevision: number): EditTurn {
      const now = clock.now();
      const before = last.get(card);
      // Another replica, or a late call, may have drawn it since.
      const isOurs = before !== undefined && before.shown.revision === shownRevision;
      if (isOurs && before.shown.content === content) return { kind: 'shown' };
      const isApart = before === undefined || now >= later(before.at, EDIT_INTERVAL_MS);
      if (before?.shown.stage !== stage && isApart && decisions.use(now)) {
        giveUpTurn(card);
        return made('decision', card, now);
      }
      const at = turnIn(card, now);
      if (at > now) return { kind: 'at', at };
      giveUpTurn(card);
      // Others may have come later than their turns.
      return progress.use(now) ? made('progress', card, now) : { kind: 'at', at: turnIn(card, now) };
    },
    edited(shown: PacedContent): void {
      setNewest(last, shown.card, { at: clock.now(), shown }, MAX_REMEMBERED);
    },
  };
}

function createBudget(perMinute: number) {
  /** The latest ones, in order, then those to come. */
  let used: readonly Instant[] = [];
  let reserved: readonly Instant[] = [];
  const freeAt = (taken: readonly Instant[], from: Instant): Instant => {
    const first = taken.length < perMinute ? undefined : taken[taken.length - perMinute];
    const free = first === undefined ? from : later(first, MINUTE);
    return free > from ? free : from;
  };
  return {
    /** The time at which one more may be made; it is kept for it. */
    reserve: (from: Instant): Instant => {
      const at = freeAt([...used, ...reserved], from);
      reserved = [...reserved, at].toSorted((a, b) => a - b);
      return at;
    },
    release: (at: Instant): void => {
      const index = reserved.indexOf(at);
      reserved = reserved.filter((_, other) => other !== index);
    },
    giveBack: (at: Instant): void => {
      const index = used.lastIndexOf(at);
      used = used.filter((_, other) => other !== index);
    },
    /** False: too many were made in the last minute. */
    use: (now: Instant): boolean => {
      if (freeAt(used, now) > now) return false;
      used = [...used, now].slice(-perMinute);
      return true;
    },
  };
}

const EDITS = 'rollout-edits';

export function createRolloutTurns(clock: Pick<Clock, 'now'>, replicas: Pick<ReplicaStore, 'takeToken'>) {
  const pacing = createRolloutPacing(clock);

  /** How long to wait where the replicas have made too many; null: it is taken. */
  const take = async (kind: EditKind): Promise<number | null> => {
    const reserve = kind === 'decision' ? 0 : DECISION_EDITS;
    const limit = { capacity: PROGRESS_EDITS + DECISION_EDITS, windowMs: MINUTE, reserve } as const;
    const grant = await replicas.takeToken(EDITS, { ...limit, ignoresPause: true }, clock.now() - wallNow());
    return grant.kind === 'wait' ? grant.ms : null;
  };

  return {
    edited: pacing.edited,
    /** `shown`: nothing is to be sent. */
    async turnOf(wanted: PacedContent, shownRevision: number) {
      const turn = pacing.turnOf(wanted, shownRevision);
      if (turn.kind !== 'now') return turn;
      const waitMs = await take(turn.edit);
      if (waitMs === null) return { kind: 'now' } as const;
      const at = later(clock.now(), waitMs);
      turn.putOff(at);
      return { kind: 'at', at } as const;
    },
  };
}
