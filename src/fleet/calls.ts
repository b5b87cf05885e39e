/** Calls: a request with its turn, its deadline and, for reads, its repetitions. */
import { setTimeout as sleep } from 'node:timers/promises';
import { later, SECOND, wallNow } from '../clock.ts';
import { type Cause, fleetError } from './errors.ts';
import { FleetFailure, type ReadOptions } from './fleet.ts';
import type { Http, HttpRequest } from './http.ts';
import type { Lanes, Place } from './lanes.ts';
import type { Failed, Outcome } from './outcome.ts';
import { retryDelay } from './retry.ts';

/** For a whole call, its turn and its repetitions included. */
const DEFAULT_DEADLINE_MS = 20 * SECOND;
/** For one attempt: the live service needs under a second (management API in practice, 2.3). */
const DEFAULT_ATTEMPT_MS = 10 * SECOND;

export type CallsOptions = {
  readonly http: Http;
  readonly lanes: Lanes;
  readonly random: () => number;
  readonly deadlineMs?: number | undefined;
  readonly attemptMs?: number | undefined;
};
export type Calls = {
  /** The parsed body of a GET, or of a POST that is `safe`; throws {@link FleetFailure}. */
  readonly read: (request: HttpRequest, options: ReadOptions) => Promise<unknown>;
  /** Sends once, whatever the method, for a person who waits. */
  readonly write: (request: HttpRequest) => Promise<Outcome>;
};

export function createCalls(options: CallsOptions): Calls {
  const { http, lanes, random, deadlineMs = DEFAULT_DEADLINE_MS, attemptMs = DEFAULT_ATTEMPT_MS } = options;

  const once = async (request: HttpRequest, place: Place, timeoutMs: () => number): Promise<Outcome> => {
    const turn = await lanes.enter(place);
    if (turn.kind === 'late') return unsent(request, { kind: 'timeout' }, 'no turn in time');
    if (turn.kind === 'throttled') return unsent(request, turn, 'waiting for the rate limit');
    try {
      const outcome = await http.send(request, { timeoutMs: Math.max(1, timeoutMs()), signal: place.signal });
      if (outcome.kind === 'failed' && outcome.error.kind === 'throttled')
        lanes.pause(outcome.error.retryAfterMs);
      return outcome;
    } finally {
      turn.leave();
    }
  };

  return {
    async read(request, { lane = 'background', deadlineMs: asked, signal }) {
      const place: Place = { lane, deadline: later(wallNow(), asked ?? deadlineMs), signal };
      const left = () => place.deadline - wallNow();
      for (let attempts = 1; ; attempts += 1) {
        const outcome = await once(request, place, () => Math.min(attemptMs, left()));
        if (outcome.kind === 'answered') return outcome.json;
        const delay = retryDelay(outcome, { attempts, leftMs: left(), random: random() });
        if (delay === null) throw new FleetFailure(outcome.error);
        await pause(delay, signal);
      }
    },
    write(request) {
      const end = later(wallNow(), deadlineMs);
      // A write that got its turn late must not be cut short: that would make its outcome unknown.
      const place: Place = { lane: 'person', deadline: later(wallNow(), deadlineMs / 2) };
      return once(request, place, () => end - wallNow());
    },
  };
}

function unsent(request: HttpRequest, cause: Cause, detail: string): Failed {
  const error = fleetError(request, null, cause, detail);
  return { kind: 'failed', error, sent: false, passing: false, retryAfterMs: null };
}

async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await sleep(ms, undefined, { signal });
  } finally {
    // The timer would throw words of its own; a caller's abort ends in the caller's reason everywhere.
    signal?.throwIfAborted();
  }
}
