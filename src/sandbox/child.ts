/** The product's side of its ties to the sandbox: a clock fed by the parent, and when to end. */
import { createClock, type MovableClock, SECOND } from '../clock.ts';
import { type EndWith, endOnSignals } from '../ending.ts';
import type { Log } from '../log.ts';
import { type FromProduct, toProduct } from './ipc.ts';
import { moveTo } from './moving.ts';
import { skewWallTime } from './skew.ts';

/** Wall time that an orderly end may take when the parent is gone and cannot insist. */
const ORPHAN_WAIT_MS = 5 * SECOND;

export type Parent = {
  /** Resolves with the running clock, set to the parent's time. */
  readonly clock: Promise<MovableClock>;
  readonly reportReady: () => void;
  /** Calls `stop` once, on SIGTERM or when the parent has died, and then ends the process; also by what it returns. */
  readonly endWith: (stop: () => Promise<void>, log: Log) => EndWith;
};

export type ParentOptions = { readonly onClockError: (error: unknown) => void };

/** Joins the sandbox that forked this process. */
export function joinParent({ onClockError }: ParentOptions): Parent {
  if (process.send === undefined) throw new Error('Only the sandbox can start this process.');
  // Ctrl-C reaches the whole group of processes; the parent decides when this one ends.
  process.on('SIGINT', () => undefined);
  const { promise: clock, resolve: setClock } = Promise.withResolvers<MovableClock>();
  process.on('message', (message) => {
    const order = toProduct.parse(message);
    if (order.type === 'clock') {
      skewWallTime(order.skewMs);
      setClock(startClock(order.offsetMs, onClockError));
    } else void follow(clock, order.offsetMs).then(() => send({ type: 'advanced', id: order.id }));
  });
  return { clock, reportReady: () => send({ type: 'ready' }), endWith };
}

async function startClock(offsetMs: number, onError: (error: unknown) => void): Promise<MovableClock> {
  const clock = createClock({ onError });
  await moveTo(clock, offsetMs);
  return clock;
}

async function follow(clock: Promise<MovableClock>, offsetMs: number): Promise<void> {
  await moveTo(await clock, offsetMs);
}

function send(message: FromProduct): void {
  // A parent that is gone hears nothing; 'disconnect' ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

function endWith(stop: () => Promise<void>, log: Log): EndWith {
  const end = endOnSignals({ stop, log, signals: ['SIGTERM'] });
  process.on('disconnect', () => {
    setTimeout(() => process.exit(1), ORPHAN_WAIT_MS).unref();
    end(0);
  });
  return end;
}
