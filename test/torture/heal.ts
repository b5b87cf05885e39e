/**
 * Makes the world whole again and waits until nothing is left to be done, which is read from the database and the
 * journal. Where that does not come, the checker finds what is stuck.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { readTables } from './checker/tables.ts';
import type { Schedule } from './schedule.ts';
import type { Stage } from './stage.ts';

/** Wall time that all of it may take: far more than the longest wait of the product, on a busy machine. */
const LONGEST_MS = 300_000;
const LOOK_EVERY_MS = 1_000;
/** Nothing in a channel changes for so long, on wall time. */
const QUIET_MS = 4_000;
/** What nobody waits for, the ends of requests, of silences and of commands that a device has not taken; and all of later. */
const MAY_WAIT: readonly string[] = ['expire', 'silence', 'follow'];
const LATER_MS = 2 * 60 * 60_000;

/**
 * Resolves when all is quiet, or when that takes too long; says which, and why. Where only up-to-date cards are still
 * watched, being well is enough.
 */
export async function heal(
  stage: Stage,
  { steps }: Schedule,
  isWell: () => Promise<boolean>,
): Promise<{ readonly quiet: boolean; readonly why: string }> {
  const { client, replicas } = stage;
  const end = performance.now() + LONGEST_MS;
  await client.clearFaults();
  await client.bot({ do: 'resume' });
  // A process whose clock is wrong is replaced; the others keep what they remember.
  if (steps.some(({ deed }) => deed.do === 'bot' && deed.skew !== undefined))
    await client.bot({ do: 'stop' });
  await untilStarted(stage, end);
  await untilLateIsDone(stage, end);
  // Requests expire, commands are proved, storms close.
  for (const step of ['30s', '30s', '2m', '5m', '10m', '15m', '20m']) await client.advance(step);
  let why = '';
  let quietSince: number | null = null;
  for (let seen = ''; performance.now() < end; ) {
    const report = await client.botReport();
    if (report.running < replicas) await untilStarted(stage, end);
    const now = await restlessness(stage);
    why = now.why;
    if ((why === '' || now.watchesOnly) && now.sign === seen) quietSince ??= performance.now();
    else quietSince = null;
    seen = now.sign;
    const isQuiet = quietSince !== null && performance.now() - quietSince >= QUIET_MS;
    if (isQuiet && (why === '' || (await isWell()))) return { quiet: true, why: '' };
    // What waits for its next attempt gets there.
    if (why !== '') await client.advance('20s');
    await pause(LOOK_EVERY_MS);
  }
  return { quiet: false, why };
}

async function untilStarted({ client, replicas }: Stage, end: number): Promise<void> {
  while (performance.now() < end) {
    const { ok } = await client.bot({ do: 'start', count: replicas });
    if (ok) return;
    await pause(LOOK_EVERY_MS);
  }
}

/** What was received late is carried out, or its time is over. */
async function untilLateIsDone({ client }: Stage, end: number): Promise<void> {
  const begun = performance.now();
  while (performance.now() < Math.min(end, begun + 30_000)) {
    const journal = await client.journal();
    const open = journal.filter(({ fault, sent, done }) => fault === 'late' && sent !== undefined && !done);
    if (open.length === 0) return;
    await pause(LOOK_EVERY_MS);
  }
}

type Restlessness = {
  /** What is still to be done; empty where nothing is. */
  readonly why: string;
  /** Only cards that are up to date, of which calls may still be on the way: none is, all late ones are through. */
  readonly watchesOnly: boolean;
  /** Changes with every message that is sent. */
  readonly sign: string;
};

async function restlessness({ client, databaseUrl }: Stage): Promise<Restlessness> {
  const { clock } = await client.state();
  const { total } = await client.journalTail(1);
  const { requests } = await client.journalTail(300);
  const sends = requests
    .filter(({ path }) => path.startsWith('/api/chat.'))
    .map(({ at, path }) => `${at} ${path}`);
  const tables = await readTables(databaseUrl).catch((error: unknown) => String(error));
  if (typeof tables === 'string') return { why: tables, watchesOnly: false, sign: String(total) };
  const open = tables.work.filter(
    ({ kind, due_at: due, lease_token: lease }) =>
      lease !== null ||
      Number(due) <= clock ||
      (Number(due) < clock + LATER_MS && !MAY_WAIT.includes(String(kind))),
  );
  const why = open.map(({ kind, key }) => `${String(kind)} ${String(key)}`).join(', ');
  const upToDate = new Set(
    tables.cards
      .filter(({ ts, wanted_revision: wanted, shown_revision: shown }) => ts !== null && wanted === shown)
      .map(({ key }) => key),
  );
  const watchesOnly = open.every(({ kind, key }) => kind === 'card' && upToDate.has(key));
  return { why, watchesOnly, sign: sends.join() };
}
