/**
 * Makes calls for cards so that no outcome is lost: each is recorded before it is made, under the lease of its work, and
 * forgotten once Slack said what became of it.
 */
import { randomUUID } from 'node:crypto';
import { type Clock, type Instant, MINUTE, monotonicNow, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import type { CardKey, ChannelId } from '../../lib/ids.ts';
import type { CardCall, CardCallStore } from '../../store/port/card-call-records.ts';
import type { CardRecord, ClaimedWork } from '../../store/port/records.ts';
import type { SlackError, SlackResult } from '../web-api/slack-errors.ts';

/** A call that we stopped waiting for, or whose process ended, is expected to be carried out within this, or never. */
const CALL_TIMEOUT_MS = 30 * SECOND;
/** The same where the connection broke or Slack answered that it failed: what it did, it has done by then. */
const BROKEN_CONNECTION_MS = 5 * SECOND;
/** One that comes later than expected is still found and undone for so long after. */
const WATCH_AFTER_MS = 2 * MINUTE;
/**
 * A process that was held up so long between recording a call and making it does not make it: others may have waited
 * until it could not take effect any more.
 */
const MAX_SUSPENDED_MS = 5 * SECOND;

export type TrackedResult<T> =
  /** Slack did it. The call is still recorded: what follows from it is stored together with its end. */
  | { readonly kind: 'ok'; readonly value: T; readonly call: string }
  | SlackError
  /** Somebody else has this work now, or this process was held up; nothing was sent. */
  | { readonly kind: 'not-made' };

export type TrackedCall<T> = {
  readonly card: CardRecord;
  readonly work: ClaimedWork;
  readonly kind: 'post' | 'edit';
  readonly channel: ChannelId;
  readonly send: () => Promise<SlackResult<T>>;
};
export type TrackCall = <T>(call: TrackedCall<T>) => Promise<TrackedResult<T>>;

export type TrackedCallsOptions = {
  readonly calls: Pick<CardCallStore, 'begin' | 'end' | 'extend'>;
  readonly clock: Clock;
  readonly onFailpoint?: OnFailpoint | undefined;
  /** How long a call may take effect; only the kill harness has less patience than the default. */
  readonly callTimeoutMs?: number | undefined;
};

export function createTrackedCalls(options: TrackedCallsOptions): TrackCall {
  const { calls, clock, onFailpoint, callTimeoutMs = CALL_TIMEOUT_MS } = options;
  return async ({ card, work, kind, channel, send }) => {
    const id = randomUUID();
    const begun = monotonicNow();
    const call = { id, card: card.key, kind, channel, attemptedAt: clock.now(), settleMs: callTimeoutMs };
    if (!(await calls.begin(call, work))) return { kind: 'not-made' };
    if (kind === 'post') await onFailpoint?.('card.attempted');
    if (monotonicNow() - begun > MAX_SUSPENDED_MS) {
      await calls.end([id]);
      return { kind: 'not-made' };
    }
    const answer = await send();
    switch (answer.kind) {
      case 'ok':
        return { ...answer, call: id };
      case 'uncertain':
        if (!answer.inFlight) await calls.extend(id, Math.min(BROKEN_CONNECTION_MS, callTimeoutMs));
        return answer;
      case 'refused':
      case 'throttled':
      case 'unsent':
        await calls.end([id]);
        return answer;
    }
  };
}

/** What could be known of these calls was acted on: they are watched from now on, and no longer if they were watched. */
export async function concludeCalls(
  calls: Pick<CardCallStore, 'watch' | 'end'>,
  concluded: readonly CardCall[],
): Promise<void> {
  const idsOf = (isWatched: boolean) =>
    concluded.filter(({ watched }) => watched === isWatched).map(({ id }) => id);
  await calls.watch(idsOf(false), WATCH_AFTER_MS);
  await calls.end(idsOf(true));
}

/** Nothing is to follow from the calls of this card any more. */
export async function forgetCalls(
  calls: Pick<CardCallStore, 'callsOfCard' | 'end'>,
  card: CardKey,
  now: Instant,
): Promise<void> {
  const known = await calls.callsOfCard(card, now);
  await calls.end(known.map(({ id }) => id));
}
