/** What the bot asked, in the order of receipt. */
import type { JournalEntry, ServiceName } from '../contracts/services.ts';

/** A sandbox left running for days keeps at least so many of the newest requests, and at most twice as many. */
const MAX_ENTRIES = 500_000;

export type Journal = {
  /** Notes a request on receipt; its `status` is filled in when an answer has been sent. */
  readonly note: (request: Omit<JournalEntry, 'status'>) => JournalEntry;
  /** Of this service, or both; only so many, the newest. */
  readonly entries: (service?: ServiceName, last?: number) => readonly JournalEntry[];
  /** How many requests came so far, also those that are not kept any more. */
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
 * A request's path without what must not be written down: the query (tickets, tokens, keys) and, for Slack's
 * response URLs (`/commands/…`, `/actions/…`, anything outside `/api/`), the last segment, which is the secret.
 */
export function journalPath(service: ServiceName, url: string): string {
  const path = url.split(/[?#]/, 1)[0] ?? '/';
  // A key belongs into no address; where one was put behind an encoded question mark, it is part of the path.
  if (service === 'management') return path.replace(/(api_key(?:=|%3D)).*$/i, '$1[masked]');
  if (path.startsWith('/api/')) return path;
  return path.replace(/^(\/[^/]+(?:\/.*)?\/)[^/]+$/, '$1[masked]');
}
