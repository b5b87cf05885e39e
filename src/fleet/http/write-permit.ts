/**
 * Whether a write may still begin. It waits for its turn and for a connection, and whoever stops all changes meanwhile
 * means this one, too: so it is asked when it has its turn, again while it connects, and judged at the last moment.
 */
import { monotonicNow, SECOND } from '../../lib/clock.ts';

/** Asked of whoever can stop all writes; where it throws, nothing is sent. */
export type MayWrite = () => Promise<boolean>;

export type WritePermit = {
  /** Asks now, and from now on until `end`. */
  readonly check: () => Promise<boolean>;
  /** Whether the last answer was yes, and is not too old to be relied on. Ends the asking. */
  readonly isValid: () => boolean;
  readonly release: () => void;
};

/** Between two questions while it connects. */
const CHECK_INTERVAL_MS = SECOND / 2;
/** An older yes does not count: a stop is kept within two seconds. */
const VALID_MS = 1.5 * SECOND;

/** For one write. */
export function createWritePermit(mayWrite: MayWrite): WritePermit {
  let checkedAt = 0;
  let allowed = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<boolean> => {
    const now = monotonicNow();
    try {
      allowed = await mayWrite();
      checkedAt = now;
    } catch {
      allowed = false;
    }
    return allowed;
  };
  return {
    check() {
      timer ??= setInterval(() => void check(), CHECK_INTERVAL_MS);
      return check();
    },
    isValid() {
      // It leaves now, or never does: no more questions.
      clearInterval(timer);
      return allowed && monotonicNow() - checkedAt <= VALID_MS;
    },
    release: () => clearInterval(timer),
  };
}
