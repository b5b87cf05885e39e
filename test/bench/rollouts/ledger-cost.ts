/**
 * What a claim and its result cost per device, in a rollout to thousands: two transactions of the ledger, beside the same
 * rows written by bare statements on the same engine.
 */

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { type Instant, instant, later, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, personId } from '../../../src/lib/ids.ts';
import { createLedger } from '../../../src/requests/run/ledger.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import { startRollout } from '../../../src/rollout/progress.ts';
import { openStore } from '../../../src/store/open.ts';
import type { RequestTarget } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { ORGANIZATION, START } from '../../store/builders.ts';
import { startPostgres } from '../../store/postgres.ts';
import { aRequest, aRequestTarget } from '../../store/request-builders.ts';
import { type Figure, figure, median } from '../report/figure.ts';

const DEVICES = 10_000;
/** Measured at the beginning and near the end of the rollout, in turns with bare statements. */
const ROUNDS = 10;
const DEVICES_PER_ROUND = 20;

/** What a claim and a result write at least: the target, its request, the counts of both, an audit line, and the work. */
const BARE_TABLES = [
  'create table t (position bigint primary key, state text, before text, evidence text, at bigint)',
  'create table r (id bigint primary key, version bigint)',
  'create table c (state text primary key, n bigint)',
  'create table a (seq bigint primary key, at bigint, detail text)',
  'create table w (k text primary key, due bigint)',
];

type Bare = {
  readonly run: (statements: readonly (readonly [string, readonly (string | number)[]])[]) => Promise<void>;
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
      for (const [text, values] of statements) bare.prepare(text).run(...values);
      bare.exec('commit');
    };
    return await compare('SQLite', store, { run });
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
      return await compare('PostgreSQL', store, { run });
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
      against: 'the least statements for the same rows',
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
  let now: Instant = instant(START + SECOND);
  const recordMoves = createLedger({ store, clock: { now: () => now } });
  return async (from) => {
    for (const target of targets.slice(from, from + DEVICES_PER_ROUND)) {
      now = later(now, SECOND);
      const stored = await store.requests.get(request.id);
      if (stored === null) throw new Error('there is no request');
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

async function createTheirs({ run }: Bare): Promise<(from: number) => Promise<void>> {
  await run([
    ['insert into r values (1, 1)', []],
    ['insert into w values (?, 0)', ['follow']],
    ...['ready', 'issuing', 'accepted'].map((state) => ['insert into c values (?, 0)', [state]] as const),
  ]);
  for (let position = 0; position < DEVICES; position += 500)
    await run(
      Array.from(
        { length: 500 },
        (_, at) => ['insert into t values (?, ?, ?, ?, 0)', [position + at, 'ready', '{}', '[]']] as const,
      ),
    );
  let line = 0;
  const move = (position: number, was: string, is: string) => {
    line += 1;
    return run([
      ['update r set version = version + 1 where id = 1', []],
      [
        'update t set state = ?, evidence = ?, at = ? where position = ? and state = ?',
        [is, '[]', line, position, was],
      ],
      ['update c set n = n - 1 where state = ?', [was]],
      ['update c set n = n + 1 where state = ?', [is]],
      ['insert into a values (?, ?, ?)', [line, line, '{"device":1,"evidence":null}']],
      ['update w set due = ? where k = ?', [line, 'follow']],
    ]);
  };
  return async (from) => {
    for (let position = from; position < from + DEVICES_PER_ROUND; position += 1) {
      await move(position, 'ready', 'issuing');
      await move(position, 'issuing', 'accepted');
    }
  };
}
