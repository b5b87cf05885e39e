/** Roads on which less than the rules ask for might have been enough. */
import { describe, expect, it } from 'vitest';
import type { NamedGroup, TargetFacts } from '../../../src/fleet/facts/facts.ts';
import type { FleetAction } from '../../../src/fleet/model/actions.ts';
import { instant, MINUTE } from '../../../src/lib/clock.ts';
import {
  deviceId,
  groupId,
  personId,
  policyId,
  type RequestId,
  type UserGroupId,
  userGroupId,
} from '../../../src/lib/ids.ts';
import { createJudgeChange } from '../../../src/requests/decide/judge-change.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup } from '../../harness/builders.ts';
import { rulesFromFile } from '../../harness/rules-file.ts';
import { approveThroughWindow } from '../../harness/through-window.ts';
import { aGroupToEdit, aPolicyToEdit } from '../builders.ts';
import { ALICE, reboot } from '../requests-setup.ts';
import { createRolloutSetup } from '../run/rollout-setup.ts';

const [BOB, CAROL] = [personId('UBOB'), personId('UCAROL')];
const [DBA, ONCALL] = [userGroupId('S0DBA'), userGroupId('S0ONCALL')];

async function underRules(lines: string, options: Parameters<typeof createRolloutSetup>[0] = {}) {
  let inForce = rulesFromFile(lines);
  const line = await createRolloutSetup({ rulesInForce: () => inForce, ...options });
  const press = async (requestId: RequestId, person = BOB, groups: readonly UserGroupId[] = []) => {
    const { seal } = await line.requestNow({ id: requestId });
    return approveThroughWindow(line, { requestId, seal: seal ?? '', person, role: 'approver', groups });
  };
  const tag = (...tags: string[]) => {
    if (line.world.device !== null) line.world.device = { ...line.world.device, tags };
  };
  const replace = (other: string) => {
    inForce = rulesFromFile(other);
  };
  return { line, press, tag, replace };
}

/** So many devices that claims take them from pages of lists. */
const MANY = 60;
const PAGED = { fleetSize: () => MANY, typedCountFrom: MANY + 1 };

describe('a rollout whose devices are taken from lists', () => {
  const rolloutOf = async (rules: string, tags: readonly string[]) => {
    const { line, press } = await underRules(rules, PAGED);
    const devices = line.fleet.addDevices(MANY - 1);
    for (const id of devices) line.fleet.change({ tags: [...tags] }, id);
    const request = await line.record(reboot, devices, { plan: planRollout(MANY, { waves: [] }) });
    return { line, press, devices, request };
  };

  it('sends nothing to a device that asks for more since it was tagged', async () => {
    const { line, press, devices, request } = await rolloutOf(
      'rules: [{ name: production, when: { devices: "tag:production" }, approvals: 2 }]',
      [],
    );
    await press(request.id);
    const tagged = devices.slice(0, 3);
    for (const id of tagged) line.fleet.change({ tags: ['production'] }, id);
    await line.settle();
    expect(line.world.postedTo.filter((id) => tagged.includes(id))).toEqual([]);
    expect(line.world.postedTo.length).toBeGreaterThan(0);
  });

  it('sends to those whose tag lets them run, and to those that a refusing rule leaves alone', async () => {
    const lab = await rolloutOf(
      'rules: [{ name: lab, when: { devices: "tag:lab" }, run: { perHour: 99 } }]',
      ['lab'],
    );
    await lab.line.settle();
    expect(lab.line.world.postedTo.length).toBeGreaterThan(MANY - 2);
  });

  it('returns to its approvers where the file asks for more of all of it', async () => {
    const { line, press, replace } = await underRules('rules: []', PAGED);
    const devices = line.fleet.addDevices(MANY - 1);
    const request = await line.record(reboot, devices, { plan: planRollout(MANY, { waves: [] }) });
    await press(request.id);
    replace('rules: [{ name: all, approvals: 2 }]');
    await line.settle();
    expect(await line.requestNow(request)).toMatchObject({ state: 'waiting', counts: { ready: MANY } });
    expect(line.world.postedTo).toEqual([]);
  });
});

describe('whoever it escalated to', () => {
  const URGENT =
    '{ name: urgent, approvers: [S0DBA], expires: 2h, remind: 20m, escalate: { after: 40m, to: [S0ONCALL] } }';

  it.each([
    ['', URGENT],
    [
      ' where another rule has a time',
      `${URGENT}, { name: other, when: { devices: "tag:x", time: "22:00-23:00" } }`,
    ],
  ])('decides, and that is what is sent%s', async (_, rules) => {
    const { line, press } = await underRules(`rules: [${rules}]`);
    const { id } = await line.ask(reboot);
    await line.pass(41 * MINUTE);
    expect(await press(id, BOB, [ONCALL])).toMatchObject({ kind: 'decided', request: { state: 'approved' } });
    await line.settle();
    expect(line.world.posts).toEqual([reboot]);
  });

  it('counts for it although they agreed for another rule before', async () => {
    const { line, press } = await underRules(
      'rules: [{ name: a, approvers: [S0DBA], expires: 3h }, { name: b, approvers: [S0SEC], expires: 3h, escalate: { after: 40m, to: [S0ONCALL] } }]',
    );
    const { id } = await line.ask(reboot);
    await press(id, BOB, [DBA]);
    await line.pass(41 * MINUTE);
    expect(await press(id, BOB, [DBA, ONCALL])).toMatchObject({
      kind: 'decided',
      request: { state: 'approved' },
    });
  });
});

it('one person who presses again where less is asked for by then counts once', async () => {
  const { line, press, tag } = await underRules(
    'rules: [{ name: early, when: { time: "04:00-04:10" }, approvals: 2 }, { name: production, when: { devices: "tag:production" }, approvals: 2 }]',
  );
  const { id } = await line.ask(reboot);
  await press(id);
  await line.pass(12 * MINUTE);
  await press(id);
  tag('production');
  await line.settle();
  expect(line.world.posts).toEqual([]);
  expect((await line.requestNow({ id })).state).toBe('waiting');
});

it('what was beyond the hour of a rule takes those who were asked, though it would run by now', async () => {
  const { line, press, tag } = await underRules(
    'otherwise: { approvals: 2 }\nrules: [{ name: lab, when: { devices: "tag:lab" }, run: { perHour: 1 } }, { name: night, when: { time: "22:00-23:00" }, approvals: 3 }]',
  );
  tag('lab');
  await line.start(reboot);
  await line.pass(20 * MINUTE);
  const { id } = await line.record(reboot);
  expect(await press(id)).toMatchObject({ kind: 'decided', request: { state: 'waiting' } });
});

it.each([
  ['is in', [userGroupId('S0HELP')]],
  ['may be in, since Slack does not answer', []],
])(
  'a rule for people of a group that nobody had asked about, and that the requester %s, is not passed',
  async (_, member) => {
    const readMemberships = async () => ({ in: member, out: [] });
    const { line, press, replace } = await underRules('rules: []', { readMemberships });
    const { id } = await line.ask(reboot);
    replace('rules: [{ name: helpers, when: { by: [S0HELP] }, approvals: 2 }]');
    expect(await press(id)).toMatchObject({ kind: 'decided', request: { state: 'waiting' } });
  },
);

it('a rule that holds since it was requested asks for its reason, too', async () => {
  const { line, press } = await underRules(
    `rules: [{ name: ticket, when: { time: "04:10-09:00" }, reason: 'CHG-\\d{5}' }]`,
  );
  const { id } = await line.ask(reboot);
  await line.pass(12 * MINUTE);
  expect(await press(id)).toMatchObject({ refusal: { kind: 'rule-refuses', rules: [{ name: 'ticket' }] } });
});

it('what a rule refuses since it was returned is refused at the press, and not returned again', async () => {
  const { line, press, tag } = await underRules(
    'rules: [{ name: dc, when: { devices: "tag:dc" }, refuse: Never. }]',
  );
  const { id } = await line.ask(reboot);
  tag('dc');
  await press(id);
  await line.settle();
  expect(await press(id, CAROL)).toMatchObject({ refusal: { kind: 'rule-refuses' } });
  expect(line.world.posts).toEqual([]);
});

it('the rest of a rollout is judged by the size of the whole', async () => {
  const { line, press } = await underRules('rules: [{ name: many, when: { atLeast: 51 }, approvals: 2 }]', {
    typedCountFrom: MANY + 1,
  });
  const devices = line.fleet.addDevices(MANY - 1);
  const waves = [{ kind: 'devices', devices: 20 }] as const;
  const plan = planRollout(MANY, { waves, brake: { kind: 'devices', devices: 5 } });
  const { id } = await line.record(reboot, devices, { plan });
  await press(id);
  await press(id, CAROL);
  await line.settle();
  for (const one of devices.slice(25, 45)) line.fleet.change({ groupId: groupId(8) }, one);
  for (let round = 0; round < 10; round += 1) {
    await line.pass(2 * MINUTE);
    line.restart(...devices);
  }
  const returned: RequestRecord = await line.requestNow({ id });
  expect(returned).toMatchObject({
    state: 'waiting',
    rules: { demands: [{ rule: 'many', quorums: [{ count: 2 }] }] },
  });
});

describe('the devices that an edit of a group reaches', () => {
  const groups = [
    aGroup({ id: groupId(1), name: '', parentId: null }),
    aGroup({ id: groupId(5), name: 'Production', parentId: groupId(1) }),
    aGroup({ id: groupId(6), name: 'Region', parentId: groupId(5) }),
    aGroup({ id: groupId(7), name: 'Web', parentId: groupId(6) }),
  ];
  const { inventory } = testPorts({
    devices: [aDevice({ id: deviceId(1), groupId: groupId(7) })],
    groups,
  }).ports;
  const refusing = 'rules: [{ name: dc, when: { devices: "group:Production" }, refuse: Never. }]';
  const edit: Edit = {
    action: { kind: 'group-edit', groupId: groupId(6), change: { parentId: groupId(1) } },
    target: aGroupToEdit({ groupId: groupId(6) }),
  };
  const judged = async (rules: string, { action, target } = edit, readIndex = inventory.snapshot) => {
    const judgeChange = createJudgeChange({
      clock: { now: () => instant(0) },
      rulesInForce: () => rulesFromFile(rules),
      readIndex,
    });
    const { judge } = await judgeChange({
      action,
      targets: [target],
      ...{ reach: 1, requesterId: ALICE },
    });
    return judge();
  };

  it('are those of the groups below it, too', async () => {
    const rules = 'rules: [{ name: production, when: { devices: "group:Production" }, approvals: 3 }]';
    expect(await judged(rules)).toMatchObject({ demands: [{ rule: 'production' }] });
  });

  it('are not known while groups are still read, and no rule counts as lost for it', async () => {
    const begun = async () => ({
      ...(await inventory.snapshot()),
      groups: new Map(),
      partial: { read: 0, of: 9 },
    });
    expect(await judged(refusing, edit, begun)).toMatchObject({ kind: 'refused', rules: [{ name: 'dc' }] });
  });

  const made = { id: groupId(8), name: 'Made since', devices: 4 };
  it.each([
    ['the group itself', { ...edit, target: aGroupToEdit({ groupId: made.id }) }],
    ['a group of a policy', policyEdit([made])],
  ])('are not known for %s that was made since the devices were read', async (_what, unread) => {
    expect(await judged(refusing, unread)).toMatchObject({ kind: 'refused', rules: [{ name: 'dc' }] });
  });

  it('are none of a group that a policy names and the service does not have', async () => {
    const gone = { ...made, name: null, devices: null };
    expect(await judged(refusing, policyEdit([gone]))).toMatchObject({ kind: 'asks' });
  });
});

type Edit = { readonly action: FleetAction; readonly target: TargetFacts };

function policyEdit(groups: readonly NamedGroup[]): Edit {
  const action: FleetAction = { kind: 'policy-edit', policyId: policyId(3), change: { notes: 'Later' } };
  return { action, target: aPolicyToEdit({ groups }, { groups }) };
}
