/** What people do all day: every command, button and form, as all kinds of people. */

import type { ScheduledAction, ScheduleUser } from '../schedule.ts';
import type { SeededChance } from './random.ts';
import { controlRollout, rollout } from './rollout-themes.ts';

/** Devices that no random event changes, and that everybody knows by name. */
const DEVICES = ['web-01', 'web-02', 'db-01', 'win-ts-01', 'kiosk-07', '#4001', '#4002'] as const;
const PEOPLE = ['operator', 'operator2', 'approver', 'approver2', 'viewer', 'admin', 'outsider'] as const;
const ASKERS = ['operator', 'operator2', 'approver', 'admin'] as const;

const QUESTIONS = [
  'device web-01',
  'device web-02 packages',
  'devices group:"Linux servers" is:needs-reboot',
  'devices is:online sort:name',
  'packages web-01',
  'missing openssl',
  'queue web-01',
  'events web-01',
  'groups',
  'policies',
  'compliance',
  'approvals',
  'approvals mine',
  'operations',
  'audit',
  'status',
  'alerts',
  'subscriptions all',
  'saved',
  'organization',
  'timezone',
  'explain patch web-01',
  'help',
  'nonsense web-01',
  'preview os:Linux',
] as const;

/** Anything a person may do. */
export function randomAction(chance: SeededChance): ScheduledAction {
  return chance.weighted<() => ScheduledAction>([
    [5, () => ask(chance)],
    [6, () => request(chance)],
    [8, () => decide(chance)],
    [2, () => rollout(chance)],
    [3, () => controlRollout(chance)],
    [3, () => press(chance, ['acknowledge'], 'patch-alerts')],
    [1, () => press(chance, ['retry', 'scan', 'silence'], 'patch-alerts')],
    [1, () => press(chance, ['acknowledge', 'scan'], 'new-devices')],
    [2, () => settings(chance)],
    [2, () => form(chance)],
    [5, () => randomWorldEvent(chance)],
  ])();
}

function ask(chance: SeededChance): ScheduledAction {
  const user = chance.pick(PEOPLE);
  const channel = chance.weighted([
    [4, 'ops'],
    [1, `@${user}`],
  ]);
  return { do: 'type', user, channel, text: chance.pick(QUESTIONS) };
}

/** Commands that change something: some need an approval, some run at once. */
export function request(chance: SeededChance): ScheduledAction {
  const device = chance.pick(DEVICES);
  const number = chance.int(1, 99);
  const text = chance.weighted([
    [6, `scan ${device}`],
    [5, `reboot ${device} because kernel ${number}`],
    [3, `patch ${device}`],
    [2, `patch ${device} openssl because CVE ${number}`],
    [2, `device-edit ${device} name:label-${number}`],
    [1, `device-edit ${device} tag:t${number} because order`],
    [1, `device-edit ${device}, app-02, app-03 tag:s${number} because order`],
    [1, `group-create "Team ${number}" because project`],
    [1, `policy-test win-ts-01 policy:"Disable SMBv1"`],
  ]);
  return { do: 'type', user: chance.pick(ASKERS), channel: 'ops', text };
}

/** A person decides, often two at once, or the requester withdraws meanwhile. */
export function decide(chance: SeededChance): ScheduledAction {
  const users = chance.weighted<readonly [ScheduleUser, ...ScheduleUser[]]>([
    [4, ['approver']],
    [3, ['approver', 'approver2']],
    [1, ['approver2', 'approver', 'admin']],
    [1, ['operator']],
  ]);
  const action = chance.weighted([
    [6, 'approve'],
    [2, 'deny'],
    [1, 'withdraw'],
  ]);
  return { do: 'press', users: [...users], channel: 'approvals', action, pick: chance.fraction() };
}

function press(
  chance: SeededChance,
  actions: readonly [string, ...string[]],
  channel: string,
): ScheduledAction {
  const users: ScheduleUser[] = [chance.pick(ASKERS)];
  return { do: 'press', users, channel, action: chance.pick(actions), pick: chance.fraction() };
}

/** Silences are short and for one device, so that most alerts still come. */
function settings(chance: SeededChance): ScheduledAction {
  const number = chance.int(1, 20);
  const text = chance.pick([
    'silence device:db-01 for 20m because work',
    'subscribe me "new devices"',
    'subscribe #ops "patch failures" group:"Linux servers"',
    'unsubscribe me',
    `alias a${number} = devices is:online`,
    `save s${number} = os:linux`,
    'timezone Europe/Berlin',
    'alias',
    'pause because drill',
    'pause off',
    'pause off',
  ]);
  const user = text.startsWith('pause') ? 'admin' : chance.pick(ASKERS);
  return { do: 'type', user, channel: 'ops', text };
}

function form(chance: SeededChance): ScheduledAction {
  const text = chance.pick([
    'scan',
    'reboot',
    'patch',
    'device',
    'device-edit web-01',
    'silence',
    // Nothing else is asked of these.
    'device-remove desk-02',
    'device-remove desk-03',
    'group-remove "Design Macs"',
  ]);
  return { do: 'form', user: chance.pick(ASKERS), text, pick: chance.fraction() };
}

/** Events without anybody in Slack. */
export function randomWorldEvent(chance: SeededChance): ScheduledAction {
  return chance.weighted<ScheduledAction>([
    [6, { do: 'world', order: { do: 'patch-fails' } }],
    [
      3,
      { do: 'world', order: { do: 'patch-fails', device: 'web-01', reason: `reason ${chance.int(1, 999)}` } },
    ],
    [3, { do: 'world', order: { do: 'device-added' } }],
    [
      2,
      { do: 'world', order: { do: 'storm', count: chance.int(3, 40), reason: `outage ${chance.int(1, 4)}` } },
    ],
    [1, { do: 'world', order: { do: 'patch-applies' } }],
    [1, { do: 'world', order: { do: 'device-offline' } }],
    [1, { do: 'world', order: { do: 'device-online' } }],
    [1, { do: 'world', order: { do: 'installs-fail', patch: 'curl' } }],
    [1, { do: 'world', order: { do: 'installs-work' } }],
  ]);
}
