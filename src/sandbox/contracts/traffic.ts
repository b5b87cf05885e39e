/** What goes between the bot and a service: requests as they are recorded, and the faults that meet them. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

export type ServiceName = 'management' | 'slack';

/** What a request asked to change, without tokens: a JSON body of the service, or what a message of Slack was about. */
export type SentFacts = Readonly<Record<string, unknown>>;

/** One request that the bot made, recorded on receipt; `status` is null where none was sent. */
export type JournalEntry = {
  readonly at: number;
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  status: number | null;
  /** The fault that it met. */
  readonly fault?: FaultKind;
  /** Only of requests that may change something. */
  sent?: SentFacts;
  /** What the service itself answered, and when, whether or not the answer was sent. Beside `sent` only. */
  done?: { readonly at: number; readonly status: number };
};

export type FaultKind = 'status' | 'slow' | 'late' | 'cut' | 'cut-after' | 'malformed' | 'throttle';
export type Fault = {
  readonly service: ServiceName;
  /** A part of `"METHOD /path"`. */
  readonly match: string;
  readonly kind: FaultKind;
  /** How many more requests it takes; absent: until it is removed. */
  readonly times?: number;
  readonly status?: number;
  readonly ms?: number;
  /** Seconds; left out, a throttled management service says none, as the real one, and Slack says 1. */
  readonly retry_after?: number;
};

/** A fault as it stands: `left` more requests meet it, `null` until it is removed. */
export type ActiveFault = Omit<Fault, 'times'> & { readonly left: number | null };

/** The wire between the bot and a service: what was asked is recorded, and faults happen here. */
export type Wire = {
  /** Of this service, or both; only so many, the newest. */
  readonly journal: (service?: ServiceName, last?: number) => readonly JournalEntry[];
  /** How many requests came so far, also those that the journal has dropped. */
  readonly requests: () => number;
  readonly inject: (fault: Fault) => void;
  /** The faults that wait for requests, in the order of arrival. */
  readonly faults: () => readonly ActiveFault[];
  readonly clearFaults: () => void;
  /** Forgets journal and faults. */
  readonly reset: () => void;
  /** Starts an HTTP server on 127.0.0.1 (`port` 0: a free one) whose requests pass the journal and the faults. */
  readonly serve: (options: ServeOptions) => Promise<Served>;
};
export type ServeOptions = {
  readonly service: ServiceName;
  readonly port?: number;
  /** Web-standard handler, such as a Hono app's `fetch`. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** WebSocket upgrades; without it they are refused. */
  readonly upgrade?: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;
  readonly mount?: Mount;
};
/** A service that shares its address with something else. */
export type Mount = {
  /** What stands before the service's own paths, such as `/api`; the service, journal and faults do not see it. */
  readonly root: string;
  /** Answers everything else, past journal and faults. */
  readonly beside: (request: Request) => Response | Promise<Response>;
};
export type Served = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };
