/** How the process exits: in order when it is asked to, and always in time. */
import { type Clock, createClock, type Instant, later, SECOND } from './clock.ts';
import type { Log } from './log.ts';

/**
 * How long a shutdown may take (wall time). Longer than a write to the service may take (20 s,
 * `fleet/http/calls.ts`), so that the answer to a running command is not lost; shorter than what a supervisor should
 * allow (30 s, `config/README.md`).
 */
export const STOP_WITHIN_MS = 25 * SECOND;
/** A request comes several times: terminals and systemd signal every process, npm and `runtime.js` pass it on. */
const SAME_REQUEST_MS = SECOND;

type ShutdownOptions = {
  readonly stop: () => Promise<void>;
  readonly log: Log;
  readonly signals: readonly ('SIGTERM' | 'SIGINT')[];
  readonly onHangup: () => void;
  /** Ticks with wall time. */
  readonly clock?: Pick<Clock, 'now' | 'at'>;
  readonly process?: SignalProcess;
};

type SignalProcess = {
  readonly on: (signal: NodeJS.Signals, heard: () => void) => void;
  readonly exit: (code: 0 | 1) => void;
};
const THIS_PROCESS: SignalProcess = {
  on: (signal, heard) => void process.on(signal, heard),
  exit: (code) => process.exit(code),
};

/** Shuts down and exits with this code, or with 1 where the shutdown fails or takes too long. */
export type ExitWith = (code: 0 | 1) => void;

/** Exits on these signals: with 0 after a shutdown, with 1 when it was cut short. A second signal exits at once. */
export function exitOnSignals({
  stop,
  log,
  signals,
  onHangup,
  clock = createClock(),
  process: { on, exit } = THIS_PROCESS,
}: ShutdownOptions): ExitWith {
  let isExiting = false;
  let exitCode: 0 | 1 = 0;
  let signalledAt: Instant | null = null;

  const finish = async (): Promise<void> => {
    try {
      await stop();
      log.info({ event: 'app.stopped', code: exitCode }, 'Patchbay stopped');
    } catch (error) {
      exitCode = 1;
      log.error({ event: 'app.stop-failed', err: error }, 'shutdown failed');
    }
    exit(exitCode);
  };
  const exitAfterStop: ExitWith = (code) => {
    // A failure during the shutdown counts too.
    if (code === 1) exitCode = 1;
    if (isExiting) return;
    isExiting = true;
    // Keeps the process alive, so that a shutdown that hangs with nothing pending is cut short as well.
    clock.at(later(clock.now(), STOP_WITHIN_MS), () => {
      log.error(
        { event: 'app.cut-short', withinMs: STOP_WITHIN_MS },
        'shutdown timed out: exiting before everything finished',
      );
      exit(1);
    });
    void finish();
  };
  for (const signal of signals) {
    on(signal, () => {
      if (signalledAt === null) {
        signalledAt = clock.now();
        log.info(
          { event: 'app.stopping', signal, withinMs: STOP_WITHIN_MS },
          'shutting down: finishing running work first',
        );
        exitAfterStop(0);
      } else if (clock.now() >= later(signalledAt, SAME_REQUEST_MS)) {
        log.warn({ event: 'app.stop-repeated', signal }, 'second stop signal: exiting now');
        exit(1);
      }
    });
  }
  // A closed terminal is no reason to stop; supervisors send SIGTERM.
  on('SIGHUP', () => {
    log.info({ event: 'app.hangup' }, 'SIGHUP: reading the configuration file');
    onHangup();
  });
  return exitAfterStop;
}

/**
 * The stages of a shutdown, each after the one before it:
 * - `intake`: nothing new is accepted from Slack;
 * - `answers`: running commands are answered, or their requesters are asked to try again;
 * - `work`, at the same time: running work finishes, and a command to the service gets its answer;
 * - `reads`: reads of the service end, so that nothing waits for them;
 * - `cards`: cards show what this changed;
 * - `close`: connections and the database are closed, the last opened first.
 */
type ShutdownStage = 'intake' | 'answers' | 'work' | 'reads' | 'cards' | 'close';
type StopPart = () => Promise<void>;

export type ShutdownOrder = Readonly<ReturnType<typeof createShutdownOrder>>;

/** Thrown by a start that was overtaken by its shutdown. */
export class StartAborted extends Error {
  constructor() {
    super('stopped while starting');
    this.name = 'Stopped';
  }
}

export function createShutdownOrder() {
  const parts: Record<ShutdownStage, StopPart[]> = {
    intake: [],
    answers: [],
    reads: [],
    work: [],
    cards: [],
    close: [],
  };
  const shutdown = new AbortController();
  const failures: unknown[] = [];
  let stopping: Promise<void> | null = null;

  const stopOne = (one: StopPart): Promise<void> =>
    one().catch((error: unknown) => void failures.push(error));
  const together = async (stage: ShutdownStage): Promise<void> => {
    await Promise.all(parts[stage].map(stopOne));
  };
  const run = async (): Promise<void> => {
    shutdown.abort();
    await together('intake');
    const work = together('work');
    await together('answers');
    await work;
    await together('reads');
    await together('cards');
    for (const one of parts.close.toReversed()) await stopOne(one);
    const [failure] = failures;
    if (failure !== undefined) throw failure;
  };
  return {
    /** During a shutdown the part is stopped at once, and {@link StartAborted} is thrown. */
    async add(stage: ShutdownStage, one: StopPart): Promise<void> {
      if (stopping !== null) {
        await stopping.catch(() => undefined);
        await one();
        throw new StartAborted();
      }
      parts[stage].push(one);
    },
    /** Stops everything that was registered. A failure does not keep the rest from stopping, and is thrown afterwards. */
    stop(): Promise<void> {
      stopping ??= run();
      return stopping;
    },
    /** Aborted when the stop begins. */
    signal: shutdown.signal,
  };
}
