/** Commands that change something at the service: each variant has a device or group of its own. */

import type { SeenMessage } from '../../../src/sandbox/contracts/people.ts';
import { messageText } from '../harness/sandbox-people.ts';
import {
  approveAndExpect,
  type CommandHarness,
  type CommandRow,
  type CommandRows,
  fillIn,
  type InputWay,
  untilCalled,
} from './command-harness.ts';

type Target = readonly [name: string, id: number];
type WayTargets = Readonly<Record<InputWay, Target>>;

const SMB = 'policy:"Disable SMBv1"';

type Change = {
  readonly targets: WayTargets;
  readonly line: (name: string) => string;
  readonly button: (hand: CommandHarness, target: Target) => Promise<SeenMessage>;
  readonly answer: RegExp;
  readonly effect: (hand: CommandHarness, target: Target) => Promise<void>;
};

function changes({ targets, line, button, answer, effect }: Change): CommandRow {
  return {
    who: 'operator',
    slash: line(targets.slash[0]),
    mention: line(targets.mention[0]),
    button: (harness) => button(harness, targets.button),
    answer,
    effect: (harness) => effect(harness, targets[harness.way]),
    refused: { who: 'viewer', line: line(targets.slash[0]) },
  };
}

const queued = (id: number) => `POST /servers/${id}/queues`;
const onCard =
  (action: string) =>
  async (harness: CommandHarness, [name]: Target) =>
    harness.presses(await harness.runs(`device ${name}`), action);
const onPolicies =
  (action: string) =>
  async (harness: CommandHarness, [name]: Target) => {
    const page = await harness.presses(await harness.runs(`device ${name}`), 'more', 'Policies');
    return harness.presses(page, action);
  };

/** Whoever types it gets its form, which asks for the name. */
function removal(thing: 'device' | 'group', targets: WayTargets): CommandRow {
  const command = `${thing}-remove`;
  const path = thing === 'device' ? '/servers' : '/servergroups';
  const lineFor = ([name]: Target) => `${command} "${name}" because retired`;
  const confirmed = async (harness: CommandHarness, target: Target): Promise<SeenMessage> => {
    const [name, id] = target;
    const asked = await harness.people.says(harness.who, `@patchbay ${lineFor(target)}`);
    return harness.fills(asked, 'form', { [`confirm:${id}`]: name });
  };
  return {
    who: 'operator',
    slash: lineFor(targets.slash),
    mention: lineFor(targets.mention),
    typed: async (harness) => {
      const target = targets[harness.way];
      if (harness.way === 'mention') return confirmed(harness, target);
      const { people, who: user } = harness;
      await people.command({ user, channel: 'ops', command: '/fleet', text: lineFor(target) });
      return fillIn(people, user, { [`confirm:${target[1]}`]: target[0] });
    },
    button: (harness) => confirmed(harness, targets.button),
    answer: new RegExp(`^Approval requested: \\*?Remove the ${thing} `),
    effect: (harness) => {
      const [name, id] = targets[harness.way];
      const card = `⏳ Waiting for approval: Remove the ${thing} ${name}`;
      return approveAndExpect(harness, card, `DELETE ${path}/${id}`);
    },
    refused: { who: 'viewer', line: lineFor(targets.slash) },
  };
}

export const CHANGE_ROWS: CommandRows = {
  scan: changes({
    targets: { slash: ['app-02', 4014], mention: ['build-02', 4015], button: ['db-02', 4016] },
    line: (name) => `scan ${name}`,
    button: onCard('scan'),
    answer: /^Scan of .* requested\./,
    effect: (harness, [, id]) => untilCalled(harness, queued(id)),
  }),
  patch: changes({
    targets: { slash: ['app-03', 4033], mention: ['app-04', 4034], button: ['db-03', 4036] },
    line: (name) => `patch ${name} because tidy`,
    button: async (harness, [name]) => harness.fills(await harness.runs(`device ${name}`), 'patch', {}),
    answer: /^Approval requested: \*?Install all missing patches on /,
    effect: (harness, [name, id]) =>
      approveAndExpect(
        harness,
        `⏳ Waiting for approval: Install all missing patches on ${name}`,
        queued(id),
      ),
  }),
  reboot: changes({
    targets: { slash: ['web-04', 4012], mention: ['web-07', 4051], button: ['web-08', 4052] },
    line: (name) => `reboot ${name} because kernel`,
    button: onCard('reboot'),
    answer: /^Approval requested: \*?Reboot /,
    effect: (harness, [name, id]) =>
      approveAndExpect(harness, `⏳ Waiting for approval: Reboot ${name}`, queued(id)),
  }),
  'policy-test': changes({
    targets: { slash: ['win-fs-01', 4017], mention: ['win-ts-02', 4018], button: ['win-fs-02', 4037] },
    line: (name) => `policy-test ${name} ${SMB}`,
    button: onPolicies('policy-test:2103'),
    answer: /^Test of Disable SMBv1 \(policy 2103\) on .* requested\./,
    effect: (harness, [, id]) => untilCalled(harness, queued(id)),
  }),
  'policy-remediate': changes({
    targets: { slash: ['win-ts-03', 4038], mention: ['win-fs-03', 4057], button: ['win-ts-04', 4058] },
    line: (name) => `policy-remediate ${name} ${SMB} because audit`,
    button: onPolicies('policy-remediate:2103'),
    answer: /^Approval requested: \*?Remediate Disable SMBv1 \(policy 2103\) on /,
    effect: (harness, [name]) =>
      approveAndExpect(
        harness,
        `⏳ Waiting for approval: Remediate Disable SMBv1 (policy 2103) on ${name}`,
        'POST /policies/2103/action',
      ),
  }),
  // All ways run the same policy: each request is known by its reason.
  'policy-run': changes({
    targets: { slash: ['audit one', 2104], mention: ['audit two', 2104], button: ['audit three', 2104] },
    line: (reason) => `policy-run "Require VPN client" because ${reason}`,
    button: (harness, [reason]) =>
      harness.triesForm('policy-run', { policy: { search: 'Require VPN' }, reason }),
    answer: /^Approval requested: \*?Remediate Require VPN client \(policy 2104\) on /,
    effect: async (harness, [reason]) => {
      const { people } = harness;
      const request = await people.card('approvals', (card) => messageText(card).includes(reason), reason);
      await people.push('approver', request, 'approve');
      await untilCalled(harness, 'POST /policies/2104/action');
      const running = await people.becomes(request, 'running');
      await people.push('approver', running, 'control:stop');
      await people.becomes(request, 'stopped');
      // A later test counts what is posted here.
      await people.card(
        'approvals',
        (one) => one.thread_ts === request.ts && one.text.includes('Stopped by'),
      );
    },
  }),
  'device-edit': changes({
    targets: { slash: ['kiosk-01', 4028], mention: ['kiosk-02', 4029], button: ['kiosk-06', 4069] },
    line: (name) => `device-edit ${name} name:"Desk of ${name}"`,
    button: async (harness, [name, id]) =>
      harness.fills(
        await harness.runs(`device ${name}`),
        'more',
        { [`name:${id}`]: `Desk of ${name}` },
        'Edit',
      ),
    answer: /^Edit of .* requested\./,
    effect: (harness, [, id]) => untilCalled(harness, `PUT /servers/${id}`),
  }),
  'group-create': changes({
    targets: { slash: ['Lab A', 0], mention: ['Lab B', 0], button: ['Lab C', 0] },
    line: (name) => `group-create "${name}" because new rooms`,
    button: (harness, [name]) => harness.triesForm('group-create', { name }),
    answer: /^Approval requested: \*?Create the group Lab ./,
    effect: (harness, [name]) =>
      approveAndExpect(harness, `⏳ Waiting for approval: Create the group ${name}`, 'POST /servergroups'),
  }),
  'group-edit': changes({
    targets: { slash: ['Database servers', 3113], mention: ['Macs', 3130], button: ['Kiosks', 3140] },
    line: (name) => `group-edit "${name}" every:12h because audit`,
    button: async (harness, [name, id]) =>
      harness.fills(await harness.runs(`group "${name}"`), 'form', {
        [`every:${id}`]: '720',
        reason: 'audit',
      }),
    answer: /^Approval requested: \*?Edit the group /,
    effect: (harness, [name, id]) =>
      approveAndExpect(harness, `⏳ Waiting for approval: Edit the group ${name}`, `PUT /servergroups/${id}`),
  }),
  'policy-create': changes({
    targets: { slash: ['Night A', 0], mention: ['Night B', 0], button: ['Night C', 0] },
    line: (name) => `policy-create "${name}" days:sun time:02:00 because new rooms`,
    button: (harness, [name]) => harness.triesForm('policy-create', { name }),
    answer: /^Approval requested: \*?Create the policy Night ./,
    effect: (harness, [name]) =>
      approveAndExpect(harness, `⏳ Waiting for approval: Create the policy ${name}`, 'POST /policies'),
  }),
  'policy-edit': changes({
    targets: {
      slash: ['Apply Critical Patches', 2102],
      mention: ['Require VPN client', 2104],
      button: ['Apply All Patches', 2101],
    },
    line: (name) => `policy-edit "${name}" time:03:30 because audit`,
    button: async (harness, [name, id]) =>
      harness.fills(await harness.runs(`policy "${name}"`), 'form', {
        [`time:${id}`]: '03:30',
        reason: 'audit',
      }),
    answer: /^Approval requested: \*?Edit the policy /,
    effect: (harness, [name, id]) =>
      approveAndExpect(harness, `⏳ Waiting for approval: Edit the policy ${name}`, `PUT /policies/${id}`),
  }),
  'device-remove': removal('device', {
    slash: ['desk-01', 4010],
    mention: ['desk-02', 4030],
    button: ['desk-03', 4050],
  }),
  'group-remove': removal('group', {
    slash: ['Finance laptops', 3121],
    mention: ['Engineering laptops', 3122],
    button: ['Design Macs', 3131],
  }),
};
