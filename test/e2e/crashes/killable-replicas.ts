/** Two products on one PostgreSQL, of which one kills itself where a test says so (`killable-product.ts`). */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LEADER_LEASE_MS } from '../../../src/store/port/replica-records.ts';
import { until } from '../../harness/until.ts';
import { query, startPostgres } from '../../store/postgres.ts';
import { type SandboxPeople, startSandboxPeople } from '../harness/sandbox-people.ts';
import { KILLABLE_PRODUCT, type KillOrder } from './killable-sandbox.ts';

export type KillableReplicas = SandboxPeople & {
  /** Whichever reaches the first of these dies there, and whichever reaches the next one afterwards. */
  readonly killAt: (...steps: readonly KillOrder[]) => void;
  /** The rows of a query on their database. */
  readonly query: (text: string) => Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Starts whichever died, and lets time pass until all kills happened and `done`. */
  readonly goOn: (done: () => Promise<boolean>) => Promise<void>;
  /** Waits until a replica that lives reads the event log: the lease of one that died ends by the database's time. */
  readonly led: () => Promise<void>;
};

const REPLICAS = 2;
const MOST_STEPS = 120;
/** The time of the database, of which leases are (`leaseNow` of `store/session.ts`). */
const NOW = 'floor(extract(epoch from clock_timestamp()) * 1000)';

export async function startKillableReplicas(): Promise<KillableReplicas> {
  const postgres = await startPostgres();
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-kill-'));
  const order = join(folder, 'kill-at');
  const url = new URL((await postgres.createDatabase()).reveal());
  url.searchParams.set('application_name', folder);
  const people = await startSandboxPeople({ entry: KILLABLE_PRODUCT, databaseUrl: url.href });
  await people.bot({ do: 'start', count: REPLICAS });
  const rows = (text: string) => query(url.href, text);
  const killsLeft = () => (existsSync(order) ? readFileSync(order, 'utf8') : '');
  const areAlive = async () => (await people.state()).bot.processes === REPLICAS;

  /** The database's time can't be moved: leases of the dead that nobody ended since end now, not after half a minute. */
  const revive = async (): Promise<void> => {
    const held = await rows('select lease_token from work where lease_token is not null');
    await people.bot({ do: 'start', count: REPLICAS });
    const listed = held.map((row) => `'${String(row['lease_token'])}'`).join(',');
    if (listed !== '') await rows(`update work set lease_until = 0 where lease_token in (${listed})`);
  };

  /** Nothing is under way, or somebody died: a rollout for which only time passes would be paused. */
  const isIdle = async (): Promise<boolean> =>
    (await rows('select 1 from work where lease_until > 0')).length === 0 || !(await areAlive());

  return {
    ...people,
    query: rows,
    killAt: (...steps) => writeFileSync(order, steps.join('\n')),
    async goOn(done) {
      const isOver = async () => killsLeft() === '' && (await areAlive()) && (await done());
      for (let steps = 0; steps < MOST_STEPS && !(await isOver()); steps += 1) {
        if (!(await areAlive())) await revive();
        await until(isIdle, { timeoutMs: 60_000, what: 'what is due to be done' });
        await people.advance('2m');
      }
      if (!(await isOver())) throw new Error(`not done; kills that are left: ${killsLeft()}`);
    },
    async led() {
      const [renewed] = await rows(`select ${NOW} + ${LEADER_LEASE_MS} as until`);
      const isRenewed = async () =>
        (await rows(`select 1 from leaders where until > ${String(renewed?.['until'])}`)).length > 0;
      await until(isRenewed, { what: 'a leader' });
    },
    async reset() {
      rmSync(order, { force: true });
      const answer = await people.reset();
      await people.bot({ do: 'start', count: REPLICAS });
      return answer;
    },
    async stop() {
      await people.stop();
      await postgres.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
