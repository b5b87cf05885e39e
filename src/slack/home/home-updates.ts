/**
 * Schedules whose Home is published when: at once for who opens it, and automatically for those who opened it lately,
 * bounded and coalesced. Publishes of one person run one after the other, each from facts read after the previous one
 * ended, so that no older state replaces a newer one.
 */
import {
  type Clock,
  HOUR,
  type Instant,
  instant,
  later,
  MINUTE,
  SECOND,
  type Timer,
} from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { setNewest } from '../../lib/newest.ts';
import { type SlackError, type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';

/** A Home is updated this long after it was last opened. */
export const WATCHED_MS = 4 * HOUR;
/** The people who opened theirs last; others get a fresh one when they open it again. */
export const MAX_WATCHED = 100;
/** Changes come in bursts: waits this long for the rest of one. */
export const CALL_TIMEOUT_MS = SECOND;
/** Between two updates for one person. */
export const PUBLISH_INTERVAL_MS = 5 * SECOND;
/** Between two updates for anybody: `views.publish` is in tier 4, 100 a minute (docs.slack.dev rate limits). */
export const SPREAD_MS = SECOND;
/** Check without a known change: another process may have changed something, or the fleet. */
export const CHECK_INTERVAL_MS = 2 * MINUTE;
/** Failures in a row after which a person's Home is left alone until they open it again. */
export const MAX_FAILURES = 6;
const FIRST_BACKOFF_MS = 10 * SECOND;

export type HomeUpdates = Readonly<ReturnType<typeof createHomeUpdates>>;

export type HomeUpdatesOptions = {
  readonly clock: Clock;
  readonly log: Log;
  /** Reads the facts and publishes. `asked`: the person waits, so it is published even if nothing changed. */
  readonly publish: (person: PersonId, asked: boolean) => Promise<SlackResult<unknown>>;
};

type WatchedHome = {
  readonly person: PersonId;
  openedAt: Instant;
  /** When it is checked next. */
  dueAt: Instant;
  endedAt: Instant | null;
  failures: number;
  isRequested: boolean;
  /** Until then an abandoned call may still take effect and restore an older state. */
  uncertainUntil: Instant | null;
  running: Promise<void> | null;
};

export function createHomeUpdates(options: HomeUpdatesOptions) {
  const { clock } = options;
  const watched = createWatchedHomes(clock);
  const { run, pausedUntil } = createPublishing(options, watched);
  let timer: Timer | null = null;
  /** No automatic update starts before this. */
  let turnAt = instant(0);
  let stopped = false;

  const arm = (): void => {
    timer?.cancel();
    const idle = watched.all().filter(({ running }) => running === null);
    const next = Math.min(...idle.map(({ dueAt }) => dueAt));
    timer =
      stopped || idle.length === 0 ? null : clock.at(instant(Math.max(next, turnAt, pausedUntil())), turn);
  };

  /** Updates the person who has waited longest, if anybody is due. */
  const turn = async (): Promise<void> => {
    const now = clock.now();
    watched.forgetOld();
    const [first] = watched
      .all()
      .filter(({ running, dueAt }) => running === null && dueAt <= now)
      .toSorted((a, b) => a.dueAt - b.dueAt);
    if (first !== undefined) {
      turnAt = later(now, SPREAD_MS);
      await run(first);
    }
    arm();
  };

  return {
    /** Somebody opened theirs. Resolves when it was published, or postponed because Slack has trouble. */
    async open(person: PersonId): Promise<void> {
      if (stopped) return;
      const one = watched.admit(person);
      if (clock.now() < pausedUntil()) {
        one.dueAt = instant(Math.min(one.dueAt, pausedUntil()));
        return arm();
      }
      // The publish in flight may have read its facts before this request: one more follows, shared by all who asked
      // meanwhile.
      if (one.running !== null) {
        await one.running;
        if (one.running !== null || !one.isRequested) return;
      }
      await run(one);
      arm();
    },
    /** Something that a Home may show has changed. */
    changed(): void {
      const now = clock.now();
      for (const one of watched.all()) {
        const apart = one.endedAt === null ? now : later(one.endedAt, PUBLISH_INTERVAL_MS);
        soon(one, instant(Math.max(apart, later(now, CALL_TIMEOUT_MS))));
      }
      arm();
    },
    /** Waits for publishes in flight. */
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await Promise.all(watched.all().map(({ running }) => running));
    },
  };
}

/** Publishes one person's Home, and decides when it is due next. */
function createPublishing({ clock, log, publish }: HomeUpdatesOptions, watched: WatchedHomes) {
  /** Slack asked for a pause: nothing is published until then, not even for who opens theirs. */
  let pausedUntil = instant(0);

  const run = (one: WatchedHome): Promise<void> => {
    one.running = attempt(one).finally(() => {
      one.running = null;
    });
    return one.running;
  };

  const attempt = async (one: WatchedHome): Promise<void> => {
    const { isRequested } = one;
    one.isRequested = false;
    one.dueAt = instant(Number.MAX_SAFE_INTEGER);
    const ended = await publish(one.person, isRequested).catch(
      (error: unknown): SlackError => ({
        kind: 'uncertain',
        detail: error instanceof Error ? error.message : 'unknown',
        inFlight: false,
      }),
    );
    const now = clock.now();
    one.endedAt = now;
    if (ended.kind === 'ok') scheduleNext(one, now);
    else putOff(one, ended, isRequested);
  };

  const putOff = (one: WatchedHome, fault: SlackError, isRequested: boolean): void => {
    const { person } = one;
    one.failures += 1;
    one.isRequested ||= isRequested;
    const now = clock.now();
    log.warn(
      { event: 'home.unpublished', person, failures: one.failures, reason: slackErrorText(fault) },
      'could not publish a Home',
    );
    if (fault.kind === 'throttled') pausedUntil = later(now, fault.retryAfterMs);
    if (one.failures >= MAX_FAILURES) watched.forget(one);
    if (fault.kind === 'uncertain' && fault.inFlight) one.uncertainUntil = later(now, MINUTE);
    // A change during the attempt is no reason to retry sooner.
    one.dueAt = later(now, FIRST_BACKOFF_MS * 2 ** (one.failures - 1));
  };

  return { run, pausedUntil: () => pausedUntil };
}

/** After a publish: the next check, or another publish once an abandoned call can no longer replace this one. */
function scheduleNext(one: WatchedHome, now: Instant): void {
  one.failures = 0;
  soon(one, later(now, CHECK_INTERVAL_MS));
  if (one.uncertainUntil === null) return;
  if (one.uncertainUntil <= now) one.uncertainUntil = null;
  else {
    one.isRequested = true;
    soon(one, one.uncertainUntil);
  }
}

/** Moves the next check earlier, never later, and not into the pause after a failure. */
function soon(one: WatchedHome, at: Instant): void {
  if (one.failures > 0) return;
  one.dueAt = instant(Math.min(one.dueAt, at));
}

type WatchedHomes = ReturnType<typeof createWatchedHomes>;

function createWatchedHomes(clock: Clock) {
  const homes = new Map<PersonId, WatchedHome>();
  return {
    all: () => [...homes.values()],
    forget: ({ person }: WatchedHome) => homes.delete(person),
    forgetOld(): void {
      for (const { person, openedAt } of homes.values())
        if (clock.now() > later(openedAt, WATCHED_MS)) homes.delete(person);
    },
    admit(person: PersonId): WatchedHome {
      const now = clock.now();
      const known = homes.get(person);
      const one: WatchedHome = known ?? {
        person,
        openedAt: now,
        dueAt: now,
        endedAt: null,
        failures: 0,
        isRequested: true,
        uncertainUntil: null,
        running: null,
      };
      one.openedAt = now;
      one.isRequested = true;
      setNewest(homes, person, one, MAX_WATCHED);
      return one;
    },
  };
}
