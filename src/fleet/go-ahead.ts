/**
 * Whether a write may still begin. It waits for its turn and for a connection, and whoever stops all changes meanwhile
 * means this one, too: so it is asked when it has its turn, again while it connects, and judged at the last moment.
 */
import { monotonicNow, SECOND } from '../clock.ts';

/** Asked of whoever can stop all writes; where it throws, nothing is sent. */
export type MayWrite = () => Promise<boolean>;

export type GoAhead = {
  /** Asks now, and from now on until `end`. */
  readonly ask: () => Promise<boolean>;
  /** Whether the last answer was yes, and is not too old to be relied on. Ends the asking. */
  readonly holds: () => boolean;
  readonly end: () => void;
};

/** Between two questions while it connects. */
const EVERY_MS = SECOND / 2;
/** An older yes does not count: a stop is kept within two seconds. */
const GOOD_FOR_MS = 1.5 * SECOND;

/** For one write. */
export function createGoAhead(mayWrite: MayWrite): GoAhead {
  let askedAt = 0;
  let allowed = false;
  let timer: NodeJS.Timeout | undefined;
  const ask = async (): Promise<boolean> => {
    const now = monotonicNow();
    try {
      allowed = await mayWrite();
      askedAt = now;
    } catch {
      allowed = false;
    }
    return allowed;
  };
  return {
    ask() {
      timer ??= setInterval(() => void ask(), EVERY_MS);
      return ask();
    },
    holds() {
      // It leaves now, or never does: no more questions.
      clearInterval(timer);
      return allowed && monotonicNow() - askedAt <= GOOD_FOR_MS;
    },
    end: () => clearInterval(timer),
  };
}
