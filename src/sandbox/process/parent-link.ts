/** The product's side of its connection to the sandbox: a clock set by the parent, and when to end. */
import { createClock, type MovableClock, SECOND } from '../../lib/clock.ts';
import { type ExitWith, exitOnSignals } from '../../lib/shutdown.ts';
import { moveClockTo, offsetOf } from '../clock-sync.ts';
import { type FromProduct, type ToProduct, toProductSchema } from './ipc-messages.ts';

/** Wall time for an orderly end when the parent is gone and cannot kill this process. */
const ORPHAN_TIMEOUT_MS = 5 * SECOND;

/** A product that can be stopped and started again in one process, each time with the clock of that start. */
export type RestingProduct = {
  readonly stop: () => Promise<void>;
  readonly start: (clock: MovableClock) => Promise<void>;
};

type ParentLinkOptions = {
  readonly onClockError: (error: unknown) => void;
  /** Reads the configuration file; resolves with its faults. */
  readonly reload: () => Promise<string[]>;
};

/** Connects to the sandbox that forked this process. */
export function connectToParent({ onClockError, reload }: ParentLinkOptions) {
  if (process.send === undefined) throw new Error('Only the sandbox can start this process.');
  // Ctrl-C reaches the whole process group; the parent decides when this process ends.
  process.on('SIGINT', () => undefined);
  const first = Promise.withResolvers<MovableClock>();
  let clock = first.promise;
  let resting: RestingProduct | undefined;
  const answer = async (request: ToProduct): Promise<void> => {
    switch (request.type) {
      case 'clock': {
        skewWallTime(request.skewMs);
        const started = startClock(request.offsetMs, onClockError);
        first.resolve(started);
        clock = started;
        await resting?.start(await started);
        return;
      }
      case 'advance':
        await moveClockTo(await clock, request.offsetMs);
        send({ type: 'advanced', id: request.id });
        return;
      case 'woken': {
        const woken = await clock;
        woken.jump(request.offsetMs - offsetOf(woken));
        return;
      }
      case 'rest':
        await resting?.stop();
        (await clock).stop();
        send({ type: 'resting' });
        return;
      case 'reload':
        send({ type: 'reloaded', id: request.id, faults: await reload().catch((error) => [String(error)]) });
    }
  };
  process.on('message', (message) => void answer(toProductSchema.parse(message)));
  return {
    /** Resolves with the running clock, set to the parent's time. */
    clock: first.promise,
    /** `how` the product is stopped and started again in this process; without it, it can't rest. */
    reportReady(how?: RestingProduct): void {
      resting = how;
      send({ type: 'ready', rests: how !== undefined });
    },
    endWith,
  };
}

async function startClock(offsetMs: number, onError: (error: unknown) => void): Promise<MovableClock> {
  const clock = createClock({ onError });
  await moveClockTo(clock, offsetMs);
  return clock;
}

function send(message: FromProduct): void {
  // The parent may be gone; then 'disconnect' ends this process.
  process.send?.(message, undefined, undefined, () => undefined);
}

/** Calls `stop` once, on SIGTERM or when the parent has died, then ends the process; so does the returned function. */
function endWith(parts: Pick<Parameters<typeof exitOnSignals>[0], 'stop' | 'onHangup' | 'log'>): ExitWith {
  const end = exitOnSignals({ ...parts, signals: ['SIGTERM'] });
  const endAlone = (): void => {
    // No exit, whose handlers could wait for what is gone.
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), ORPHAN_TIMEOUT_MS).unref();
    end(0);
  };
  // A parent that died while this process was loading did so unheard.
  if (process.connected) process.on('disconnect', endAlone);
  else endAlone();
  return end;
}

/** From now on the time of day is `ms` later than this machine's (negative: earlier). */
function skewWallTime(ms: number): void {
  if (ms === 0) return;
  const RealDate = Date;
  const { now: realNow } = Date;
  const now = (): number => realNow() + ms;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, args, maker) => Reflect.construct(target, args.length === 0 ? [now()] : args, maker),
    // Date() without `new` returns the time as text.
    apply: () => new RealDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
}
