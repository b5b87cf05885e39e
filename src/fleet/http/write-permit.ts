/**
 * Whether a write may still begin. A write waits for its turn and for a connection, and a pause of all changes in
 * that time applies to it too. So this is checked when the write gets its turn, again while it connects, and decided
 * at the last moment.
 */
import { monotonicNow, SECOND } from '../../lib/clock.ts';

/** Asks whoever can stop all writes. When it throws, nothing is sent. */
export type MayWrite = () => Promise<boolean>;

export type WritePermit = Readonly<ReturnType<typeof createWritePermit>>;

/** Time between two checks while it connects. */
const CHECK_INTERVAL_MS = SECOND / 2;
/** An older yes does not count: a pause has to take effect within two seconds. */
const VALID_MS = 1.5 * SECOND;

/** `mayStart`: whether its caller still wants it. `monotonic`: milliseconds of a time that nobody sets. */
export function createWritePermit(
  mayWrite: MayWrite,
  mayStart: () => boolean = () => true,
  monotonic: () => number = monotonicNow,
) {
  let checkedAt = 0;
  let allowed = false;
  let timer: NodeJS.Timeout | undefined;
  const check = async (): Promise<boolean> => {
    const askedAt = monotonic();
    try {
      allowed = await mayWrite();
      checkedAt = askedAt;
    } catch {
      allowed = false;
    }
    return allowed;
  };
  return {
    /** Asks now, and then repeatedly until {@link WritePermit.isValid} or `release`. */
    check(): Promise<boolean> {
      timer ??= setInterval(() => void check(), CHECK_INTERVAL_MS);
      return check();
    },
    /** Whether the last answer was yes and is recent enough, and the caller still wants it. Stops asking. */
    isValid(): boolean {
      // The request leaves now or never, so no more checks.
      clearInterval(timer);
      return allowed && monotonic() - checkedAt <= VALID_MS && mayStart();
    },
    release: (): void => clearInterval(timer),
  };
}
