/**
 * The client of the management service: one address, one key, one organization. Reader, writer and editor share the
 * connections, the scheduler and its limits. Knows nothing about Slack, storage or who asks.
 */
import { type Clock, createClock, type Instant, later, waitOn } from '../lib/clock.ts';
import type { OrganizationId } from '../lib/ids.ts';
import type { Secret } from '../lib/log.ts';
import type { ProxySettings } from '../lib/proxy.ts';
import { DIALECTS, type DialectName } from './dialect.ts';
import { createEditor } from './editor/editor.ts';
import { createCalls, type MayWrite } from './http/calls.ts';
import { createHttp } from './http/http-client.ts';
import { createCircuitBreaker } from './limits/circuit-breaker.ts';
import type { LimitOptions, RequestBudget } from './limits/rate-limits.ts';
import { createScheduler } from './limits/scheduler.ts';
import { createFleetReader } from './reads/reader.ts';
import { createReads } from './reads/reads.ts';
import { createWriter } from './writer.ts';

export type FleetClientOptions = {
  /** Root of the interface, with or without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly organizationId: OrganizationId;
  /** Which form of the service's interface to use (default: live). */
  readonly dialect?: DialectName;
  /** Clock for waits (default: its own, which ticks with wall time). */
  readonly clock?: Clock;
  /** A number in [0, 1) for the jitter between retries of reads. */
  readonly random?: () => number;
  /** Deadline of a call, including its turn and retries, in milliseconds of wall time (default 20 s). */
  readonly deadlineMs?: number;
  /** Deadline of one attempt of a read, in milliseconds of wall time (default 10 s). */
  readonly attemptMs?: number;
  /** Calls at the same time (default 4). */
  readonly concurrency?: number;
  /** Rate limits, counted on the clock (default: the published ones). */
  readonly limits?: LimitOptions;
  /** Asked before every write; absent: all are allowed. When it throws, nothing is sent. */
  readonly mayWrite?: MayWrite;
  /** A budget shared with other processes that use the key; replaces `limits`. */
  readonly budget?: RequestBudget | null;
  /** Maximum size of an answer in bytes, compressed or not (default 32 MiB). */
  readonly maxResponseBytes?: number;
  /** Absent: the service is reached directly. */
  readonly proxy?: ProxySettings | null;
};

export type FleetClient = Readonly<ReturnType<typeof createFleetClient>>;

/** Code with the same key should share one: two clients don't know of each other's requests. */
export function createFleetClient(options: FleetClientOptions) {
  const { organizationId, random = Math.random, deadlineMs, attemptMs, concurrency = 4 } = options;
  const { mayWrite, budget = null } = options;
  const ownClock = createClock();
  const clock = options.clock ?? ownClock;
  const scheduler = createScheduler({ clock, concurrency, limits: options.limits, budget });
  const breaker = createCircuitBreaker(clock);
  const serviceClock = createServiceClock(clock);
  const http = createHttp({
    ...options,
    connections: concurrency,
    onCount: scheduler.applyRateLimit,
    onDate: serviceClock.note,
  });
  const closing = Promise.withResolvers<void>();
  const wait = (ms: number, signal?: AbortSignal) => waitOnClock(clock, ms, closing.promise, signal);
  const turns = { scheduler, budget, wait, mayWrite };
  const calls = createCalls({ ...turns, http, breaker, random, deadlineMs, attemptMs });
  const dialect = DIALECTS[options.dialect ?? 'live'];
  const reader = createFleetReader(calls, organizationId, dialect);
  return {
    reader,
    writer: createWriter(calls, organizationId, dialect),
    editor: createEditor({ calls, reads: createReads(calls), reader, organizationId, dialect, wait }),
    /** The time of the service's own clock, exact to about a second; null until it has stated one. */
    serviceNow: serviceClock.now,
    figures: calls.figures,
    /** Ends reads and waiting calls at once; a write in flight still gets its answer. May be called again. */
    async close(): Promise<void> {
      closing.resolve();
      scheduler.close();
      ownClock.stop();
      await http.close();
    },
  };
}

/** Resolves early with `closing`; throws the reason of a caller's own abort. */
async function waitOnClock(
  clock: Clock,
  ms: number,
  closing: Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const aborted = Promise.withResolvers<void>();
  signal?.addEventListener('abort', () => aborted.resolve(), { once: true });
  await waitOn(clock, ms, Promise.race([closing, aborted.promise]));
  signal?.throwIfAborted();
}

/** The service's own time, by the `Date` of its answers: its clock may be minutes apart from ours. */
function createServiceClock(clock: Clock) {
  let aheadMs: number | null = null;
  return {
    /** Takes the `Date` of an answer that has just arrived. */
    note(date: Instant): void {
      aheadMs = date - clock.now();
    },
    /** The service's time now, exact to about a second; null before its first answer with a `Date`. */
    now: (): Instant | null => (aheadMs === null ? null : later(clock.now(), aheadMs)),
  };
}
