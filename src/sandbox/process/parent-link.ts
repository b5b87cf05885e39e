/** The product's side of its connection to the sandbox: a clock set by the parent, and when to end. */
import { createClock, type MovableClock, SECOND } from '../../lib/clock.ts';
import type { Log } from '../../lib/log.ts';
import { type ExitWith, exitOnSignals } from '../../lib/shutdown.ts';
import { moveClockTo } from '../clock-sync.ts';
import { type FromProduct, toProductSchema } from './ipc-messages.ts';
import { skewWallTime } from './wall-clock-skew.ts';

/** Wall time for an orderly end when the parent is gone and cannot kill this process. */
const ORPHAN_TIMEOUT_MS = 5 * SECOND;

export type ParentLink = {
  /** Resolves with the running clock, set to the parent's time. */
  readonly clock: Promise<MovableClock>;
  readonly reportReady: () => void;
  /**
   * Calls `stop` once, on SIGTERM or when the parent has died, and then ends the process; the returned function does
   * the same.
   */
  readonly endWith: (stop: () => Promise<void>, log: Log) => ExitWith;
};

export type ParentOptions = { readonly onClockError: (error: unknown) => void };

/** Connects to the sandbox that forked this process. */
export function connectToParent({ onClockError }: ParentOptions): ParentLink {
  if (process.send === undefined) throw new Error('Only the sandbox can start this process.');
  // Ctrl-C reaches the whole process group; the parent decides when this process ends.
  process.on('SIGINT', () => undefined);
  const { promise: clock, resolve: setClock } = Promise.withResolvers<MovableClock>();
  process.on('message', (message) => {
    const request = toProductSchema.parse(message);
    if (request.type === 'clock') {
      skewWallTime(request.skewMs);
      setClock(startClock(request.offsetMs, onClockError));
    } else
      void followParentClock(clock, request.offsetMs).then(() => send({ type: 'advanced', id: request.id }));
  });
  return { clock, reportReady: () => send({ type: 'ready' }), endWith };
}

async function startClock(offsetMs: number, onError: (error: unknown) => void): Promise<MovableClock> {
  const clock = createClock({ onError });
  await moveClockTo(clock, offsetMs);
  return clock;
}

async function followParentClock(clock: Promise<MovableClock>, offsetMs: number): Promise<void> {
  await moveClockTo(await clock, offsetMs);
}

function send(message: FromProduct): void {
  // The parent may be gone; then 'disconnect' ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

function endWith(stop: () => Promise<void>, log: Log): ExitWith {
  const end = exitOnSignals({ stop, log, signals: ['SIGTERM'] });
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), ORPHAN_TIMEOUT_MS).unref();
    end(0);
  });
  return end;
}
