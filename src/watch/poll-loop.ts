/** Polls at an interval, one poll at a time. After failures the pause doubles, up to a maximum. */
import { FleetFailure, isKeyRejected } from '../fleet/fleet.ts';
import { type Clock, type Instant, later, MINUTE, SECOND, type Timer } from '../lib/clock.ts';
import type { Log } from '../lib/log.ts';
import type { EventLogStatus } from '../store/port/replica-records.ts';
import type { IdRestart } from './event-log.ts';

export const POLL_INTERVAL_MS = 15 * SECOND;
/** A follower looks so often for the first report of a leader that has just started; nobody is asked for it. */
const FIRST_REPORT_MS = SECOND;
/** Nor longer after an outage: until then screens say that the log wasn’t read. */
const MAX_PAUSE_MS = MINUTE;
const KEY_REJECTED =
  'The management service rejected FLEET_API_KEY (401). Set a valid key and restart Patchbay. Until then it tries again every minute.';

export type PollLoop = Readonly<ReturnType<typeof createPollLoop>>;

type PollHealth = {
  readonly lastSuccess: Instant | null;
  readonly failures: number;
  /** Not null where the service restarted its event ids. Absent on a follower, which does not read the log. */
  readonly restarted?: IdRestart | null;
};

export type PollLoopOptions = {
  readonly clock: Clock;
  readonly log: Log;
  readonly poll: () => Promise<{ readonly taken: number; readonly alerts: number }>;
  /** Not null where the service restarted its event ids. */
  readonly restarted?: () => IdRestart | null;
  /** Called after a poll that made alerts. */
  readonly wakeWorker: () => void;
  /** Null: this process reads the log itself. Otherwise the leader's last report. */
  readonly followed?: () => EventLogStatus | null;
};

/** A loop that is idle until `start`. Failed polls are logged, never thrown. */
export function createPollLoop(options: PollLoopOptions) {
  const { clock, log, poll, wakeWorker, restarted, followed = () => null } = options;
  const { promise: ready, resolve: becomeReady } = Promise.withResolvers<void>();
  const failureLog = createFailureLog(log);
  let timer: Timer | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopped = true;
  let active = false;
  let failures = 0;
  let lastSuccess: Instant | null = null;

  const pollOnce = async (): Promise<number> => {
    try {
      const { taken, alerts } = await poll();
      if (taken > 0) log.info({ event: 'watch.taken', taken, alerts }, 'new events stored');
      if (alerts > 0) wakeWorker();
      failures = 0;
      failureLog.clear();
      lastSuccess = clock.now();
      becomeReady();
      return POLL_INTERVAL_MS;
    } catch (error) {
      failures += 1;
      failureLog.add(error, failures);
      return pollPauseAfter(error, failures);
    }
  };
  /** A follower does not poll: it takes over what the leader reported. */
  const followLeader = (lastReadAt: Instant | null): number => {
    lastSuccess = lastReadAt;
    failures = 0;
    if (lastReadAt === null) return FIRST_REPORT_MS;
    becomeReady();
    return POLL_INTERVAL_MS;
  };
  const run = async (): Promise<void> => {
    const leader = followed();
    active = true;
    const pause = leader === null ? await pollOnce() : followLeader(leader.lastReadAt);
    active = false;
    if (!stopped) timer = clock.at(later(clock.now(), pause), tick);
  };
  const tick = (): Promise<void> => {
    running = run();
    return running;
  };

  return {
    /** Resolves after the first successful poll. From then on, every new event is noticed. */
    ready,
    start(): void {
      if (!stopped) return;
      stopped = false;
      timer = clock.at(clock.now(), tick);
    },
    async stop(): Promise<void> {
      stopped = true;
      timer?.cancel();
      await running;
    },
    /** The health of polling; on a follower, that of the leader. */
    health(): PollHealth {
      const leader = followed();
      return leader === null
        ? { lastSuccess, failures, restarted: restarted?.() ?? null }
        : { lastSuccess: leader.lastReadAt, failures: leader.failures };
    },
    /** The readings of this process, which the leader reports to followers. */
    ownEventLogStatus: (): EventLogStatus => ({ lastReadAt: lastSuccess, failures }),
    /** This process is the leader now: polls at once. */
    lead(): void {
      // A running poll sets the timer itself.
      if (stopped || active) return;
      timer?.cancel();
      timer = clock.at(clock.now(), tick);
    },
  };
}

/** A rejected key is one line until a poll succeeds; every other failure is a line of its own. */
function createFailureLog(log: Log) {
  let isKeyLogged = false;
  return {
    add(error: unknown, failures: number): void {
      if (!isKeyRejected(error))
        log.warn({ event: 'watch.failed', failures, err: error }, 'could not read the event log');
      else if (!isKeyLogged) log.error({ event: 'fleet.key-rejected' }, KEY_REJECTED);
      isKeyLogged ||= isKeyRejected(error);
    },
    clear(): void {
      isKeyLogged = false;
    },
  };
}

/** The pause after a failure in milliseconds: doubled each time, or longer where the service asks for it. */
function pollPauseAfter(error: unknown, failures: number): number {
  const doubled = Math.min(POLL_INTERVAL_MS * 2 ** Math.min(failures - 1, 10), MAX_PAUSE_MS);
  const asked =
    error instanceof FleetFailure && error.error.kind === 'throttled' ? error.error.retryAfterMs : 0;
  return Math.max(doubled, asked);
}
