/** Kinds of faults. Each theme is a few related steps, with times from 0; the plan adds them to the traffic. */

import type { PlannedFault, ScheduledAction, ScheduleStep } from '../schedule.ts';
import type { SeededChance } from './random.ts';
import { at, clock, posted, press, seen, type } from './steps.ts';
import { request } from './traffic.ts';

export type TortureSetting = { readonly database: 'sqlite' | 'postgres'; readonly replicas: number };
export type FaultTheme = (chance: SeededChance, setting: TortureSetting) => readonly ScheduleStep[];

const POST = 'POST /api/chat.postMessage';
const UPDATE = 'POST /api/chat.update';
/** The same for the cards of alerts: their key follows the path. */
const ALERT_POST = `${POST} notice:`;

const late = (match: string, ms: number, times: number): ScheduledAction => ({
  do: 'fault',
  fault: { service: 'slack', match, kind: 'late', ms, times },
});
const burst = (chance: SeededChance, count: number): ScheduledAction => ({
  do: 'burst',
  count,
  device: chance.pick(['web-01', 'web-02', 'db-01']),
});
const kill: ScheduledAction = { do: 'bot', how: 'kill' };
const startAll = ({ replicas }: TortureSetting): ScheduledAction => ({
  do: 'bot',
  how: 'start',
  count: replicas,
});

/** Posts that Slack received and carries out late, while their sender is killed. */
export const latePosts: FaultTheme = (chance, setting) => {
  const count = chance.int(1, 4);
  return [
    at(0, late(POST, chance.int(10, 25) * 1_000, count)),
    at(100, burst(chance, count)),
    at(200, clock('16s')),
    seen(300, ALERT_POST, 1, kill),
    at(chance.int(500, 3_000), startAll(setting)),
    at(4_000, clock('1m')),
  ];
};

/** The same for edits: the thing changes meanwhile, so that the late edit shows an old state. */
export const lateEdits: FaultTheme = (chance, setting) => {
  const device = chance.pick(['web-01', 'web-02', 'db-01']);
  return [
    at(0, late(UPDATE, chance.int(12, 25) * 1_000, chance.int(1, 2))),
    at(100, { do: 'type', user: 'operator', channel: 'ops', text: `scan ${device}` }),
    seen(200, 'POST /servers', 1, clock(chance.pick(['30s', '1m', '2m']))),
    seen(300, UPDATE, 1, kill),
    at(chance.int(400, 2_000), startAll(setting)),
    at(3_000, clock('2m')),
    at(4_000, clock('3m')),
  ];
};

/** Late edits and posts without a kill: another replica, or the same process, takes over. */
export const lateAlone: FaultTheme = (chance) => [
  at(0, late(chance.pick([POST, UPDATE, 'chat.']), chance.int(10, 25) * 1_000, chance.int(1, 3))),
  at(100, burst(chance, chance.int(1, 5))),
  at(200, clock('16s')),
  at(2_000, request(chance)),
  at(9_000, clock('30s')),
  at(12_000, clock('1m')),
];

/** A command that the service received and carries out late, while its sender is killed or waits. */
export const lateCommands: FaultTheme = (chance, setting) => {
  const ms = chance.int(10, 25) * 1_000;
  const text = chance.pick(['scan web-01', 'scan db-01', 'device-edit web-02 name:late']);
  const fault: PlannedFault = {
    service: 'management',
    match: chance.pick(['POST /', 'PUT /']),
    kind: 'late',
    ms,
    times: 1,
  };
  return [
    at(0, { do: 'fault', fault }),
    at(100, type(text)),
    at(200, request(chance)),
    ...(chance.happens(0.6) ? [seen(300, 'POST /servers', 1, kill)] : []),
    at(chance.int(400, 3_000), startAll(setting)),
    at(4_000, clock('1m')),
    at(9_000, clock('2m')),
  ];
};

/**
 * One process stands still longer than its lease, in the middle of a burst. The others are held until then, so that
 * it is the one that posts.
 */
export const pausedInBurst: FaultTheme = (chance, { replicas }) => {
  const index = chance.int(0, replicas - 1);
  const others = Array.from({ length: replicas }, (_, place) => place).filter((place) => place !== index);
  const bot = (how: 'pause' | 'resume', place: number): ScheduledAction => ({ do: 'bot', how, index: place });
  return [
    ...others.map((place) => at(0, bot('pause', place))),
    at(10, burst(chance, chance.int(30, 60))),
    at(50, clock('16s')),
    seen(60, ALERT_POST, chance.int(1, 3), bot('pause', index)),
    ...others.map((place) => at(70, bot('resume', place))),
    at(6_000, request(chance)),
    // Whoever takes over looks for work on the clock.
    at(32_000, clock('40s')),
    at(chance.int(36, 45) * 1_000, bot('resume', index)),
    at(46_000, clock('30s')),
  ];
};

/** Killed right after a request or a press, and away for hours or days. */
export const absence: FaultTheme = (chance, setting) => {
  const slow: PlannedFault = {
    service: 'management',
    match: 'GET /servers/',
    kind: 'slow',
    ms: 4_000,
    times: 30,
  };
  const away = chance.weighted([
    [2, '72h'],
    [2, '5h'],
    [2, '40m'],
    [1, '10m'],
    [1, '20d'],
  ]);
  return [
    at(0, type('reboot web-02 because firmware', 'operator2')),
    posted(100, { do: 'fault', fault: slow }),
    at(1_500, press(['approver'], 'approve')),
    at(1_600, request(chance)),
    at(1_700, type(chance.pick(['scan web-01', 'scan db-01']))),
    at(1_750, type('device-edit web-01 name:older', 'admin')),
    seen(1_800, 'GET /servers/', chance.int(1, 3), kill),
    at(2_500, { do: 'mend' }),
    at(2_600, clock(away)),
    at(2_800, { do: 'world', order: { do: 'patch-fails', device: 'web-01', reason: 'while away' } }),
    at(3_000, startAll(setting)),
  ];
};

/** Two approvers decide the same request at once while the requester withdraws it. */
export const race: FaultTheme = (chance, setting) => {
  const both = chance.pick(['approve', 'deny'] as const);
  return [
    at(0, type('reboot db-01 because kernel')),
    posted(100, press(['approver', 'approver2'], 'approve')),
    at(110, press(['approver2', 'operator'], both)),
    at(120, press(['operator'], 'withdraw')),
    ...(chance.happens(0.5)
      ? [
          seen(150, chance.pick(['POST /servers', 'GET /servers/', UPDATE]), 1, kill),
          at(chance.int(300, 3_000), startAll(setting)),
        ]
      : []),
    at(4_000, clock('1m')),
    at(5_000, clock('3m')),
  ];
};
