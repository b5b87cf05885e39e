import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../src/lib/clock.ts';
import { type PersonId, personId, type UserGroupId, userGroupId } from '../../../src/lib/ids.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { rulesFromFile } from '../../harness/rules-file.ts';
import { approveThroughWindow, controlAsPeopleDo } from '../../harness/through-window.ts';
import { DEVICE } from '../fleet-builders.ts';
import { ALICE, createRequestsSetup, OPS, type RequestsSetup, reboot, scan } from '../requests-setup.ts';

const [BOB, CAROL, DAN] = ['UBOB', 'UCAROL', 'UDAN'].map((id) => personId(id)) as [
  PersonId,
  PersonId,
  PersonId,
];
const DBA = userGroupId('S0DBA');

/** A line of requests under the rules of a file, which a test may replace. */
async function underRules(lines: string, members: readonly UserGroupId[] = []) {
  let inForce = rulesFromFile(lines);
  const line = await createRequestsSetup({
    rulesInForce: () => inForce,
    readMemberships: async (_person, groups) => ({
      in: groups.filter((id) => members.includes(id)),
      out: groups.filter((id) => !members.includes(id)),
    }),
  });
  const press = (
    { id: requestId, seal }: Pick<RequestRecord, 'id' | 'seal'>,
    person: PersonId,
    groups: UserGroupId[] = [],
  ) => approveThroughWindow(line, { requestId, seal: seal ?? '', person, role: 'approver', groups });
  const replace = (other: string) => {
    inForce = rulesFromFile(other);
  };
  return { line, press, replace };
}

async function refusedRequest(
  line: RequestsSetup,
  change: Parameters<RequestsSetup['order']>[0],
  reason: string | null = null,
) {
  const asked = await line.order(change);
  const proposal = { ...asked.proposal, reason };
  return line.requests.record({ ...asked, proposal, channel: OPS });
}

const TWO = 'rules: [{ name: production, when: { devices: "tag:production" }, approvals: 2 }]';

describe('a quorum', () => {
  const production = async () => {
    const { line, ...rest } = await underRules(TWO);
    if (line.world.device !== null) line.world.device = { ...line.world.device, tags: ['production'] };
    return { line, ...rest, request: await line.ask(reboot) };
  };

  it('lets nothing run before the last of its people agreed, and then sends once', async () => {
    const { line, press, request } = await production();
    expect(await press(request, BOB)).toMatchObject({ kind: 'decided', request: { state: 'waiting' } });
    await line.settle();
    expect(line.world.posts).toEqual([]);
    expect(await press(request, CAROL)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
    await line.settle();
    expect(line.world.posts).toEqual([reboot]);
    expect(await line.actions()).toContain('approval.agreed');
  });

  it('counts nobody twice, and not the requester', async () => {
    const { line, press, request } = await production();
    await press(request, BOB);
    expect(await press(request, BOB)).toMatchObject({ kind: 'refused', refusal: { kind: 'agreed-before' } });
    expect(await press(request, ALICE)).toMatchObject({ kind: 'refused', refusal: { kind: 'own-request' } });
    await line.settle();
    expect(line.world.posts).toEqual([]);
  });

  it('is ended by one deny', async () => {
    const { line, press, request } = await production();
    await press(request, BOB);
    await line.decide(request, 'deny', CAROL);
    expect(await press(request, DAN)).toMatchObject({
      kind: 'refused',
      refusal: { kind: 'already', state: 'denied' },
    });
    await line.settle();
    expect(line.world.posts).toEqual([]);
  });

  it('begins again where facts changed after it was complete', async () => {
    const { line, press, request } = await production();
    await press(request, BOB);
    if (line.world.device !== null) line.world.device = { ...line.world.device, connected: false };
    await press(request, CAROL);
    await line.settle();
    const returned = await line.requestNow(request);
    expect(returned).toMatchObject({
      state: 'waiting',
      rules: { approvals: [], demands: [{ rule: 'production' }] },
    });
    await press(returned, DAN);
    await line.settle();
    expect(line.world.posts).toEqual([]);
  });

  it('of ten people who press at once is complete with exactly two', async () => {
    const { line, press, request } = await production();
    const people = Array.from({ length: 10 }, (_, at) => personId(`U${at}`));
    const results = await Promise.all([...people, ...people].map((person) => press(request, person)));
    const decided = results.filter(({ kind }) => kind === 'decided');
    expect(decided).toHaveLength(2);
    expect((await line.requestNow(request)).rules.approvals).toHaveLength(2);
  });
});

it('only the people of a rule decide, and hear who does otherwise', async () => {
  const { line, press } = await underRules('rules: [{ name: databases, approvers: [S0DBA] }]');
  const request = await line.ask(reboot);
  expect(await press(request, BOB)).toMatchObject({
    kind: 'refused',
    refusal: { kind: 'others-decide', unmet: [{ demand: { rule: 'databases' } }] },
  });
  expect(await press(request, BOB, [DBA])).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
});

describe('what a rule lets run', () => {
  const LAB = 'rules: [{ name: lab, when: { devices: "tag:lab", commands: [reboot] }, run: { perHour: 2 } }]';
  const lab = async () => {
    const { line, ...rest } = await underRules(LAB);
    if (line.world.device !== null) line.world.device = { ...line.world.device, tags: ['lab'] };
    return { line, ...rest };
  };

  it('needs nobody, up to so many devices an hour', async () => {
    const { line } = await lab();
    for (const _ of [1, 2]) {
      await line.start(reboot);
      await line.pass(20 * MINUTE);
    }
    expect(await line.record(reboot)).toMatchObject({
      state: 'waiting',
      rules: { demands: [{ rule: null }] },
    });
  });

  it('is not sent where the rule does not hold any more', async () => {
    const { line, replace } = await lab();
    const id = await line.start(reboot);
    replace('rules: []');
    await line.settle();
    expect(line.world.posts).toEqual([]);
    expect(await line.targetOf(id)).toMatchObject({
      state: 'not_sent',
      evidence: [{ kind: 'drifted', changes: [{ kind: 'rule', does: 'asks' }] }],
    });
  });
});

describe('a file that changes while a request waits', () => {
  it('and refuses by now lets no press through, and says which rule', async () => {
    const { line, press, replace } = await underRules('rules: []');
    const request = await line.ask(reboot);
    replace('rules: [{ name: freeze, refuse: Change freeze. }]');
    expect(await press(request, BOB)).toMatchObject({
      refusal: { kind: 'rule-refuses', rules: [{ name: 'freeze', because: 'Change freeze.' }] },
    });
    expect((await line.requestNow(request)).state).toBe('waiting');
  });

  it('and asks for more counts what was agreed, and waits for the rest', async () => {
    const { line, press, replace } = await underRules('rules: [{ name: all, approvals: 2 }]');
    const request = await line.ask(reboot);
    await press(request, BOB);
    replace('rules: [{ name: all, approvals: 3 }]');
    expect(await press(request, CAROL)).toMatchObject({ kind: 'decided', request: { state: 'waiting' } });
    expect(await press(request, DAN)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
  });

  it('and asks for less is used by the next press, also of somebody who agreed', async () => {
    const { line, press, replace } = await underRules('rules: [{ name: all, approvals: 2 }]');
    const request = await line.ask(reboot);
    await press(request, BOB);
    replace('rules: [{ name: all, approvals: 1 }]');
    expect((await line.requestNow(request)).state).toBe('waiting');
    expect(await press(request, BOB)).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
  });

  it('between the decision and the send returns what it asks more for', async () => {
    const { line, press, replace } = await underRules('rules: []');
    const request = await line.ask(reboot);
    await press(request, BOB);
    replace('rules: [{ name: all, approvals: 2 }]');
    await line.settle();
    expect(line.world.posts).toEqual([]);
    expect(await line.requestNow(request)).toMatchObject({
      state: 'waiting',
      note: { kind: 'drifted', changes: [{ kind: 'rule', rule: 'all', does: 'asks' }] },
      rules: { demands: [{ rule: 'all', quorums: [{ count: 2 }] }], approvals: [] },
    });
  });
});

it('a tag that is removed between the approval and the send is judged by what is there', async () => {
  const { line, press } = await underRules(
    'rules: [{ name: untagged, when: { devices: "-tag:safe" }, refuse: Tag it first. }]',
  );
  if (line.world.device !== null) line.world.device = { ...line.world.device, tags: ['safe'] };
  const request = await line.ask(reboot);
  await press(request, BOB);
  if (line.world.device !== null) line.world.device = { ...line.world.device, tags: [] };
  await line.settle();
  expect(line.world.posts).toEqual([]);
});

describe('a request that a rule refuses', () => {
  it('is not stored, and names the rule and the device', async () => {
    const { line } = await underRules('rules: [{ name: controllers, refuse: Use the console. }]');
    expect(await refusedRequest(line, reboot)).toMatchObject({
      kind: 'rule-refuses',
      rules: [{ name: 'controllers', because: 'Use the console.' }],
      names: ['web-01'],
    });
    expect(await line.store.requests.list({}, 10)).toEqual([]);
    // It says nothing of what asks nobody.
    expect(await refusedRequest(line, scan)).toMatchObject({ kind: 'recorded' });
  });

  it('is not stored without the reason that a rule asks for', async () => {
    const { line } = await underRules(`rules: [{ name: ticket, reason: 'CHG-\\d{5}' }]`);
    expect(await refusedRequest(line, reboot, 'kernel')).toMatchObject({
      kind: 'reason-unfit',
      rule: 'ticket',
    });
    expect(await refusedRequest(line, reboot, 'see CHG-12345')).toMatchObject({ kind: 'recorded' });
  });
});

describe('a request that waits', () => {
  const nudges = async (line: RequestsSetup) => {
    const keys = (await Promise.all(['remind', 'escalate'].map(async (what) => what))).map((what) => what);
    const request = (await line.store.requests.list({}, 1))[0];
    const found = keys.map((what) =>
      line.store.cards.get(`nudge:${request?.id}.${request?.rules.since}.${what}`),
    );
    return (await Promise.all(found)).flatMap((card, at) => (card === null ? [] : [keys[at]]));
  };

  it('is told of once at half of its life, in its thread', async () => {
    const { line } = await underRules('rules: []');
    await line.ask(reboot);
    await line.pass(14 * MINUTE);
    expect(await nudges(line)).toEqual([]);
    await line.pass(2 * MINUTE);
    expect(await nudges(line)).toEqual(['remind']);
    await line.pass(20 * MINUTE);
    expect(await nudges(line)).toEqual(['remind']);
  });

  it('is told of when its rule says, and to those to whom it escalates, who decide from then on', async () => {
    const { line, press } = await underRules(
      'rules: [{ name: urgent, approvers: [S0DBA], expires: 2h, remind: 20m, escalate: { after: 40m, to: [S0ONCALL] } }]',
    );
    const request = await line.ask(reboot);
    await line.pass(21 * MINUTE);
    expect(await nudges(line)).toEqual(['remind']);
    const onCall = [userGroupId('S0ONCALL')];
    expect(await press(request, BOB, onCall)).toMatchObject({ refusal: { kind: 'others-decide' } });
    await line.pass(20 * MINUTE);
    expect(await nudges(line)).toEqual(['remind', 'escalate']);
    expect(await press(request, BOB, onCall)).toMatchObject({
      kind: 'decided',
      request: { state: 'approved' },
    });
  });

  it('is not told of where the file says never, and not after it was decided', async () => {
    const never = await underRules('otherwise: { remind: never }');
    await never.line.ask(reboot);
    await never.line.pass(HOUR);
    expect(await nudges(never.line)).toEqual([]);
    const { line, press } = await underRules('rules: []');
    await press(await line.ask(reboot), BOB);
    await line.pass(HOUR);
    expect(await nudges(line)).toEqual([]);
  });
});

it('whoever wants it is not asked where their group lets it run', async () => {
  const kiosks = 'rules: [{ name: kiosks, when: { by: [S0HELP], commands: [reboot] }, run: { perHour: 5 } }]';
  const helped = await underRules(kiosks, [userGroupId('S0HELP')]);
  expect(await helped.line.record(reboot, [DEVICE])).toMatchObject({ expiresAt: null });
  const other = await underRules(kiosks);
  expect(await other.line.record(reboot, [DEVICE])).toMatchObject({ state: 'waiting' });
});

it('a rollout that stands still is resumed by the people of its rules', async () => {
  const { line, press } = await underRules('rules: [{ name: databases, approvers: [S0DBA] }]');
  const request = await line.ask(reboot, line.fleet.addDevices(2));
  await press(request, BOB, [DBA]);
  const { id: requestId } = request;
  await line.requests.control({ requestId, person: ALICE, role: 'operator', control: 'pause' });
  const resume = (groups: UserGroupId[]) =>
    controlAsPeopleDo(line, { requestId, person: CAROL, role: 'approver', groups, control: 'resume' });
  expect(await resume([])).toMatchObject({ refusal: { kind: 'others-decide' } });
  expect(await resume([DBA])).toMatchObject({ kind: 'decided' });
});
