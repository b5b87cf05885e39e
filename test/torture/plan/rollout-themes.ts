/** Faults in the middle of rollouts: of the service, its devices, the processes, and people who press at once. */
import type { PlannedFault, ScheduledAction, ScheduleStep } from '../schedule.ts';
import type { FaultTheme } from './fault-themes.ts';
import type { SeededChance } from './random.ts';
import { approve, at, clock, later, posted, press, seen, type, type Users } from './steps.ts';

const COMMAND = 'POST /servers';
/** Many devices by their numbers: nothing else is asked of most of them. */
const DEVICES = [4001, 4002, 4003, 4004, 4006, 4008, 4009, 4010, 4011, 4012] as const;

const control = (users: Users, name: string, pick?: number) => press(users, `control:${name}`, pick);

/** A rollout that somebody asks for. */
export function rollout(chance: SeededChance): ScheduledAction {
  const count = chance.int(3, DEVICES.length);
  const targets = chance.weighted([
    [
      5,
      DEVICES.slice(0, count)
        .map((id) => `#${id}`)
        .join(','),
    ],
    // From 25 devices on their number is typed to approve them.
    [1, 'os:linux'],
  ]);
  const kind = chance.weighted([
    [4, 'reboot'],
    [2, 'patch'],
    [1, 'scan'],
  ]);
  const waves = chance.pick(['waves:1,50%,100%', 'waves:2,100%', 'waves:100%']);
  const brake = `brake:${chance.int(1, 4)}`;
  const gate = chance.happens(0.3) ? ' gate:manual' : '';
  const text = `${kind} ${targets} ${waves} ${brake}${gate} because order ${chance.int(1, 999)}`;
  return type(text, chance.pick(['operator', 'operator2']));
}

/** Somebody presses a control of any rollout, some of them at once. */
export function controlRollout(chance: SeededChance): ScheduledAction {
  const users = chance.weighted<Users>([
    [3, ['approver2']],
    [2, ['approver', 'approver2']],
    [1, ['operator', 'admin']],
    [1, ['viewer']],
  ]);
  const action = chance.pick(['pause', 'resume', 'resume', 'continue', 'continue', 'stop']);
  return control(users, action, chance.fraction());
}

const asked = (chance: SeededChance): readonly ScheduleStep[] => [
  at(0, rollout(chance)),
  posted(100, press(['approver'], 'approve')),
];
/** Time enough for waves and their proofs, with people who let it go on. */
const goesOn = (from: number): readonly ScheduleStep[] => [
  at(from, clock('2m')),
  at(from + 1_000, control(['approver2', 'admin'], 'resume')),
  at(from + 1_500, control(['approver2'], 'continue')),
  at(from + 2_500, clock('5m')),
  at(from + 3_500, control(['approver', 'approver2'], 'continue')),
  at(from + 4_000, control(['approver2'], 'resume')),
  at(from + 5_000, clock('5m')),
];

/** Several people press at once while it is sent. */
export const pressedRollout: FaultTheme = (chance) => [
  ...asked(chance),
  seen(200, COMMAND, chance.int(1, 5), control(['approver', 'approver2', 'operator'], 'pause')),
  at(chance.int(300, 1_500), control(['approver2', 'admin'], chance.pick(['resume', 'stop']))),
  at(1_600, control(['approver'], chance.pick(['resume', 'pause', 'stop']))),
  ...goesOn(2_000),
];

/** A process is killed between the claims and commands of a rollout. */
export const killedRollout: FaultTheme = (chance, { replicas }) => {
  const index = chance.int(0, replicas - 1);
  return [
    ...asked(chance),
    seen(200, COMMAND, chance.int(1, 6), { do: 'bot', how: 'kill', index }),
    at(200 + chance.int(0, 3_000), { do: 'bot', how: 'start', index }),
    ...goesOn(4_000),
  ];
};

/** A process stands still for longer than its lease while it sends a rollout. */
export const pausedInRollout: FaultTheme = (chance, { replicas }) => {
  const index = chance.int(0, replicas - 1);
  return [
    ...asked(chance),
    seen(200, COMMAND, chance.int(1, 4), { do: 'bot', how: 'pause', index }),
    at(32_000, clock('40s')),
    at(chance.int(34, 40) * 1_000, { do: 'bot', how: 'resume', index }),
    ...goesOn(42_000),
  ];
};

/** A process stands still between a claim and its call, only until another took the claim over. */
export const takenOver: FaultTheme = (chance, { replicas }) => [
  at(0, { do: 'bot', how: 'pause-at-claim' }),
  at(50, type(`reboot #4044 because over ${chance.int(1, 99)}`)),
  at(1_000, approve('#4044')),
  ...(replicas > 1 ? [at(3_000, { do: 'database', how: 'expire' })] : []),
  at(3_100, clock('40s')),
  at(4_500, clock('4m')),
  // Sooner than the process by itself gives back what it claimed.
  at(8_000, { do: 'bot', how: 'resume' }),
  at(9_000, clock('2m')),
];

/** The service refuses, throttles, breaks, or cuts its answers in the middle of a rollout. */
export const badServiceInRollout: FaultTheme = (chance) => {
  const base = { service: 'management', times: chance.int(1, 5) } as const;
  const match = chance.pick(['POST /servers', 'POST /servers', 'GET /servers']);
  const fault = chance.pick<PlannedFault>([
    { ...base, match, kind: 'status', status: chance.pick([403, 404, 500, 503]) },
    { ...base, match, kind: 'throttle', retry_after: chance.int(1, 20) },
    { ...base, match, kind: 'cut' },
    { ...base, match, kind: 'cut-after' },
    { ...base, match, kind: 'malformed' },
    { ...base, match, kind: 'slow', ms: chance.int(500, 9_000) },
    { ...base, match, kind: 'late', ms: chance.int(5_000, 20_000) },
  ]);
  return [
    ...asked(chance),
    seen(200, COMMAND, chance.int(1, 3), { do: 'fault', fault }),
    at(4_000, { do: 'mend' }),
    ...goesOn(5_000),
  ];
};

/** Twenty devices and more, of which the service refuses one after the other: the brake comes while calls are in flight. */
export const refusedRollout: FaultTheme = (chance) => {
  const devices = Array.from({ length: chance.int(20, 24) }, (_, index) => `#${4_020 + index}`);
  const status = chance.pick([400, 403, 404]);
  const match = 'POST /servers';
  const text = `reboot ${devices.join(',')} waves:100% brake:${chance.int(1, 3)} because refused`;
  return [
    at(0, type(text)),
    at(50, { do: 'fault', fault: { service: 'management', match, kind: 'status', status, times: 200 } }),
    posted(100, press(['approver'], 'approve')),
    seen(200, COMMAND, 3, clock('30s')),
    at(5_000, { do: 'mend' }),
    at(6_000, clock('2m')),
  ];
};

/** Everything is paused while an approved request reads its device again: nothing but its claim can see that. */
const pausedBeforeClaim = (chance: SeededChance): readonly ScheduleStep[] => {
  const slow = { service: 'management', match: 'GET /servers/', kind: 'slow', ms: 1_000, times: 4 } as const;
  return [
    at(0, type(`reboot #4019 because pause ${chance.int(1, 99)}`)),
    posted(50, { do: 'fault', fault: slow }),
    at(1_000, approve('#4019')),
    seen(1_050, 'GET /servers/4019', 1, type('pause because claim', 'admin')),
    at(5_000, { do: 'mend' }),
    at(5_100, type('pause off', 'admin')),
  ];
};

/** Everything is paused while a request is read again, and while a rollout is sent; nobody lets it go on for a while. */
export const stoppedRollout: FaultTheme = (chance) => [
  ...pausedBeforeClaim(chance),
  ...later(stoppedWhileSent(chance), 6_000),
];

const stoppedWhileSent = (chance: SeededChance): readonly ScheduleStep[] => [
  ...asked(chance),
  seen(200, COMMAND, chance.int(1, 3), type('pause because drill', 'admin')),
  at(250, type('scan web-01')),
  at(300, type('device-edit web-02 name:paused', 'operator2')),
  at(2_000, clock('1m')),
  at(5_000, type('pause off', 'admin')),
  ...goesOn(6_000),
];

/** Patches fail on devices, everything is paused meanwhile, and what failed is requested again. */
export const failingRollout: FaultTheme = (chance) => [
  at(0, { do: 'world', order: { do: 'installs-fail', patch: 'openssl' } }),
  ...later(asked(chance), 50),
  at(1_500, type('pause because drill', 'admin')),
  at(2_500, type('pause off', 'admin')),
  ...goesOn(3_000),
  at(9_000, { do: 'world', order: { do: 'installs-work' } }),
  at(9_500, press(['operator'], 'retry')),
];
