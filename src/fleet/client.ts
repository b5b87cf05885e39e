/**
 * The client of the management service: one address, one key, one organization. Reader, writer and editor
 * share the connections, the scheduler and its limits. Knows nothing of Slack, of storage, or of who asks.
 */
import { type Clock, createClock, later } from '../lib/clock.ts';
import type { OrganizationId } from '../lib/ids.ts';
import type { ProxySettings } from '../lib/proxy.ts';
import type { Secret } from '../lib/secret.ts';
import { DIALECTS, type DialectName } from './dialect.ts';
import { createEditor } from './editor/editor.ts';
import type { FleetReader, FleetWriter } from './fleet.ts';
import { type CallFigures, createCalls } from './http/calls.ts';
import { createHttp } from './http/http-client.ts';
import type { MayWrite } from './http/write-permit.ts';
import { createCircuitBreaker } from './limits/circuit-breaker.ts';
import type { LimitOptions } from './limits/rate-limits.ts';
import type { RequestBudget } from './limits/request-budget.ts';
import { createScheduler } from './limits/scheduler.ts';
import type { FleetEditor } from './model/edits.ts';
import { createFleetReader } from './reads/reader.ts';
import { createReads } from './reads/reads.ts';
import { createWriter } from './writer.ts';

export type FleetClientOptions = {
  /** Root of the interface, with or without a trailing slash. */
  readonly baseUrl: string;
  readonly apiKey: Secret;
  readonly organizationId: OrganizationId;
  /** In which of its forms the service is spoken to (live). */
  readonly dialect?: DialectName;
  /** Where waiting lives; one of its own that ticks with wall time where none is given. */
  readonly clock?: Clock;
  /** In [0, 1): the jitter between repeated reads. */
  readonly random?: () => number;
  /** For a call, its turn and its repetitions included (20 s); wall time. */
  readonly deadlineMs?: number;
  /** For one attempt of a read (10 s); wall time. */
  readonly attemptMs?: number;
  /** Calls at once (4). */
  readonly concurrency?: number;
  /** Requests in a stretch of clock (published). */
  readonly limits?: LimitOptions;
  /** Asked before every write; absent: all may. Where it throws, nothing is sent. */
  readonly mayWrite?: MayWrite;
  /** Shared with other processes that use the key; in place of `limits`. */
  readonly budget?: RequestBudget | null;
  /** Longest answer, compressed or not (32 MiB). */
  readonly maxResponseBytes?: number;
  readonly connectTimeoutMs?: number;
  /** Absent: the service is reached straight. */
  readonly proxy?: ProxySettings | null;
};

export type FleetClient = {
  readonly reader: FleetReader;
  readonly writer: FleetWriter;
  readonly editor: FleetEditor;
  /** How the calls go, for whoever watches the process. */
  readonly figures: () => CallFigures;
  /** Reads in flight, and calls that wait for a turn, end at once; a write in flight still learns its answer. May be called again. */
  readonly close: () => Promise<void>;
};

/** Clients of one key should share one of these: two do not know of each other's requests. Nothing is sent yet. */
export function createFleetClient(options: FleetClientOptions): FleetClient {
  const { organizationId, random = Math.random, deadlineMs, attemptMs, concurrency = 4 } = options;
  const { mayWrite, budget = null } = options;
  const ownClock = createClock();
  const clock = options.clock ?? ownClock;
  const scheduler = createScheduler({ clock, concurrency, limits: options.limits, budget });
  const breaker = createCircuitBreaker(clock);
  const http = createHttp({ ...options, connections: concurrency, onCount: scheduler.applyRateLimit });
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
    figures: calls.figures,
    async close() {
      closing.resolve();
      scheduler.close();
      ownClock.stop();
      await http.close();
    },
  };
}

/** Ends early with `closing`; a caller's own abort throws its reason. */
async function waitOnClock(
  clock: Clock,
  ms: number,
  closing: Promise<void>,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  const over = Promise.withResolvers<void>();
  const timer = clock.at(later(clock.now(), ms), over.resolve);
  signal?.addEventListener('abort', () => over.resolve(), { once: true });
  await Promise.race([over.promise, closing]);
  timer.cancel();
  signal?.throwIfAborted();
}
