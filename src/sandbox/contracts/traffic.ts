/** Traffic between the bot and a service: recorded requests, and the faults applied to them. */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

export type ServiceName = 'management' | 'slack';

/** What a write requested, without tokens: the service's JSON body, or the facts of a Slack message. */
export type SentFacts = Readonly<Record<string, unknown>>;

/** A request of the bot, recorded when received; `status` is null where no answer was sent. */
export type JournalEntry = {
  readonly at: number;
  readonly service: ServiceName;
  readonly method: string;
  readonly path: string;
  status: number | null;
  /** The fault applied to it. */
  readonly fault?: FaultKind;
  /** Only for requests that may change something. */
  sent?: SentFacts;
  /** What the service itself answered, and when, whether or not the answer was sent. Only beside `sent`. */
  done?: { readonly at: number; readonly status: number };
};

export type FaultKind =
  | 'status'
  | 'slow'
  | 'late'
  | 'cut'
  | 'cut-after'
  | 'malformed'
  | 'throttle'
  | 'answer'
  | 'list';
export type Fault = {
  readonly service: ServiceName;
  /** A part of `"METHOD /path"`. */
  readonly match: string;
  readonly kind: FaultKind;
  /** How many more requests it affects; absent: until it is removed. */
  readonly times?: number;
  readonly status?: number;
  readonly ms?: number;
  /** Seconds; absent: a throttled management service sends none, as the real one, and Slack sends 1. */
  readonly retry_after?: number;
  /** Of `answer`: the JSON that is sent after the work is done, instead of what the service answered. */
  readonly body?: unknown;
  /** Of `list`: only so many of its first rows, or always this page. */
  readonly take?: number;
  readonly page?: number;
};

/** A fault in effect: for `left` more requests, `null` until it is removed. */
export type ActiveFault = Omit<Fault, 'times'> & { readonly left: number | null };

/** The wire between the bot and the services: records requests and applies faults. */
export type Wire = {
  /** The newest `last` entries, of one service or of both. */
  readonly journal: (service?: ServiceName, last?: number) => readonly JournalEntry[];
  /** Requests received so far, including those that the journal has dropped. */
  readonly requests: () => number;
  readonly inject: (fault: Fault) => void;
  /** The active faults, in the order in which they were added. */
  readonly faults: () => readonly ActiveFault[];
  readonly clearFaults: () => void;
  /** Clears journal and faults. */
  readonly reset: () => void;
  /** Starts an HTTP server on 127.0.0.1 (`port` 0: a free one) whose requests pass through journal and faults. */
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
  /** Path before the service's own paths, such as `/api`; the service, journal and faults do not see it. */
  readonly root: string;
  /** Answers everything else, without journal and faults. */
  readonly beside: (request: Request) => Response | Promise<Response>;
};
export type Served = { readonly url: string; readonly port: number; readonly stop: () => Promise<void> };
