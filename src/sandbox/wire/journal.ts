/** The bot's requests, in the order of receipt. */
import type { JournalEntry, ServiceName } from '../contracts/services.ts';

/** A sandbox that runs for days keeps at least this many of the newest requests, and at most twice as many. */
const MAX_ENTRIES = 500_000;

export type Journal = {
  /** Records a request on receipt; its `status` is set when an answer was sent. */
  readonly note: (request: Omit<JournalEntry, 'status'>) => JournalEntry;
  /** The newest `last` entries, of one service or of both. */
  readonly entries: (service?: ServiceName, last?: number) => readonly JournalEntry[];
  /** Requests received so far, including dropped ones. */
  readonly total: () => number;
  readonly clear: () => void;
};

export function createJournal(maxEntries = MAX_ENTRIES): Journal {
  let older: JournalEntry[] = [];
  let newer: JournalEntry[] = [];
  let total = 0;
  return {
    note(request) {
      const entry: JournalEntry = { ...request, status: null };
      if (newer.length === maxEntries) {
        older = newer;
        newer = [];
      }
      newer.push(entry);
      total += 1;
      return entry;
    },
    entries(service, last = Number.POSITIVE_INFINITY) {
      const found: JournalEntry[] = [];
      for (const part of [newer, older])
        for (let index = part.length - 1; index >= 0 && found.length < last; index -= 1) {
          const entry = part[index];
          if (entry && (service === undefined || entry.service === service)) found.push(entry);
        }
      return found.reverse();
    },
    total: () => total,
    clear() {
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
export function journalPath(service: ServiceName, url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '/';
  // Keys do not belong in addresses; one after an encoded question mark is part of the path, so it is masked here.
  if (service === 'management') return path.replace(/(api_key(?:=|%3D)).*$/i, '$1[masked]');
  if (path.startsWith('/api/')) return path;
  return path.replace(/^(\/[^/]+(?:\/.*)?\/)[^/]+$/, '$1[masked]');
}
