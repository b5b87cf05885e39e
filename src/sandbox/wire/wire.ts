/**
 * The wire between the bot and the services: every request of the bot is recorded in the journal and may be hit by a
 * fault. The services know of neither.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Clock } from '../../lib/clock.ts';
import type { ActiveFault, Fault, JournalEntry, Mount, ServiceName, Wire } from '../contracts/services.ts';
import { foreignCaller } from '../foreign-caller.ts';
import { listenOnLoopback } from './listen.ts';
import { type RecordRequest, requestListener, upgradeListener } from './request-path.ts';

/** A wire with an empty journal and no faults. */
export function createWire({ clock }: { readonly clock: Pick<Clock, 'now'> }): Wire {
  const journal = createJournal();
  const faults = createFaultList();

  /** Ends the delays of late requests: after a reset, nothing from before may happen. */
  let epoch = new AbortController();

  const receive: RecordRequest = (service, incoming) => {
    const method = incoming.method ?? 'GET';
    const path = journalPath(service, incoming.url ?? '/');
    const fault = faults.takeFor(service, `${method} ${path}`);
    const met = fault === undefined ? {} : { fault: fault.kind };
    const entry = journal.note({ at: clock.now(), service, method, path, ...met });
    return { entry, fault, clock, epoch: epoch.signal };
  };

  return {
    journal: journal.entries,
    requests: journal.total,
    inject: faults.add,
    faults: faults.active,
    clearFaults: faults.clear,
    reset() {
      epoch.abort();
      epoch = new AbortController();
      journal.clear();
      faults.clear();
    },
    serve: (options) =>
      listenOnLoopback((server) => {
        const listener = requestListener(options, receive);
        const mounted = options.mount === undefined ? listener : mountPaths(options.mount, listener);
        const upgrade = upgradeListener(options, receive);
        server.on('request', (incoming, outgoing) => {
          const { host, origin } = incoming.headers;
          const why = foreignCaller(host, origin);
          if (why === null) mounted(incoming, outgoing);
          else outgoing.writeHead(403).end(why);
        });
        server.on('upgrade', (incoming, socket, head) => {
          const { host, origin } = incoming.headers;
          if (foreignCaller(host, origin) === null) upgrade(incoming, socket, head);
          else socket.destroy();
        });
      }, options.port),
  };
}

/** A sandbox that runs for days keeps at least this many of the newest requests, and at most twice as many. */
const MAX_ENTRIES = 500_000;

export function createJournal(maxEntries = MAX_ENTRIES) {
  let older: JournalEntry[] = [];
  let newer: JournalEntry[] = [];
  let total = 0;
  return {
    /** Records a request on receipt; its `status` is set when an answer was sent. */
    note(request: Omit<JournalEntry, 'status'>): JournalEntry {
      const entry: JournalEntry = { ...request, status: null };
      if (newer.length === maxEntries) {
        older = newer;
        newer = [];
      }
      newer.push(entry);
      total += 1;
      return entry;
    },
    entries(service?: ServiceName, last = Number.POSITIVE_INFINITY): readonly JournalEntry[] {
      const found: JournalEntry[] = [];
      for (const part of [newer, older])
        for (let index = part.length - 1; index >= 0 && found.length < last; index -= 1) {
          const entry = part[index];
          if (entry && (service === undefined || entry.service === service)) found.push(entry);
        }
      return found.reverse();
    },
    total: (): number => total,
    clear(): void {
      total = 0;
      older = [];
      newer = [];
    },
  };
}

/**
 * A request's path without secrets: no query (tickets, tokens, keys) and, for Slack's response URLs (`/commands/…`,
 * `/actions/…`, anything outside `/api/`), without the last segment, which is the secret.
 */
function journalPath(service: ServiceName, url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '/';
  // Keys do not belong in addresses; one after an encoded question mark is part of the path, so it is masked here.
  if (service === 'management') return path.replace(/(api_key(?:=|%3D)).*$/i, '$1[masked]');
  if (path.startsWith('/api/')) return path;
  return path.replace(/^(\/[^/]+(?:\/.*)?\/)[^/]+$/, '$1[masked]');
}

type PendingFault = { readonly fault: Fault; left: number };

function createFaultList() {
  let waiting: PendingFault[] = [];
  return {
    add(fault: Fault): void {
      const left = fault.times ?? Number.POSITIVE_INFINITY;
      if (left > 0) waiting.push({ fault, left });
    },
    /** Counts it down; undefined when there is none. */
    takeFor(service: ServiceName, request: string): Fault | undefined {
      const met = waiting.find(({ fault }) => fault.service === service && matches(request, fault.match));
      if (!met) return undefined;
      met.left -= 1;
      if (met.left <= 0) waiting = waiting.filter((other) => other !== met);
      return met.fault;
    },
    active: (): readonly ActiveFault[] =>
      waiting.map(({ fault: { times, ...fault }, left }) => ({
        ...fault,
        left: times === undefined ? null : left,
      })),
    clear(): void {
      waiting = [];
    },
  };
}

/** `{id}` and the like match one part of a path, as in the interface's document. */
function matches(request: string, match: string): boolean {
  if (!match.includes('{')) return request.includes(match);
  const parts = match.split(/\{[^{}/]*\}/).map((part) => RegExp.escape(part));
  return new RegExp(parts.join('[^/]+')).test(request);
}

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/** Passes requests below the root to `inner`, without the root in their path, and the others to `beside`. */
function mountPaths({ root, beside }: Mount, inner: Listener): Listener {
  const other = getRequestListener(beside, { overrideGlobalObjects: false });
  return (incoming, outgoing) => {
    const below = pathBelow(root, incoming.url ?? '/');
    if (below === undefined) {
      void other(incoming, outgoing);
      return;
    }
    incoming.url = below;
    inner(incoming, outgoing);
  };
}

/** `/api/servers?o=1` below `/api` is `/servers?o=1`; `/apis` is not below it. */
function pathBelow(root: string, url: string): string | undefined {
  if (!url.startsWith(root)) return undefined;
  const rest = url.slice(root.length);
  if (rest === '' || rest.startsWith('?')) return `/${rest}`;
  return rest.startsWith('/') ? rest : undefined;
}
