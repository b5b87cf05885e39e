/**
 * What a claim and its result cost per device, in a rollout to thousands: two transactions of the ledger, beside bare
 * statements on the same engine that promise the same.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type Instant, instant, later, SECOND } from '../../../src/lib/clock.ts';
import { channelId, deviceId, personId, requestCardKey } from '../../../src/lib/ids.ts';
import { chunksOf } from '../../../src/lib/lists.ts';
import { createLedger } from '../../../src/requests/run/ledger.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { startRollout } from '../../../src/rollout/progress.ts';
import { openStore } from '../../../src/store/open.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { CHANNELS } from '../../requests/requests-setup.ts';
import { ORGANIZATION, START } from '../../store/builders.ts';
import { startPostgres } from '../../store/postgres.ts';
import { aRequest, aRequestTarget } from '../../store/request-builders.ts';
import { type Figure, figure, median } from '../report/figure.ts';

const DEVICES = 10_000;
/** Measured at the beginning and near the end of the rollout, in turns with bare statements. */
const ROUNDS = 10;
const DEVICES_PER_ROUND = 20;

/**
 * What a claim and a result need at least: the switch of pauses, the target and its device, its request, the counts of
 * the request and of its waves, the audit chain and its head, the work, and the card.
 */
const BARE_TABLES = [
  'create table p (id bigint primary key, pause text)',
  'create table t (position bigint primary key, device bigint, state text, before text, evidence text, at bigint)',
  "create index t_device on t (device) where state <> 'ready'",
  'create table r (id bigint primary key, version bigint, plan text)',
  'create table c (state text primary key, n bigint)',
  'create table v (wave bigint, state text, n bigint, primary key (wave, state))',
  'create table a (seq bigint primary key, at bigint, detail text, hash text)',
  'create table h (id bigint primary key, seq bigint, hash text)',
  'create table w (k text primary key, due bigint)',
  'create table k (id bigint primary key, revision bigint)',
];

type Statement = readonly [string, readonly (string | number)[]];

type Bare = {
  readonly run: (statements: readonly Statement[]) => Promise<void>;
  /** Keeps a row that is read as it is; SQLite has one transaction at a time. */
  readonly shared: '' | ' for share';
};

export async function ledgerCost(): Promise<readonly Figure[]> {
  return [...(await onSqlite()), ...(await onPostgres())];
}

async function onSqlite(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'patchbay-bench-'));
  const store = await openStore({
    database: { kind: 'sqlite', path: path.join(folder, 'ours.sqlite') },
    organizationId: ORGANIZATION,
  });
  const bare = new DatabaseSync(path.join(folder, 'bare.sqlite'));
  try {
    bare.exec('pragma journal_mode = wal; pragma synchronous = full');
    for (const table of BARE_TABLES) bare.exec(table);
    const run: Bare['run'] = async (statements) => {
      bare.exec('begin immediate');
      for (const [text, values] of statements) bare.prepare(text).all(...values);
      bare.exec('commit');
    };
    return await compare('SQLite', store, { run, shared: '' });
  } finally {
    bare.close();
    await store.close();
    await rm(folder, { recursive: true });
  }
}

async function onPostgres(): Promise<readonly Figure[]> {
  const postgres = await startPostgres();
  try {
    const url = await postgres.createDatabase();
    const store = await openStore({ database: { kind: 'postgres', url }, organizationId: ORGANIZATION });
    const client = new pg.Client({ connectionString: (await postgres.createDatabase()).reveal() });
    await client.connect();
    try {
      for (const table of BARE_TABLES) await client.query(table);
      const run: Bare['run'] = async (statements) => {
        await client.query('begin');
        for (const [text, values] of statements) {
          const parts = text.split('?');
          const numbered = parts.map((part, at) => (at === 0 ? part : `$${at}${part}`)).join('');
          await client.query(numbered, [...values]);
        }
        await client.query('commit');
      };
      return await compare('PostgreSQL', store, { run, shared: ' for share' });
    } finally {
      await client.end();
      await store.close();
    }
  } finally {
    await postgres.stop();
  }
}

async function compare(engine: string, store: Store, bare: Bare): Promise<readonly Figure[]> {
  const ours = await createOurs(store);
  const theirs = await createTheirs(bare);
  const times = { ours: [] as number[], bare: [] as number[] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    const from = Math.floor((round * (DEVICES - DEVICES_PER_ROUND)) / ROUNDS);
    const [our, their] = [await timed(() => ours(from)), await timed(() => theirs(from))];
    // The first round compiles the code.
    if (round === 0) continue;
    times.ours.push(our / DEVICES_PER_ROUND);
    times.bare.push(their / DEVICES_PER_ROUND);
  }
  return [
    figure({
      name: `claim and result of a device among ${DEVICES.toLocaleString('en')} on ${engine}`,
      unit: 'ms',
      ours: median(times.ours),
      baseline: median(times.bare),
      against: 'the least statements that promise the same',
    }),
  ];
}

async function timed(job: () => Promise<void>): Promise<number> {
  const begun = performance.now();
  await job();
  return performance.now() - begun;
}

/** Claims and results of so many devices from a position on, one after the other. */
async function createOurs(store: Store): Promise<(from: number) => Promise<void>> {
  const plan = planRollout(DEVICES, { waves: [] });
  const request = aRequest({
    ...{ state: 'approved', decidedBy: personId('U2'), decidedAt: START, seal: 'seal' },
    rollout: startRollout(plan, START),
  });
  const targets = Array.from({ length: DEVICES }, (_, position) =>
    aRequestTarget(request.id, { position, deviceId: deviceId(1 + position) }),
  );
  await store.requests.insert(request, targets);
  const card = { key: requestCardKey(request), channel: channelId('C1'), fallbackPerson: null };
  await store.cards.enqueue({ ...card, dueAt: START });
  const stored = await store.requests.get(request.id);
  if (stored === null) throw new Error('there is no request');
  let now: Instant = instant(START + SECOND);
  const recordMoves = createLedger({ store, clock: { now: () => now }, channels: CHANNELS });
  return async (from) => {
    for (const target of targets.slice(from, from + DEVICES_PER_ROUND)) {
      now = later(now, SECOND);
      const claim: RequestTarget = { ...target, state: 'issuing', issuedAt: now };
      await recordMoves(stored, [{ from: 'ready', next: claim, quiet: false }]);
      const accepted: RequestTarget = {
        ...claim,
        state: 'accepted',
        acceptedAt: now,
        nextAt: later(now, SECOND),
      };
      await recordMoves(stored, [{ from: 'issuing', next: accepted }]);
    }
  };
}

async function createTheirs({ run, shared }: Bare): Promise<(from: number) => Promise<void>> {
  await run([
    ["insert into p values (1, '')", []],
    ["insert into r values (1, 1, '{}')", []],
    ["insert into h values (1, 0, '')", []],
    ['insert into k values (1, 1)', []],
  ]);
  for (const part of chunksOf(
    Array.from({ length: DEVICES }, (_, position) => position),
    500,
  )) {
    const rows = part.map(() => "(?, ?, 'ready', '{}', '[]', 0)").join(', ');
    await run([[`insert into t values ${rows}`, part.flatMap((position) => [position, position])]]);
  }
  let line = 0;
  const move = (position: number, was: string, is: string): readonly Statement[] => {
    line += 1;
    return [
      ['update r set version = version + 1 where id = 1 returning plan', []],
      [
        'update t set state = ?, evidence = ?, at = ? where position = ? and state = ?',
        [is, '[]', line, position, was],
      ],
      [
        'insert into c values (?, -1), (?, 1) on conflict (state) do update set n = c.n + excluded.n',
        [was, is],
      ],
      [
        'insert into v values (0, ?, -1), (0, ?, 1) on conflict (wave, state) do update set n = v.n + excluded.n',
        [was, is],
      ],
      ['update h set seq = seq + 1 where id = 1 returning seq, hash', []],
      ['insert into a values (?, ?, ?, ?)', [line, line, '{"device":1,"evidence":null}', 'hash']],
      ['update h set hash = ? where id = 1', ['hash']],
      ['update k set revision = revision + 1 where id = 1', []],
      putWork('card', line),
    ];
  };
  return async (from) => {
    for (let position = from; position < from + DEVICES_PER_ROUND; position += 1) {
      await run([
        [`select pause from p where id = 1${shared}`, []],
        ["select state from t where device = ? and state <> 'ready'", [position]],
        ...move(position, 'ready', 'issuing'),
      ]);
      await run([...move(position, 'issuing', 'accepted'), putWork('follow', line)]);
    }
  };
}

function putWork(key: string, due: number): Statement {
  return ['insert into w values (?, ?) on conflict (k) do update set due = excluded.due', [key, due]];
}
