/** Stored interactions in memory; the real store has its own tests. */
import { type Instant, later, type MovableClock } from '../../../src/lib/clock.ts';
import { organizationId } from '../../../src/lib/ids.ts';
import type { Inbox, InboxOptions } from '../../../src/slack/interactions/inbox.ts';
import type { ClaimedWork } from '../../../src/store/port/work-records.ts';

type Row = { readonly payload: string; dueAt: Instant; attempts: number };

/** `stores` rejects where nothing can be stored. */
export function createFakeWorkStore(stores: () => Promise<void> = async () => undefined) {
  const rows = new Map<string, Row>();
  const read = (key: string): unknown => JSON.parse(rows.get(key)?.payload ?? 'null');
  const work: InboxOptions['store']['work'] = {
    async insert({ key, dueAt, payload }) {
      await stores();
      if (rows.has(key)) return 'exists';
      rows.set(key, { payload: JSON.stringify(payload), dueAt, attempts: 0 });
      return 'inserted';
    },
    async put({ key, dueAt, payload }) {
      rows.set(key, { payload: JSON.stringify(payload), dueAt, attempts: rows.get(key)?.attempts ?? 0 });
    },
    async hasten(_kind, key, dueAt) {
      const row = rows.get(key);
      if (row !== undefined && row.dueAt > dueAt) row.dueAt = dueAt;
    },
  };
  const claim = (key: string, row: Row): ClaimedWork => {
    row.attempts += 1;
    const payload: unknown = JSON.parse(row.payload);
    const { dueAt, attempts } = row;
    const organization = organizationId(1);
    return {
      organizationId: organization,
      kind: 'inbox',
      key,
      dueAt,
      payload,
      attempts: attempts - 1,
      token: 't',
    };
  };

  /** Handles, as the worker does, everything due within `ms`, each at its time: the clock moves along. */
  const workOff = async (
    { handleWork: handle }: Pick<Inbox, 'handleWork'>,
    { clock, ms }: { readonly clock: MovableClock; readonly ms: number },
  ): Promise<void> => {
    const until = later(clock.now(), ms);
    for (;;) {
      const [next] = [...rows].toSorted(([, one], [, other]) => one.dueAt - other.dueAt);
      if (next === undefined || next[1].dueAt > until) return;
      const [key, row] = next;
      await clock.advance(row.dueAt - clock.now());
      const result = await handle(claim(key, row));
      if (result.kind === 'again') row.dueAt = result.dueAt;
      // Work that was enqueued again meanwhile stays for its new time.
      else if (rows.get(key) === row) rows.delete(key);
    }
  };
  return { work, workOff, keys: () => [...rows.keys()], read };
}
