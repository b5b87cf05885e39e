import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/config/config.ts';
import { instant } from '../../../src/lib/clock.ts';
import { deviceId, operationId, requestId } from '../../../src/lib/ids.ts';
import type { TargetState } from '../../../src/store/port/records.ts';
import { OTHER_ORGANIZATION, START, someFacts } from '../builders.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { aRequest, countsOf } from '../request-builders.ts';
import {
  createDatabaseOfBefore,
  type DatabaseOfBefore,
  insertApproval,
  insertOperation,
  insertWork,
  workOf,
} from './database-of-before.ts';
import { approvalsIn, approvedUpTo, type Copied, FOLLOW_AT, startedUpTo } from './requests-of-before.ts';

const STATES: readonly TargetState[] = [
  'issuing',
  'unknown',
  'accepted',
  'queued',
  'answered',
  'refused',
  'verified',
  'not_verified',
  'not_sent',
];
const GIVEN_UP = instant(START + 99);

let postgres: Postgres | undefined;
let folder = '';
beforeAll(async () => {
  postgres = await startPostgres();
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-copy-'));
});
afterAll(async () => {
  await postgres?.stop();
  await rm(folder, { recursive: true });
});

async function newDatabase(kind: Database['kind'], name: string): Promise<Database> {
  if (kind === 'sqlite') return { kind, path: path.join(folder, `${name}.sqlite`) };
  if (postgres === undefined) throw new Error('PostgreSQL is not running');
  return { kind, url: await postgres.createDatabase() };
}

/** The one of this place. */
function pick<T>(all: readonly T[], at = 0): T {
  const one = all[at];
  if (one === undefined) throw new Error('there is none');
  return one;
}

describe.each(['sqlite', 'postgres'] as const)('approvals and operations of before, on %s', (kind) => {
  let before: DatabaseOfBefore;
  let db: DatabaseOfBefore['db'];
  let count = 0;
  beforeEach(async () => {
    count += 1;
    before = await createDatabaseOfBefore(await newDatabase(kind, `${count}`));
    db = before.db;
  });
  afterEach(() => before.close());

  /** As an operation of before, with the look that was due at it. */
  const insertFollowed = async ({ request, targets }: Copied, ...columns: [Record<string, null>?]) => {
    await insertOperation(db, request, targets, ...columns);
    await insertWork(db, 'follow', String(request.operationId), FOLLOW_AT);
  };
  const insertCarriedOut = async (one: Copied) => {
    await insertApproval(db, one.request, one.targets);
    await insertFollowed(one);
  };
  const expectCopied = async (all: readonly Copied[]) => {
    const { requests, targets } = await before.open();
    for (const { request, targets: expected } of all) {
      expect(await requests.get(request.id)).toEqual({ ...request, counts: countsOf(expected) });
      expect(await targets.of(request.id)).toEqual(expected);
      if (request.operationId !== null)
        expect((await requests.get(request.operationId))?.id).toBe(request.id);
    }
    return { requests, targets };
  };

  it('are copied when the program opens the database, and only then', async () => {
    const [waiting, running] = [pick(approvalsIn('waiting')), pick(approvedUpTo('queued'))];
    await insertApproval(db, waiting.request, waiting.targets);
    await insertCarriedOut(running);
    const { requests } = await expectCopied([waiting, running]);
    await requests.replace({ ...waiting.request, version: 4, state: 'denied' });
    const again = await before.open();
    expect(await again.requests.get(waiting.request.id)).toMatchObject({ version: 4, state: 'denied' });
    expect(await again.targets.of(running.request.id)).toEqual(running.targets);
  });

  it('of which it was said why they ended keep it, and those that failed are counted', async () => {
    const one = pick(approvedUpTo('not_verified'));
    const causes = ['failed', 'gone'] as const;
    const targets = one.targets.map((target, at) => {
      const cause = causes[at];
      if (cause === undefined) throw new Error('two targets');
      return { ...target, evidence: [{ kind: 'text', text: 'It "ended".', cause }] as const };
    });
    await insertCarriedOut({ ...one, targets });
    await before.copy();
    const { requests } = await expectCopied([{ ...one, targets }]);
    expect((await requests.get(one.request.id))?.counts).toEqual({ not_verified: 2, failed: 1 });
  });

  it.each(['waiting', 'denied', 'expired', 'withdrawn', 'approved'] as const)(
    'of every kind are requests that are %s, with targets that wait for their claim',
    async (state) => {
      const all = approvalsIn(state);
      for (const { request, targets } of all) await insertApproval(db, request, targets);
      await before.copy();
      await expectCopied(all);
    },
  );

  it.each(STATES)('of every kind that were carried out up to %s are one request each', async (state) => {
    const [approved, started] = [approvedUpTo(state), startedUpTo(state)];
    for (const one of approved) await insertCarriedOut(one);
    for (const one of started) await insertFollowed(one);
    await before.copy();
    await expectCopied([...approved, ...started]);
  });

  it('that nobody had to approve and nothing was claimed of may still be claimed', async () => {
    const started = startedUpTo('ready');
    for (const { request, targets } of started) await insertOperation(db, request, targets);
    await before.copy();
    const { targets } = await expectCopied(started);
    for (const one of started) expect(await targets.claimable(one.request.id, START, 9)).toEqual(one.targets);
  });

  it('that were given up without an outcome have ended', async () => {
    const all = approvedUpTo('unknown', GIVEN_UP);
    for (const one of all) await insertCarriedOut(one);
    await before.copy();
    await expectCopied(all);
  });

  it('that have ended in part still run', async () => {
    const one = pick(approvedUpTo('queued'));
    const [first, second] = [pick(one.targets), pick(one.targets, 1)];
    const ended = { ...second, state: 'refused', endedAt: GIVEN_UP, nextAt: null } as const;
    const partly = { request: one.request, targets: [first, ended] };
    await insertCarriedOut(partly);
    await before.copy();
    await expectCopied([partly]);
  });

  it('are looked at at once where no look was due', async () => {
    const one = pick(approvedUpTo('accepted'));
    await insertApproval(db, one.request, one.targets);
    await insertOperation(db, one.request, one.targets);
    await before.copy();
    const { targets } = await before.open();
    expect(await targets.due(one.request.id, instant(0), 9)).toHaveLength(2);
  });

  it('stand in the way of the same command as before', async () => {
    const [waiting, running] = [pick(approvalsIn('approved'), 1), pick(approvedUpTo('issuing'), 1)];
    const [claim, other] = [pick(waiting.targets), pick(running.targets)];
    const same = { ...claim, deviceId: deviceId(77), facts: someFacts({ deviceId: deviceId(77) }) };
    const sent = { ...other, deviceId: deviceId(77), facts: same.facts };
    await insertApproval(db, waiting.request, [same]);
    await insertCarriedOut({ request: running.request, targets: [sent] });
    await before.copy();
    const { targets } = await before.open();
    expect(await targets.open(deviceId(77), { kind: 'reboot' })).toEqual([sent]);
    const move = { from: 'ready', next: { ...same, state: 'issuing' } } as const;
    await expect(targets.move(waiting.request.id, [move])).rejects.toThrow(/unique/i);
  });

  it('keep their work, the earlier where two rows become one, without forms sent twice', async () => {
    const [waiting, approved] = [pick(approvalsIn('waiting')), pick(approvalsIn('approved'))];
    const [running, twice] = [pick(approvedUpTo('queued')), pick(approvedUpTo('queued'))];
    const started = pick(startedUpTo('ready'));
    for (const { request, targets } of [waiting, approved, running, twice])
      await insertApproval(db, request, targets);
    for (const { request, targets } of [running, twice, started]) await insertOperation(db, request, targets);
    const idOf = ({ request }: Copied) => request.id;
    const formerOf = ({ request }: Copied) => String(request.operationId);
    await insertWork(db, 'expire', idOf(waiting), 10);
    await insertWork(db, 'act', `approval:${idOf(approved)}`, 20);
    await insertWork(db, 'act', `approval:${idOf(running)}`, 30);
    await insertWork(db, 'follow', formerOf(running), 40);
    await insertWork(db, 'act', `approval:${idOf(twice)}`, 60);
    await insertWork(db, 'act', `operation:${formerOf(twice)}`, 50);
    await insertWork(db, 'act', `operation:${formerOf(started)}`, 70);
    await insertWork(db, 'follow', formerOf(started), 80);
    await insertWork(db, 'act', 'approval:a_gone', 90);
    await insertWork(db, 'card', 'approval:a_card', 100);
    for (const key of ['form:V1:h1', 'form:V1:h1:again:x']) await insertWork(db, 'form', key, 110);
    await before.copy();
    expect(await workOf(db)).toEqual(
      [
        `expire ${idOf(waiting)} 10`,
        `run ${idOf(approved)} 20`,
        `run ${idOf(running)} 30`,
        `follow ${idOf(running)} 40`,
        `run ${idOf(twice)} 50`,
        `run ${idOf(started)} 70`,
        `follow ${idOf(started)} 80`,
        'run a_gone 90',
        'card approval:a_card 100',
        'form form:V1:h1 110',
      ].toSorted(),
    );
  });

  it('of several organizations stay apart, though their ids are equal', async () => {
    const ours = pick(approvedUpTo('queued'));
    const theirs = { ...ours.request, organizationId: OTHER_ORGANIZATION, reason: 'theirs' };
    await insertCarriedOut(ours);
    await insertApproval(db, theirs, ours.targets);
    await insertOperation(db, theirs, ours.targets);
    await before.copy();
    await expectCopied([ours]);
    const { requests, targets } = await before.open(OTHER_ORGANIZATION);
    expect(await requests.get(theirs.id)).toEqual({ ...theirs, counts: { queued: 2, open: 2 } });
    expect(await targets.of(theirs.id)).toEqual(ours.targets.map((one) => ({ ...one, nextAt: 0 })));
  });

  it('are all copied, however many there are', async () => {
    const all = Array.from({ length: 7 }, () => approvalsIn('denied')).flat();
    for (const { request, targets } of all) {
      await insertApproval(db, { ...request, organizationId: OTHER_ORGANIZATION }, targets);
      await insertApproval(db, request, targets);
    }
    await before.copy();
    await expectCopied(all);
    const { targets } = await before.open(OTHER_ORGANIZATION);
    const ids = all.map(({ request }) => request.id);
    const found = await targets.ofEach(ids, 9);
    expect([...found.values()]).toEqual(all.map((one) => one.targets));
  });

  it.each(['{', '{}', '[{"deviceId":"x"}]'])('that cannot be read (%s) never run', async (broken) => {
    const all = ['waiting', 'approved', 'denied'] as const;
    const requests = all.map((state) => aRequest({ state, id: requestId(`a_${state}`) }));
    for (const request of requests) await insertApproval(db, request, [], { targets: broken });
    await before.copy();
    const store = await before.open();
    const read = await Promise.all(requests.map(({ id }) => store.requests.get(id)));
    expect(read.map((one) => one?.state)).toEqual(['withdrawn', 'withdrawn', 'denied']);
    expect(read.map((one) => one?.counts)).toEqual([{}, {}, {}]);
    expect(read[0]?.note).toEqual({ kind: 'text', text: 'Its stored targets could not be read.' });
  });

  it('whose operation is missing have ended, and are never sent again', async () => {
    const one = pick(approvalsIn('approved'));
    await insertApproval(db, one.request, one.targets, { operationId: 'o_missing' });
    await before.copy();
    const { requests, targets } = await before.open();
    expect(await requests.get(operationId('o_missing'))).toMatchObject({
      id: one.request.id,
      state: 'ended',
      counts: { unknown: 2 },
    });
    expect(await targets.claimable(one.request.id, START, 9)).toEqual([]);
    expect((await targets.of(one.request.id)).map(({ endedAt }) => endedAt)).toEqual([START + 5, START + 5]);
  });

  it('of one delivery are both kept, and the approval is found by it', async () => {
    const [waiting, started] = [pick(approvalsIn('waiting')), pick(startedUpTo('queued'))];
    const { requestKey } = waiting.request;
    await insertApproval(db, waiting.request, waiting.targets);
    await insertOperation(db, { ...started.request, requestKey }, started.targets);
    await before.copy();
    const { requests } = await before.open();
    expect((await requests.byRequestKey(requestKey))?.id).toBe(waiting.request.id);
    expect((await requests.get(started.request.id))?.state).toBe('running');
  });

  it('leave no table behind', async () => {
    await before.copy();
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    expect(tables).toContain('requests');
    for (const gone of ['approvals', 'operations', 'operation_targets']) expect(tables).not.toContain(gone);
  });
});
