/** Collects vital signs from thin wrappers of calls and writes, and from the database. */
import { type Clock, DAY, type Instant, later, MINUTE } from '../lib/clock.ts';
import type { ChannelId } from '../lib/ids.ts';
import type { WriteFailureReason } from '../lib/not-stored.ts';
import type { SlackMonitor } from '../slack/web-api/monitored-web.ts';
import type { WriteObserver } from '../store/engines/write-observer.ts';
import type { Store } from '../store/port/store.ts';
import type { PollLoop } from '../watch/poll-loop.ts';
import { type ConnectionCount, OVER_MS, SILENCE_MS, type Vitals } from './detect-troubles.ts';

/** What must be there before the database is open. */
export type VitalSigns = Readonly<ReturnType<typeof createVitalSigns>>;
export type VitalSources = {
  readonly store: Pick<Store, 'ping' | 'health' | 'events'>;
  readonly pollLoop: Pick<PollLoop, 'health'>;
  readonly connected: () => boolean;
  readonly service: () => Vitals['service'];
};

/** How far back cards that were given up count. */
const ABANDONED_HISTORY_MS = DAY;

export function createVitalSigns(clock: Clock) {
  const startedAt = clock.now();
  const slack = createSlackVitals(clock);
  const disconnected = createSinceTracker(clock);
  const down = createSinceTracker(clock);
  let unwritable: { readonly why: WriteFailureReason; readonly since: Instant } | null = null;
  let wroteAt: Instant | null = null;
  let counted: ConnectionCount | null = null;

  const writes: WriteObserver = {
    wrote: () => {
      wroteAt = clock.now();
      unwritable = null;
    },
    failed: (why) => {
      unwritable = { why, since: unwritable?.since ?? clock.now() };
    },
  };

  const cardsOf = async (store: VitalSources['store']): Promise<Vitals['cards']> => {
    const [undelivered, givenUp] = await Promise.all([
      store.health.undelivered(),
      store.health.abandoned(later(clock.now(), -ABANDONED_HISTORY_MS)),
    ]);
    return { undelivered, givenUp };
  };

  /** A follower does not read the event log, so it uses the time that the leader stored. */
  const restartedByLeader = async (store: VitalSources['store']): Promise<Vitals['events']['restarted']> => {
    const open = await store.health.open().catch(() => []);
    for (const { trouble, since, seenAt } of open)
      if (trouble.kind === 'ids-restarted' && clock.now() < later(seenAt, OVER_MS))
        return { newestId: trouble.newestId, floorId: trouble.floorId, since, byLeader: true };
    return null;
  };

  return {
    slack: slack.watch,
    /** When Slack last answered anything. */
    slackAnsweredAt: slack.answeredAt,
    /** False while Slack refuses the token, a scope is missing, or Slack does not answer. */
    slackIsWell: (): boolean => slack.read().refusal === null && slack.read().silentSince === null,
    /** Slack counts this many connections of the app beside those of the replicas. */
    connectionsCounted: (others: number): void => {
      const now = clock.now();
      counted = { at: now, others, since: others > 0 ? (counted?.since ?? now) : null };
    },
    /** Null: Slack never counted. */
    connectionsCountedAt: (): Instant | null => counted?.at ?? null,
    writes,
    async read({ store, pollLoop, connected, service }: VitalSources): Promise<Vitals> {
      const answers = await store.ping().then(
        () => true,
        () => false,
      );
      const cards = answers ? await cardsOf(store).catch(() => null) : null;
      const { lastSuccess, failures, restarted } = pollLoop.health();
      const cursor = answers ? await store.events.cursor().catch(() => null) : null;
      // A process that just started uses the time stored by its predecessor or another replica.
      const readAt = lastSuccess ?? (answers ? await store.health.eventsReadAt().catch(() => null) : null);
      return {
        startedAt,
        slack: { ...slack.read(), disconnectedSince: disconnected(!connected()), counted },
        database: { downSince: down(!answers), unwritable, wroteAt },
        service: service(),
        events: {
          readAt,
          failures,
          gap: cursor?.gap ?? null,
          restarted:
            restarted ?? (restarted === undefined && answers ? await restartedByLeader(store) : null),
        },
        cards,
      };
    },
  };
}

function createSlackVitals(clock: Clock) {
  /** Errors by method. The empty key stands for the token itself, which affects all methods. */
  const refusals = new Map<string, { readonly error: string; readonly since: Instant }>();
  const refusing = new Map<ChannelId, { readonly error: string; readonly since: Instant }>();
  let scopes: string | null = null;
  let silentSince: Instant | null = null;
  let wellSince = clock.now();
  let answeredAt: Instant | null = null;
  let wroteAt: Instant | null = null;
  /** Writes in a row that had no good answer, also while reads have one. */
  let failing: { readonly count: number; readonly since: Instant; readonly at: Instant } | null = null;

  const watch: SlackMonitor = {
    answered: (method, writes) => {
      answeredAt = clock.now();
      const wasAway = silentSince !== null && clock.now() > later(silentSince, SILENCE_MS);
      if (wasAway || refusals.has(EVERY_METHOD)) wellSince = clock.now();
      silentSince = null;
      refusals.delete(EVERY_METHOD);
      refusals.delete(method);
      if (!writes) return;
      wroteAt = clock.now();
      failing = null;
    },
    unanswered: (writes) => {
      const now = clock.now();
      silentSince ??= now;
      if (writes) failing = { count: (failing?.count ?? 0) + 1, since: failing?.since ?? now, at: now };
    },
    refused: (method, error, isToken) => {
      answeredAt = clock.now();
      silentSince = null;
      const name = isToken ? EVERY_METHOD : method;
      refusals.set(name, { error, since: refusals.get(name)?.since ?? clock.now() });
    },
    granted: (now) => {
      const before = scopes;
      scopes = now.toSorted().join(' ');
      // The app may have been reinstalled with other scopes, so each call has to show what is missing.
      if (before === null || before === scopes) return;
      for (const method of refusals.keys()) if (method !== EVERY_METHOD) refusals.delete(method);
    },
    channelTook: (channel) => void refusing.delete(channel),
    channelRefused: (channel, error) => {
      refusing.set(channel, { error, since: refusing.get(channel)?.since ?? clock.now() });
    },
  };
  /** Null: writes work, or none was tried lately. */
  const failingSince = (): Instant | null => {
    if (failing === null || failing.count < MIN_FAILED_WRITES) return null;
    return clock.now() < later(failing.at, FAILED_WRITES_MS) ? failing.since : null;
  };
  const read = () => {
    const refusal = refusals.get(EVERY_METHOD) ?? [...refusals.values()][0] ?? null;
    return {
      silentSince: silentSince ?? failingSince(),
      refusal,
      wellSince,
      wroteAt,
      refusing: new Map(refusing),
    };
  };
  return { watch, read, answeredAt: () => answeredAt };
}

/** One lost answer is no outage. */
const MIN_FAILED_WRITES = 3;
/** A private answer is not tried again, so its failure says nothing for longer. */
const FAILED_WRITES_MS = 10 * MINUTE;

const EVERY_METHOD = '';

/** Since when a condition holds, as far as it was checked; null: it does not. */
function createSinceTracker(clock: Clock) {
  let since: Instant | null = null;
  return (isSo: boolean): Instant | null => {
    since = isSo ? (since ?? clock.now()) : null;
    return since;
  };
}
