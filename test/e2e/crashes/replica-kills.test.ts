/** One of two products on one PostgreSQL is killed at every step of a rollout: the other goes on exactly where it stood. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../harness/until.ts';
import { type Postgres, query, startPostgres } from '../../store/postgres.ts';
import { cardKeyIn, type SandboxPeople, startSandboxPeople } from '../harness/sandbox-people.ts';
import type { KillOrder } from './killable-sandbox.ts';

const ENTRY = fileURLToPath(new URL('killable-product.ts', import.meta.url));
/** Calls that a kill may leave with an unknown outcome. */
const IN_FLIGHT = 4;
/** At a claim and at what was sent, twice each; and at what was recorded. */
const KILLS_WHILE_SENDING = 5;
const STEPS: readonly KillOrder[] = [
  ...(['wave.rechecked', 'target.claimed', 'target.sent', 'wave.ended'] as const),
  ...(['target.recorded', 'target.claimed', 'target.sent', 'target.verified'] as const),
];
/** So many that enough are left for each kill of the last wave, which takes up to four. */
const DEVICES = 24;
const PATIENCE_MS = 240_000;

let postgres: Postgres;
let people: SandboxPeople;
let url: URL;
const folder = mkdtempSync(join(tmpdir(), 'patchbay-kill-'));
const order = join(folder, 'kill-at');

beforeAll(async () => {
  postgres = await startPostgres();
  url = new URL((await postgres.createDatabase()).reveal());
  url.searchParams.set('application_name', folder);
  people = await startSandboxPeople({ entry: ENTRY, databaseUrl: url.href });
  await people.bot({ do: 'start', count: 2 });
});
afterAll(async () => {
  await people.stop();
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

const rows = (text: string) => query(url.href, text);
const killsLeft = () => (existsSync(order) ? readFileSync(order, 'utf8') : '');
const isEnded = async () => (await rows("select 1 from requests where state = 'ended'")).length === 1;

/** Of the work that somebody does now. */
const leases = async (): Promise<readonly string[]> =>
  (await rows('select lease_token from work where lease_token is not null')).map((row) =>
    String(row['lease_token']),
  );

/** The database's time can't be moved: leases of the dead that nobody ended since end now, not after half a minute. */
async function endLeases(tokens: readonly string[]): Promise<void> {
  const listed = tokens.map((token) => `'${token}'`).join(',');
  if (listed !== '') await rows(`update work set lease_until = 0 where lease_token in (${listed})`);
}

/** Nothing is under way, or somebody died: a rollout for which only time passes would be paused. */
async function isIdle(): Promise<boolean> {
  const busy = await rows('select 1 from work where lease_until > 0');
  return busy.length === 0 || (await people.state()).bot.processes < 2;
}

/** Starts whichever died, and lets time pass until the rollout ended. */
async function goOn(): Promise<void> {
  for (let steps = 0; steps < 120 && !(killsLeft() === '' && (await isEnded())); steps += 1) {
    if ((await people.state()).bot.processes < 2) {
      const before = await leases();
      await people.bot({ do: 'start', count: 2 });
      await endLeases(before);
    }
    await until(isIdle, { timeoutMs: 60_000, what: 'what is due to be done' });
    await people.advance('2m');
  }
  const state = await rows('select state, rollout from requests');
  expect(killsLeft(), JSON.stringify(state)).toBe('');
  expect(await isEnded(), JSON.stringify(state)).toBe(true);
}

async function onlineDevices(): Promise<readonly number[]> {
  const { management, organization } = await people.state();
  const response = await fetch(`${management.baseUrl}/servers?o=${organization.id}&limit=200`, {
    headers: { authorization: `Bearer ${management.apiKey}` },
  });
  const found = (await response.json()) as readonly { readonly id: number; readonly connected: boolean }[];
  return found.filter(({ connected }) => connected).map(({ id }) => id);
}

it(
  'killed at every step, one of two replicas leaves a rollout that sends to each device at most once',
  async () => {
    const names = (await onlineDevices()).slice(0, DEVICES).map((id) => `#${id}`);
    const text = `reboot ${names.join(',')} waves:2,10,100% brake:${DEVICES} because kernel`;
    await people.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
    const card = await people.card('approvals', (one) => cardKeyIn(one)?.startsWith('approval:') === true);
    writeFileSync(order, STEPS.join('\n'));
    await people.click({ user: 'approver', channel: card.channel, ts: card.ts, action_id: 'approve' });
    await until(async () => (await people.state()).bot.processes < 2, { what: 'the first kill' });
    await goOn();
    const sent = (await people.writes()).map((write) => /^POST \/servers\/(\d+)\//.exec(write)?.[1]);
    expect(sent.toSorted()).toEqual([...new Set(sent)].toSorted());
    const targets = await rows('select device_id, state from request_targets');
    expect(targets).toHaveLength(DEVICES);
    const unsent = targets.filter(({ device_id: id }) => !sent.includes(String(id)));
    expect(unsent.filter(({ state }) => state !== 'unknown')).toEqual([]);
    const unknown = targets.filter(({ state }) => state === 'unknown');
    expect(unknown.length).toBeLessThanOrEqual(KILLS_WHILE_SENDING * IN_FLIGHT);
    // One card, and one line in its thread for each of the first two waves.
    const shown = (await people.posts('approvals')).map((one) => cardKeyIn(one)?.split(':')[0]);
    expect(shown.toSorted()).toEqual(['approval', 'line', 'line']);
    const told = (await people.messages('@operator', 'operator')).filter((one) =>
      cardKeyIn(one)?.startsWith('told:'),
    );
    expect(told).toHaveLength(1);
  },
  PATIENCE_MS,
);
