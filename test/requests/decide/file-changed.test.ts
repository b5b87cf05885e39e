/** Requests that wait while the configuration file changes, rightly and wrongly. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { cardKey, type PersonId, personId } from '../../../src/lib/ids.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { rulesFromFile } from '../../harness/rules-file.ts';
import { approveThroughWindow } from '../../harness/through-window.ts';
import { createRequestsSetup, reboot } from '../requests-setup.ts';

const [BOB, CAROL, DAN] = ['UBOB', 'UCAROL', 'UDAN'].map((id) => personId(id)) as [
  PersonId,
  PersonId,
  PersonId,
];
const FREEZE = 'rules: [{ name: freeze, refuse: "Change freeze until 4 January." }]';
const asking = (approvals: number) => `rules: [{ name: all, approvals: ${approvals} }]`;

async function underFile(lines: string) {
  let inForce = rulesFromFile(lines);
  const line = await createRequestsSetup({
    limits: { maxWaiting: 100, reasonFrom: 100 },
    rulesInForce: () => inForce,
    readMemberships: async (_, groups) => ({ in: [], out: groups }),
  });
  const press = ({ id: requestId, seal }: RequestRecord, person: PersonId) =>
    approveThroughWindow(line, { requestId, seal: seal ?? '', person, role: 'approver' });
  const change = async (other: string) => {
    inForce = rulesFromFile(other);
    await line.requests.judgeWaiting();
    await line.settle();
  };
  return { line, press, change };
}

describe('a file that asks for fewer people', () => {
  it('approves nothing by itself; the next press does, also of somebody who agreed before', async () => {
    const { line, press, change } = await underFile(asking(3));
    const request = await line.ask(reboot);
    await press(request, BOB);
    await press(request, CAROL);
    await change(asking(2));
    expect(await line.requestNow(request)).toMatchObject({
      state: 'waiting',
      rules: { demands: [{ quorums: [{ count: 2 }] }] },
    });
    expect(line.world.posts).toEqual([]);
    expect(await press(request, CAROL)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
    await line.settle();
    expect(line.world.posts).toEqual([reboot]);
  });

  it('or for nobody at all still takes those who were asked', async () => {
    const { line, press, change } = await underFile(asking(1));
    const request = await line.ask(reboot);
    await change('rules: [{ name: lab, when: { commands: [reboot] }, run: { perHour: 9 } }]');
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting' });
    expect(line.world.posts).toEqual([]);
    expect(await press(request, BOB)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
  });
});

it('a file that asks for more people keeps those who agreed', async () => {
  const { line, press, change } = await underFile(asking(2));
  const request = await line.ask(reboot);
  await press(request, BOB);
  await change(asking(3));
  await press(request, CAROL);
  await line.settle();
  expect(line.world.posts).toEqual([]);
  expect(await press(request, DAN)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
});

describe('a file that refuses', () => {
  it('ends nothing: a press is refused by its name, and counts again once the file is mended', async () => {
    const { line, press, change } = await underFile(asking(2));
    const request = await line.ask(reboot);
    await press(request, BOB);
    await change(FREEZE);
    const refusing = [{ name: 'freeze', because: 'Change freeze until 4 January.' }];
    expect(await line.requestNow(request)).toMatchObject({
      state: 'waiting',
      rules: { refusedBy: refusing },
    });
    expect(await press(request, CAROL)).toMatchObject({
      refusal: { kind: 'rule-refuses', rules: refusing },
    });
    await change(asking(2));
    expect(await line.requestNow(request)).toMatchObject({ rules: { refusedBy: [] } });
    expect(await press(request, CAROL)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
  });

  it('is heard by what was approved and not sent yet', async () => {
    const { line, press, change } = await underFile(asking(1));
    const request = await line.ask(reboot);
    await press(request, BOB);
    await change(FREEZE);
    expect(line.world.posts).toEqual([]);
    expect((await line.requestNow(request)).state).not.toBe('approved');
  });
});

it('a file that names another group asks Slack whether the requester is in it', async () => {
  const { line, press, change } = await underFile(asking(1));
  const request = await line.ask(reboot);
  await change('rules: [{ name: interns, when: { by: [S0HELP] }, refuse: "Ask your mentor." }]');
  expect(await line.requestNow(request)).toMatchObject({ rules: { refusedBy: [] } });
  expect(await press(request, BOB)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
});

it('fifty requests that wait are judged again, and a second look writes nothing', async () => {
  const { line, press, change } = await underFile(asking(1));
  const requests: RequestRecord[] = [];
  for (const device of line.fleet.addDevices(49)) requests.push(await line.ask(reboot, [device]));
  await change(asking(2));
  const judged = await Promise.all(requests.map((request) => line.requestNow(request)));
  await change(asking(2));
  expect(await Promise.all(requests.map((request) => line.requestNow(request)))).toEqual(judged);
  expect(judged.every(({ rules }) => rules.demands[0]?.quorums[0]?.count === 2)).toBe(true);
  for (const request of requests) {
    const results = await Promise.all([BOB, CAROL, DAN, BOB, CAROL, DAN].map((who) => press(request, who)));
    expect(results.filter(({ kind }) => kind === 'decided')).toHaveLength(2);
  }
  await line.settle();
  expect(line.world.posts).toHaveLength(50);
});

it('a file that reminds earlier is heard, and each reminder stays one', async () => {
  const { line, change } = await underFile('otherwise: { expires: 2h }');
  const request = await line.ask(reboot);
  await change('otherwise: { expires: 2h, remind: 10m }');
  await line.pass(11 * MINUTE);
  await change('otherwise: { expires: 2h, remind: 20m }');
  await line.pass(HOUR);
  const { since, told } = (await line.requestNow(request)).rules;
  expect(told).toEqual(['remind']);
  expect(await line.store.cards.get(cardKey('nudge', `${request.id}.${since}.remind`))).not.toBeNull();
});

it('a file with another time to wait leaves the reminder at half of the time that this one has', async () => {
  const { line, change } = await underFile('otherwise: { expires: 12h }');
  const request = await line.ask(reboot);
  await line.pass(16 * MINUTE);
  await change('otherwise: { approvals: 2 }');
  await line.pass(5 * HOUR);
  expect((await line.requestNow(request)).rules.told).toEqual([]);
  await line.pass(HOUR);
  expect((await line.requestNow(request)).rules.told).toEqual(['remind']);
});

it('where enough agreed by a changed file, only those whom it names complete it', async () => {
  const named = (count: number) => `rules: [{ name: all, approvers: [U0BOB, U0BOSS], approvals: ${count} }]`;
  const { line, press, change } = await underFile(named(2));
  const request = await line.ask(reboot);
  const [bob, stranger] = [personId('U0BOB'), personId('U0STRANGER')];
  await press(request, bob);
  await change(named(1));
  expect(await press(request, stranger)).toMatchObject({ refusal: { kind: 'others-decide' } });
  expect(await press(request, bob)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
});
