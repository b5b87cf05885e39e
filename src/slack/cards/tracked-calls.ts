/** Each call of a card is recorded before it is made, under the lease of its work, and removed once Slack answered. */
import { randomUUID } from 'node:crypto';
import { type Clock, type Instant, MINUTE, monotonicNow, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import type { CardKey, ChannelId } from '../../lib/ids.ts';
import type { CardCall, CardCallStore, CardRecord } from '../../store/port/card-records.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import type { SlackError, SlackResult } from '../web-api/slack-errors.ts';

/** An abandoned call takes effect within this time, or never. */
const CALL_TIMEOUT_MS = 30 * SECOND;
/** The same after a broken connection or a server error: whatever Slack did, it has done by then. */
const BROKEN_CONNECTION_MS = 5 * SECOND;
/** A call that takes effect even later is still found and undone within this time. */
const WATCH_AFTER_MS = 2 * MINUTE;
/** A process suspended for this long between recording and making a call does not make it: others may have given it up. */
const MAX_SUSPENDED_MS = 5 * SECOND;

export type TrackedResult<T> =
  /** Slack did it. The call stays recorded: its result is stored together with its end. */
  | { readonly kind: 'ok'; readonly value: T; readonly call: string }
  | SlackError
  /** Another holder has the work, or this process was suspended; nothing was sent. */
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
  /** How long a call may still take effect; only the kill tests shorten it. */
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

/** The outcome of these calls was handled: unwatched ones are watched from now on, watched ones end. */
export async function concludeCalls(
  calls: Pick<CardCallStore, 'watch' | 'end'>,
  concluded: readonly CardCall[],
): Promise<void> {
  const idsOf = (isWatched: boolean) =>
    concluded.filter(({ watched }) => watched === isWatched).map(({ id }) => id);
  await calls.watch(idsOf(false), WATCH_AFTER_MS);
  await calls.end(idsOf(true));
}

/** Ends all calls of a card that needs no message any more. */
export async function forgetCalls(
  calls: Pick<CardCallStore, 'callsOfCard' | 'end'>,
  card: CardKey,
  now: Instant,
): Promise<void> {
  const known = await calls.callsOfCard(card, now);
  await calls.end(known.map(({ id }) => id));
}
