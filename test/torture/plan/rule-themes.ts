/** Approval rules: quorums, what they let through and refuse, groups that vanish, and files that change meanwhile. */
import type { ScheduledAction, ScheduleStep, ScheduleUser } from '../schedule.ts';
import type { FaultTheme } from './fault-themes.ts';
import type { SeededChance } from './random.ts';
import { at, clock, later, posted, press, type, type Users } from './steps.ts';

type FileDeed = Extract<ScheduledAction, { do: 'file' }>;
const hangup: ScheduledAction = { do: 'bot', how: 'hangup' };
/** Longer than the torture waits before it takes a changed file for in force, and than the clock needs then. */
const IN_FORCE_MS = 11_500;

const changed = (how: FileDeed['how'], file: FileDeed['file']): ScheduledAction => ({
  do: 'file',
  how,
  file,
});
/** Written or swapped, and taken at once; then so long ago that nothing judged by the file before is still on its way. */
const taken = (chance: SeededChance, file: FileDeed['file']): readonly ScheduleStep[] => [
  at(0, changed(chance.pick(['write', 'swap']), file)),
  at(200, hangup),
  at(9_000, clock('6m')),
];
/** A number that no other request has in its reason, so that its card is found. */
const named = (chance: SeededChance): string => `order ${chance.int(1_000, 9_999)}`;
const approves = (users: Users, about: string) => press(users, 'approve', undefined, about);
const KIOSKS = ['#4008', '#4028', '#4029', '#4048', '#4049'] as const;
const DATABASES = ['#4016', '#4036', '#4056', '#4076'] as const;
const ENGINEERS = ['#4022', '#4023', '#4042', '#4043', '#4062', '#4063'] as const;

/** The groups of people can't be read for a while. */
const unreadable: ScheduledAction = {
  do: 'fault',
  fault: {
    ...{ service: 'slack', match: 'usergroups.users.list', kind: 'answer', times: 40 },
    body: { ok: false, error: 'internal_error' },
  },
};

/** Two people, one of them twice, the requester among them, and user groups that can't be read for a while. */
export const quorumRules: FaultTheme = (chance) => {
  const [kiosk, own, database] = [named(chance), named(chance), named(chance)];
  const others = chance.pick(['approver2', 'approver3', 'admin'] as const);
  return [
    ...taken(chance, 'first'),
    at(IN_FORCE_MS, type(`reboot ${chance.pick(KIOSKS)} because ${kiosk}`)),
    at(IN_FORCE_MS + 50, type(`reboot ${chance.pick(DATABASES)} because ${database}`)),
    at(IN_FORCE_MS + 100, type(`reboot kiosk-05 because ${own}`, 'approver')),
    posted(IN_FORCE_MS + 200, approves(['approver', 'operator', 'viewer'], kiosk)),
    ...later(
      [
        at(0, approves(['approver'], kiosk)),
        at(50, approves(['approver', 'approver3'], own)),
        at(100, approves(['approver2', 'approver3'], database)),
        at(1_000, unreadable),
        at(1_500, approves(['approver2', 'admin'], database)),
        at(2_000, clock('6m')),
        at(3_000, approves(['approver'], kiosk)),
        at(6_000, { do: 'mend' }),
        at(6_100, clock('1m')),
        at(7_000, approves([others, 'approver'], kiosk)),
        at(7_100, approves(['approver', 'admin'], database)),
        at(7_200, approves(['approver2', 'approver'], own)),
        at(9_000, clock('2m')),
      ],
      IN_FORCE_MS + 1_500,
    ),
  ];
};

/** Requests of several devices and of a whole group, decided one by one and together. */
export const reachingRules: FaultTheme = (chance) => {
  const [many, group, edit] = [named(chance), named(chance), named(chance)];
  const both: ScheduleUser[] = ['approver', 'admin'];
  return [
    ...taken(chance, 'first'),
    at(IN_FORCE_MS, type(`reboot #4002,#4009,#4011,#4012 waves:2,100% because ${many}`)),
    at(IN_FORCE_MS + 50, type(`group-edit #3113 every:${chance.int(4, 9)}h because ${group}`)),
    at(IN_FORCE_MS + 100, type(`device-edit #4016 tag:t${chance.int(1, 99)} because ${edit}`, 'operator2')),
    posted(IN_FORCE_MS + 200, approves(['approver', 'approver2'], many)),
    ...later(
      [
        at(0, { do: 'several', user: chance.pick(['approver', 'approver3']), action: 'approve' }),
        at(1_500, approves(['approver2'], edit)),
        at(3_000, clock('1m')),
        ...both.map((user, index) =>
          at(3_500 + index * 1_500, { do: 'several', user, action: 'approve' } as const),
        ),
        at(7_500, approves(['admin'], many)),
        at(9_000, clock('2m')),
        at(10_000, clock('5m')),
      ],
      IN_FORCE_MS + 2_000,
    ),
  ];
};

/** More devices than a rule lets through in an hour, one after the other and at once. */
export const hourlyRules: FaultTheme = (chance) => {
  const reboot = (index: number, user: ScheduleUser = 'operator'): ScheduledAction =>
    type(`reboot ${ENGINEERS[index]} because ${named(chance)}`, user);
  return [
    ...taken(chance, chance.pick(['first', 'first', 'strict'])),
    at(IN_FORCE_MS, reboot(0)),
    at(IN_FORCE_MS + 10, reboot(1, 'operator2')),
    at(IN_FORCE_MS + 20, reboot(2)),
    at(IN_FORCE_MS + 30, reboot(3, 'operator2')),
    at(IN_FORCE_MS + 1_500, clock('20m')),
    at(IN_FORCE_MS + 2_500, reboot(4)),
    at(IN_FORCE_MS + 4_000, clock('20m')),
    ...later(taken(chance, 'loose'), IN_FORCE_MS + 5_000),
    at(
      2 * IN_FORCE_MS + 6_000,
      type(`reboot ${ENGINEERS[5]},${ENGINEERS[0]},${ENGINEERS[1]} because ${named(chance)}`),
    ),
    at(2 * IN_FORCE_MS + 7_000, reboot(5, 'operator2')),
    at(2 * IN_FORCE_MS + 8_500, clock('20m')),
    at(2 * IN_FORCE_MS + 9_500, reboot(2)),
    at(2 * IN_FORCE_MS + 11_000, clock('1m')),
  ];
};

/** What a rule refuses; and a freeze that comes while requests wait, and between the waves of a rollout. */
export const frozenRules: FaultTheme = (chance) => {
  const [waits, wave] = [named(chance), named(chance)];
  return [
    ...taken(chance, 'first'),
    at(IN_FORCE_MS, type(`patch ${chance.pick(['#4017', '#4037'])} because ${named(chance)}`)),
    at(IN_FORCE_MS + 50, type(`reboot #4051 because ${waits}`)),
    at(
      IN_FORCE_MS + 100,
      type(`reboot #4052,#4053,#4054 waves:1,100% gate:manual because ${wave}`, 'operator2'),
    ),
    posted(IN_FORCE_MS + 200, approves(['approver'], wave)),
    ...later(
      [
        at(0, approves(['approver'], wave)),
        at(1_500, clock('2m')),
        ...later(taken(chance, 'freeze'), 2_500),
        at(IN_FORCE_MS + 3_500, approves(['approver', 'approver2'], waits)),
        at(IN_FORCE_MS + 3_600, press(['approver2', 'admin'], 'control:continue', undefined, wave)),
        at(IN_FORCE_MS + 3_700, type('scan web-01')),
        at(IN_FORCE_MS + 5_500, clock('2m')),
        ...later(taken(chance, chance.pick(['calm', 'loose'])), IN_FORCE_MS + 6_500),
        at(2 * IN_FORCE_MS + 7_000, approves(['approver', 'approver2'], waits)),
        at(2 * IN_FORCE_MS + 8_500, clock('5m')),
      ],
      IN_FORCE_MS + 1_500,
    ),
  ];
};

/** The file changes between two approvals, is broken for a while, and asks for fewer or more people than before. */
export const reloadedRules: FaultTheme = (chance, { replicas }) => {
  const [fewer, also, more] = [named(chance), named(chance), named(chance)];
  const broken = chance.pick(['half', 'empty'] as const);
  /** One process stands still while the file changes, and has the one before when it goes on. */
  const behind = [
    at(IN_FORCE_MS + 8_400, { do: 'bot', how: 'pause', index: 0 } as const),
    at(IN_FORCE_MS + 20_000, { do: 'bot', how: 'resume', index: 0 } as const),
  ];
  return [
    ...taken(chance, 'strict'),
    at(IN_FORCE_MS, type(`reboot ${chance.pick(KIOSKS)} because ${fewer}`)),
    at(IN_FORCE_MS + 10, type(`reboot ${chance.pick(DATABASES)} because ${also}`)),
    posted(IN_FORCE_MS + 50, approves(['approver'], fewer)),
    ...later(
      [
        at(0, approves(['approver'], also)),
        at(0, changed(broken, 'loose')),
        at(500, hangup),
        at(3_000, approves(['approver2'], fewer)),
        at(4_500, changed(broken === 'half' ? 'empty' : 'half', 'loose')),
        ...later(taken(chance, 'loose'), 6_000),
        // In force, and nobody has pressed since: some agreed, and now they are enough.
        at(IN_FORCE_MS + 7_000, type(`reboot kiosk-06 because ${more}`, 'operator2')),
        ...(replicas > 1 && chance.happens(0.5) ? behind : []),
        at(IN_FORCE_MS + 8_500, changed(chance.pick(['write', 'swap']), 'first')),
        // Not at once: it is read by itself, and some press before that.
        ...(chance.happens(0.4) ? [at(IN_FORCE_MS + 9_500, approves(['admin'], more))] : []),
        at(IN_FORCE_MS + 27_000, approves(['admin'], more)),
        at(IN_FORCE_MS + 28_500, approves(['approver3'], fewer)),
        at(IN_FORCE_MS + 28_700, approves(['approver3'], also)),
        at(IN_FORCE_MS + 29_000, approves(['approver3'], more)),
        at(IN_FORCE_MS + 31_000, clock('2m')),
      ],
      IN_FORCE_MS + 2_000,
    ),
  ];
};

/** A group that a rule names gets another name, or is removed; and a process dies beside a broken file. */
export const lostGroupRules: FaultTheme = (chance, { replicas }) => {
  const [before, after] = [named(chance), named(chance)];
  const index = chance.int(0, replicas - 1);
  return [
    ...taken(chance, 'first'),
    at(IN_FORCE_MS, type(`reboot #4028 because ${before}`)),
    posted(IN_FORCE_MS + 50, approves(['approver'], before)),
    ...later(
      [
        at(0, { do: 'console', how: chance.pick(['rename', 'remove']), group: 3_140 }),
        at(100, clock('20m')),
        at(1_500, type(`reboot #4029 because ${after}`)),
        at(2_500, approves(['approver'], after)),
        at(4_000, approves(['approver2'], before)),
        at(5_000, changed('half', 'first')),
        at(5_500, { do: 'bot', how: 'kill', index }),
        at(7_000, changed('write', 'first')),
        at(7_500, { do: 'bot', how: 'start', index }),
        at(12_000, approves(['admin'], after)),
        at(14_000, clock('2m')),
      ],
      IN_FORCE_MS + 2_000,
    ),
  ];
};
