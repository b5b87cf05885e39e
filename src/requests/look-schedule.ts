/** How often a command is looked at, how long it is followed, and how long a failed read is tried again: pure. */
import type { FleetError } from '../fleet/fleet.ts';
import { DAY, HOUR, type Instant, later, MINUTE, SECOND } from '../lib/clock.ts';
import { MAX_CLAIM_WAIT_MS, type RequestTarget } from '../store/port/request-records.ts';

/** An online device proves a command within this time, or not at all as far as we can say. */
const ONLINE_DEADLINE_MS = 30 * MINUTE;
/** A queued command waits for an offline device; after a week nobody remembers asking. */
const OFFLINE_DEADLINE_MS = 7 * DAY;
/** The service is asked rarely about a device that cannot answer, and ever more rarely: its return is seen by other reads. */
const OFFLINE_LOOK_MS = 5 * MINUTE;
const MAX_OFFLINE_LOOK_MS = HOUR;
/** The pause is this part of the time that nothing happened: some 200 looks in a week. */
const OFFLINE_LOOK_SHARE = 12;

/** Until when each pause holds, counted from the last thing that happened: 5 s, 5, 10, 10, 15, 30, then 60 s. */
const LOOK_INTERVALS = [
  { until: 10 * SECOND, pauseMs: 5 * SECOND },
  { until: 30 * SECOND, pauseMs: 10 * SECOND },
  { until: 45 * SECOND, pauseMs: 15 * SECOND },
  { until: 75 * SECOND, pauseMs: 30 * SECOND },
] as const;

/** Soon after something happened, then less and less; rarely while the device is offline or long away. */
export function nextLookAt(target: RequestTarget, connected: boolean | null, now: Instant): Instant {
  const quietMs = quietFor(target, now);
  const pauseMs = isAway(target, connected, now)
    ? clamp(Math.round(quietMs / OFFLINE_LOOK_SHARE), OFFLINE_LOOK_MS, MAX_OFFLINE_LOOK_MS)
    : (LOOK_INTERVALS.find(({ until }) => quietMs < until)?.pauseMs ?? MINUTE);
  return beforeDeadline(target, later(now, pauseMs), now);
}

/** Since the last thing that happened to it, as far as it was seen. */
function quietFor({ issuedAt, queuedAt, missedAt, answeredAt }: RequestTarget, now: Instant): number {
  return now - Math.max(issuedAt, queuedAt ?? 0, missedAt ?? 0, answeredAt ?? 0);
}

function isAway(target: RequestTarget, connected: boolean | null, now: Instant): boolean {
  return connected === false && (target.state === 'queued' || quietFor(target, now) > ONLINE_DEADLINE_MS);
}

/** Between two looks at a target by itself whose device is seen in lists meanwhile. */
const ALONE_LOOK_MS = 5 * MINUTE;
const MAX_ALONE_LOOK_MS = 10 * MINUTE;

/**
 * The same for a target whose device is seen in lists all the time: by itself it is looked at rarely, for what no list
 * shows, but soon where its answer was lost, or where a list of its queue may have been short.
 */
export function nextLookAloneAt(target: RequestTarget, connected: boolean | null, now: Instant): Instant {
  const quietMs = quietFor(target, now);
  const isUncertain = target.state === 'unknown' || target.missedAt !== null;
  if (isAway(target, connected, now) || (isUncertain && quietMs < MINUTE))
    return nextLookAt(target, connected, now);
  return beforeDeadline(target, later(now, clamp(quietMs, ALONE_LOOK_MS, MAX_ALONE_LOOK_MS)), now);
}

/** What is not proven by its deadline ends then. */
export function beforeDeadline({ deadlineAt }: RequestTarget, next: Instant, now: Instant): Instant {
  return deadlineAt > now ? earlier(next, deadlineAt) : next;
}

/** Whether its device is expected to act: one that is offline has a week, from when that is known. */
export function isExpectedSoon({ deadlineAt }: Pick<RequestTarget, 'deadlineAt'>, now: Instant): boolean {
  return deadlineAt <= expectedUntil(now);
}

/** The latest deadline of what is expected to act soon. */
export function expectedUntil(now: Instant): Instant {
  return later(now, ONLINE_DEADLINE_MS);
}

/** When the following of a command ends that was sent at `issuedAt`. */
export function initialDeadline(issuedAt: Instant, connected: boolean | null): Instant {
  return later(issuedAt, connected === false ? OFFLINE_DEADLINE_MS : ONLINE_DEADLINE_MS);
}

/** A week while the device is offline, half an hour from its return; not longer where it is in no queue. */
export function updatedDeadline(target: RequestTarget, connected: boolean | null, now: Instant): Instant {
  const week = later(target.issuedAt, OFFLINE_DEADLINE_MS);
  if (target.state === 'unknown')
    return earlier(target.deadlineAt, later(target.issuedAt, ONLINE_DEADLINE_MS));
  if (connected === false) return week;
  if (connected === null || target.deadlineAt <= later(target.issuedAt, ONLINE_DEADLINE_MS))
    return target.deadlineAt;
  return earlier(target.deadlineAt, later(now, ONLINE_DEADLINE_MS));
}

/**
 * An edit shows at once where it was taken; some of the service's work on tags takes longer (management API in
 * practice, 7).
 */
export const EDIT_DEADLINE_MS = 5 * MINUTE;

/** After this a command is given up even when the service cannot be read. */
export function lastLookAt(target: RequestTarget): Instant {
  return later(target.issuedAt, OFFLINE_DEADLINE_MS);
}

/** Doubled for each failed read in a row, up to five minutes, and never less than the service asks for. */
export function retryAt(error: FleetError, failures: number, now: Instant): Instant {
  const pause = Math.min(5 * SECOND * 2 ** Math.min(failures, 10), OFFLINE_LOOK_MS);
  return later(now, error.kind === 'throttled' ? Math.max(pause, error.retryAfterMs) : pause);
}

/** The last read before sending comes so long before the end, where the next pause would go beyond that. */
const LAST_READ_MARGIN_MS = SECOND;
/** Soon, because somebody waits, and before `end`, from which on nothing is sent. Null: too late. */
export function retryBefore(
  end: Instant,
  { error, attempts, now }: { readonly error: FleetError; readonly attempts: number; readonly now: Instant },
): Instant | null {
  const pause = promptPauseMs(attempts);
  const isThrottled = error.kind === 'throttled';
  const wanted = isThrottled ? Math.max(pause, error.retryAfterMs) : pause;
  const next = later(now, Math.min(wanted, MAX_CLAIM_WAIT_MS));
  if (next < end) return next;
  const last = later(end, -LAST_READ_MARGIN_MS);
  return isThrottled || now >= last ? null : last;
}

/** Whether a `ready` target may be claimed, the same as `TargetStore.claimable` finds. */
export function mayBeClaimed({ nextAt }: Pick<RequestTarget, 'nextAt'>, now: Instant): boolean {
  return nextAt === null || nextAt <= now || nextAt > later(now, MAX_CLAIM_WAIT_MS);
}

/** When to claim again what certainly never left: longer each time, and as long as the limits or the service ask for. */
export function retryUnsentAt(retryAfterMs: number | null, attempts: number, now: Instant): Instant {
  const pause = Math.max(promptPauseMs(attempts), retryAfterMs ?? 0);
  return later(now, Math.min(pause, MAX_CLAIM_WAIT_MS));
}

/** Where somebody waits: doubled from two seconds to a minute. */
function promptPauseMs(attempts: number): number {
  return Math.min(2 * SECOND * 2 ** Math.min(attempts, 5), MINUTE);
}

function clamp(ms: number, least: number, most: number): number {
  return Math.min(Math.max(ms, least), most);
}

function earlier(a: Instant, b: Instant): Instant {
  return a <= b ? a : b;
}
