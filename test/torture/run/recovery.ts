/**
 * Repairs the world and waits until no work is left, according to the database and the journal. If that does not
 * happen, the checker finds what is stuck.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client, SandboxStateAnswer } from '../../harness/client.ts';
import { readTables } from '../checker/tables.ts';
import type { Schedule } from '../schedule.ts';
import type { TortureStage } from './torture-stage.ts';

/** How often to check whether all is quiet, and the maximum time. */
export type RecoveryPace = {
  /** Maximum wall time for all of it. */
  readonly longestMs: number;
  readonly lookEveryMs: number;
  /** How long no channel may change, in wall time. */
  readonly quietMs: number;
};

/** Far more than the longest wait of the product, on a busy machine. */
const PACE: RecoveryPace = { longestMs: 300_000, lookEveryMs: 1_000, quietMs: 4_000 };
/** Work that may stay: the ends of requests, of silences, and of commands that a device has not taken. */
const MAY_WAIT: readonly string[] = ['expire', 'silence', 'follow'];
const LATER_MS = 2 * 60 * 60_000;

export type RecoveringStage = Pick<TortureStage, 'databaseUrl' | 'replicas'> & {
  readonly client: Pick<
    Client,
    'advance' | 'bot' | 'botReport' | 'clearFaults' | 'journal' | 'journalTail'
  > & {
    readonly state: () => Promise<Pick<SandboxStateAnswer, 'clock'>>;
  };
};

/**
 * Resolves with an empty text when all is quiet, or with what is still going on after too long. When only up-to-date
 * cards are still watched, that is enough.
 */
export async function recover(
  stage: RecoveringStage,
  { steps }: Pick<Schedule, 'steps'>,
  isWell: () => Promise<boolean>,
  pace = PACE,
): Promise<string> {
  const { client, replicas } = stage;
  const { longestMs, lookEveryMs, quietMs } = pace;
  const end = performance.now() + longestMs;
  await client.clearFaults();
  await client.bot({ do: 'resume' });
  // A process with a wrong clock is replaced; the others keep their memory.
  if (steps.some(({ deed }) => deed.do === 'bot' && deed.skew !== undefined))
    await client.bot({ do: 'stop' });
  if (!(await isStarted(stage, end, lookEveryMs))) return NOT_STARTED;
  await untilLateIsDone(stage, end, lookEveryMs);
  // Requests expire, commands are verified, groups of alerts close.
  for (const step of ['30s', '30s', '2m', '5m', '10m', '15m', '20m']) await client.advance(step);
  let unrest = 'nobody had the time to look';
  let quietSince: number | null = null;
  let newestSend = -1;
  while (performance.now() < end) {
    if ((await client.botReport()).running < replicas && !(await isStarted(stage, end, lookEveryMs)))
      return NOT_STARTED;
    const now = await openWorkOf(stage);
    unrest = now.why === '' ? 'messages are still sent' : now.why;
    if ((now.why === '' || now.watchesOnly) && now.newestSend <= newestSend) quietSince ??= performance.now();
    else quietSince = null;
    newestSend = Math.max(newestSend, now.newestSend);
    const isQuiet = quietSince !== null && performance.now() - quietSince >= quietMs;
    if (isQuiet && (now.why === '' || (await isWell()))) return '';
    // Lets work that waits for its next attempt run.
    if (now.why !== '') await client.advance('20s');
    await pause(lookEveryMs);
  }
  return unrest;
}

const NOT_STARTED = 'the bot does not start';

async function isStarted(
  { client, replicas }: RecoveringStage,
  end: number,
  lookEveryMs: number,
): Promise<boolean> {
  while (performance.now() < end) {
    const { ok } = await client.bot({ do: 'start', count: replicas });
    if (ok) return true;
    await pause(lookEveryMs);
  }
  return false;
}

/** Late requests are carried out, or their time is over. */
async function untilLateIsDone({ client }: RecoveringStage, end: number, lookEveryMs: number): Promise<void> {
  const begun = performance.now();
  while (performance.now() < Math.min(end, begun + 30_000)) {
    const journal = await client.journal();
    const open = journal.filter(({ fault, sent, done }) => fault === 'late' && sent !== undefined && !done);
    if (open.length === 0) return;
    await pause(lookEveryMs);
  }
}

type OpenWork = {
  /** Pending work; empty when there is none. */
  readonly why: string;
  /** Only up-to-date cards are watched for late calls, and no late call is left. */
  readonly watchesOnly: boolean;
  /** The index of the newest sent message among all requests; -1 when none of the last ones is one. */
  readonly newestSend: number;
};

async function openWorkOf({ client, databaseUrl }: RecoveringStage): Promise<OpenWork> {
  const { clock } = await client.state();
  const { requests, total } = await client.journalTail(300);
  const newest = requests.findLastIndex(({ path }) => path.startsWith('/api/chat.'));
  const newestSend = newest === -1 ? -1 : total - requests.length + newest;
  const tables = await readTables(databaseUrl).catch((error: unknown) => String(error));
  if (typeof tables === 'string') return { why: tables, watchesOnly: false, newestSend };
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
  return { why, watchesOnly, newestSend };
}
