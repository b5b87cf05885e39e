/**
 * Rollouts beyond what a bench can run: the plan, the waves, the limits, the looks and the reading ahead of the product,
 * with requests that take their time on a virtual clock and no database. `node test/bench/rollouts/print-simulation.ts`
 * prints the table.
 */
import { createRequestLimits } from '../../../src/fleet/limits/rate-limits.ts';
import { HOUR, type Instant, instant, later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { LIST_PAGE, listPages } from '../../../src/lib/lists.ts';
import { firstListLookAt, nextListLookAt } from '../../../src/requests/many-devices.ts';
import {
  isReadDue,
  type LastRead,
  MAX_KEPT,
  MAX_LISTED_AGE_MS,
} from '../../../src/requests/run/wave-readings.ts';
import { planRollout, waveRange } from '../../../src/rollout/plan.ts';
import { afterEnd, startRollout } from '../../../src/rollout/progress.ts';
import type { PositionRange } from '../../../src/store/port/request-records.ts';
import { CALLS, type CallKind } from './simulated-service.ts';

const START = instant(Date.UTC(2026, 5, 5));
/** Background calls at once: one of four is kept for people. */
const PLACES = 3;
/** A device restarts, and the service notes it, within this time. */
const RESTART_MS = [30 * SECOND, 150 * SECOND] as const;

/** A rollout of reboots to the whole fleet. */
export function simulate(devices: number, latencyMs: number) {
  const service = createService(latencyMs);
  const looks = createLooks(service, devices);
  let rollout = startRollout(planRollout(devices), START);
  for (;;) {
    const range = waveRange(rollout.plan, rollout.wave);
    if (range === null) break;
    runWave(service, looks, { range, pages: listPages(devices) });
    const total = range.to - range.from;
    const after = afterEnd(rollout, { total, open: 0, verified: total, notSent: 0 }, service.now());
    if (after === rollout) break;
    rollout = after;
  }
  const { list, queue, command, device } = service.counts;
  return {
    hours: (service.now() - START) / HOUR,
    requests: list + queue + command + device,
    pages: list,
    singles: queue + command + device,
    walkMinutes: looks.longestMs() / MINUTE,
  };
}

type Service = ReturnType<typeof createService>;

function createService(latencyMs: number) {
  let now = START;
  const limits = createRequestLimits({
    now: () => now,
    elapsed: () => now,
    at: () => ({ cancel: () => undefined }),
  });
  const places = Array.from({ length: PLACES }, () => START);
  const counts = { list: 0, queue: 0, command: 0, device: 0 };
  const freeAt = (kind: CallKind): Instant => limits.freeAt(CALLS[kind], 'background', now);
  return {
    counts,
    now: () => now,
    wait: (ms: number): void => {
      now = later(now, ms);
    },
    /** Makes a request on the first free place. */
    call: (kind: CallKind): void => {
      const place = places.indexOf(instant(Math.min(...places)));
      now = instant(Math.max(now, places[place] ?? now));
      now = instant(Math.max(now, freeAt(kind)));
      limits.take(CALLS[kind], now);
      counts[kind] += 1;
      places[place] = later(now, latencyMs);
    },
    /** Whether a page may be read now; others go on meanwhile. */
    mayPage: (): boolean => freeAt('list') <= now,
  };
}

/** Pages that are read while devices are sent. */
type Walk = { readonly onPage: (page: number) => void; readonly onEnd: () => void; page: number };

type Looks = ReturnType<typeof createLooks>;

/** Walks that show which devices restarted. */
function createLooks({ now }: Service, devices: number) {
  const pages = listPages(devices);
  const shownAt = new Float64Array(devices);
  const isSeen = new Uint8Array(devices);
  const toProve: number[] = [];
  let longestMs = 0;
  let startsAt: Instant | null = null;

  const onPage = (page: number): void => {
    for (let at = page * LIST_PAGE; at < Math.min((page + 1) * LIST_PAGE, devices); at += 1) {
      const shown = shownAt[at] ?? 0;
      if (shown === 0 || shown > now() || isSeen[at] === 1) continue;
      isSeen[at] = 1;
      toProve.push(at);
    }
  };
  const begin = (): Walk => {
    const startedAt = now();
    startsAt = null;
    const onEnd = (): void => {
      longestMs = Math.max(longestMs, now() - startedAt);
      startsAt = nextListLookAt(startedAt, pages);
    };
    return { page: 0, onPage, onEnd };
  };
  return {
    toProve,
    longestMs: () => longestMs,
    /** A wave began: the walk of the one before it is over. */
    reset: (): void => {
      startsAt = firstListLookAt(now());
    },
    beginIfDue: (): readonly Walk[] => (startsAt !== null && now() >= startsAt ? [begin()] : []),
    sent: (device: number): void => {
      const [least, most] = RESTART_MS;
      shownAt[device] = now() + least + ((device * 7_919) % (most - least));
    },
  };
}

type SimulatedWave = { readonly range: PositionRange; readonly pages: number };

function runWave(service: Service, looks: Looks, wave: SimulatedWave): void {
  const { range, pages } = wave;
  const readings = createReadings(service, wave);
  const walks: Walk[] = [];
  let next = range.from;
  let proven = 0;
  looks.reset();
  while (proven < range.to - range.from) {
    walks.push(...looks.beginIfDue(), ...(next < range.to ? readings.beginIfDue(next) : []));
    const walk = service.mayPage() ? walks.shift() : undefined;
    if (walk !== undefined) {
      service.call('list');
      walk.onPage(walk.page);
      walk.page += 1;
      if (walk.page === pages) walk.onEnd();
      else walks.push(walk);
    } else if (looks.toProve.pop() !== undefined) {
      service.call('queue');
      proven += 1;
    } else if (next < range.to) {
      if (!readings.isKnown(next)) service.call('device');
      service.call('queue');
      service.call('command');
      looks.sent(next);
      next += 1;
    } else service.wait(SECOND);
  }
}

/** What the claims of a wave need not read again: read before its first device is sent, and ahead while others are. */
function createReadings({ now, call }: Service, { range, pages }: SimulatedWave) {
  const isPaged = range.to - range.from > pages;
  let last: LastRead & { readonly rowsAt: Float64Array };
  let isReading = false;

  const begin = (from: number): Walk => {
    const read = { readAt: now(), from, keptTo: from + MAX_KEPT, rowsAt: new Float64Array(pages) };
    isReading = true;
    return {
      page: 0,
      onPage: (page) => {
        read.rowsAt[page] = now();
      },
      onEnd: () => {
        last = read;
        isReading = false;
      },
    };
  };
  const first = begin(range.from);
  for (let at = 0; at < (isPaged ? pages : range.to - range.from); at += 1) {
    call(isPaged ? 'list' : 'device');
    if (isPaged) first.onPage(at);
  }
  first.onEnd();

  return {
    beginIfDue: (position: number): readonly Walk[] => {
      const isDue = !isReading && isReadDue(last, { now: now(), position, to: range.to, pages });
      return isPaged && isDue ? [begin(position)] : [];
    },
    isKnown: (position: number): boolean => {
      if (!isPaged) return true;
      const rowAt = last.rowsAt[Math.floor(position / LIST_PAGE)] ?? 0;
      return position < last.keptTo && now() - rowAt <= MAX_LISTED_AGE_MS;
    },
  };
}
