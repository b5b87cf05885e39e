/** A round that never settles is reported, whatever the reason. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { organizationId } from '../../../src/lib/ids.ts';
import type { JournalEntry } from '../../../src/sandbox/contracts/services.ts';
import { openStore } from '../../../src/store/open.ts';
import { perTest } from '../../harness/per-test.ts';
import { type RecoveringStage, recover } from './recovery.ts';

const SOON = { longestMs: 200, lookEveryMs: 5, quietMs: 20 };
const NOTHING = { steps: [] };

/** A database without pending work. */
const database = perTest(
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'patchbay-heal-'));
    const path = join(folder, 'patchbay.sqlite');
    const store = await openStore({ database: { kind: 'sqlite', path }, organizationId: organizationId(1) });
    return { folder, path, store };
  },
  async ({ folder, store }) => {
    await store.close();
    await rm(folder, { recursive: true });
  },
);

const entry = (path: string): JournalEntry => ({
  at: 1,
  service: 'slack',
  method: 'POST',
  path,
  status: 200,
});

/** A stage whose bot has made these requests, of which only the last few are visible. */
function stage(
  requestsNow: () => readonly JournalEntry[],
  more: Partial<RecoveringStage['client']> = {},
): RecoveringStage {
  const ok = async () => ({ ok: true });
  return {
    databaseUrl: `sqlite:${database().path}`,
    replicas: 1,
    client: {
      advance: ok,
      bot: ok,
      clearFaults: ok,
      botReport: async () => ({ running: 1, places: [0], paused: [], lines: [] }),
      journal: async () => [],
      journalTail: async () => {
        const requests = requestsNow();
        return { requests: requests.slice(-3), total: requests.length };
      },
      state: async () => ({ clock: 1 }),
      ...more,
    },
  };
}

const healed = (patient: RecoveringStage) => recover(patient, NOTHING, async () => true, SOON);

it('reports nothing when there is no work and nothing is sent', async () => {
  expect(await healed(stage(() => [entry('/api/chat.update'), entry('/api/auth.test')]))).toBe('');
});

it('reports that the bot does not start', async () => {
  const bot = async ({ do: what }: { readonly do: string }) => ({ ok: what !== 'start' });
  expect(await healed(stage(() => [], { bot }))).toBe('the bot does not start');
});

it('reports that messages keep being sent', async () => {
  const requests: JournalEntry[] = [];
  const more = () => {
    requests.push(entry('/api/chat.update'));
    return requests;
  };
  expect(await healed(stage(more))).toBe('messages are still sent');
});

it('reports which work is pending', async () => {
  const { store } = database();
  await store.work.put({ kind: 'card', key: 'notice:n_1', dueAt: instant(2), payload: {} });
  expect(await healed(stage(() => []))).toBe('card notice:n_1');
});
