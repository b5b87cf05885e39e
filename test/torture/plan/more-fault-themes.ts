/** More kinds of faults: of the services, the network, the database and the clock. */

import type { PlannedFault, ScheduledAction } from '../schedule.ts';
import type { FaultTheme, TortureSetting } from './fault-themes.ts';
import type { SeededChance } from './random.ts';
import { at } from './steps.ts';
import { request } from './traffic.ts';

/** The requests that a fault may hit: reads, writes and all. */
const PATHS = {
  management: ['GET /servers', 'GET /events', 'POST /servers', 'PUT /servers', 'GET /', '/'],
  slack: ['chat.postMessage', 'chat.update', 'conversations.history', 'chat.', '/api/', 'response', 'views.'],
} as const;

function anyFault(chance: SeededChance): PlannedFault {
  const service = chance.pick(['management', 'slack'] as const);
  const match = service === 'slack' ? chance.pick(PATHS.slack) : chance.pick(PATHS.management);
  const times = chance.int(1, 8);
  const kind = chance.pick(['status', 'slow', 'late', 'cut', 'cut-after', 'malformed', 'throttle'] as const);
  const base = { service, match, kind, times };
  switch (kind) {
    case 'status':
      return { ...base, status: chance.pick([500, 502, 503, 504, 408] as const) };
    case 'slow':
      return { ...base, ms: chance.int(500, 9_000) };
    case 'late':
      return { ...base, ms: chance.int(5_000, 25_000) };
    case 'throttle':
      return { ...base, retry_after: chance.int(1, 10) };
    default:
      return base;
  }
}

/** A bad quarter of a minute. */
export const badServices: FaultTheme = (chance) => [
  ...Array.from({ length: chance.int(2, 6) }, () =>
    at(chance.int(0, 12_000), { do: 'fault', fault: anyFault(chance) }),
  ),
  at(1_000, request(chance)),
  at(6_000, { do: 'clock', advance: '30s' }),
  at(15_000, { do: 'mend' }),
];

/** A process is killed as soon as a certain request was sent. */
export const killedAt: FaultTheme = (chance, { replicas }) => {
  const seen = chance.pick([
    'POST /servers',
    'GET /servers',
    'GET /events',
    'POST /api/chat.postMessage',
    'POST /api/chat.update',
    'PUT /servers',
  ] as const);
  const index = chance.int(0, replicas - 1);
  return [
    at(0, request(chance)),
    at(100, {
      do: 'world',
      order: { do: 'patch-fails', device: 'web-02', reason: `kill ${chance.int(1, 999)}` },
    }),
    { at: 200, when: { seen, count: chance.int(1, 3) }, deed: { do: 'bot', how: 'kill', index } },
    at(200 + chance.int(0, 5_000), { do: 'bot', how: 'start', index }),
  ];
};

/** In order, as at every deployment. */
export const restarted: FaultTheme = (chance, { replicas }) => {
  const index = chance.int(0, replicas - 1);
  return [
    at(0, request(chance)),
    at(chance.int(50, 1_500), { do: 'bot', how: 'stop', index }),
    at(2_000, { do: 'bot', how: 'start', index }),
  ];
};

/** Connections of PostgreSQL are cut, or the server restarts. */
export const badDatabase: FaultTheme = (chance) => [
  at(0, request(chance)),
  at(chance.int(50, 2_000), { do: 'database', how: chance.pick(['cut', 'cut', 'restart']) }),
  at(2_500, {
    do: 'world',
    order: { do: 'storm', count: chance.int(3, 20), reason: `database ${chance.int(1, 9)}` },
  }),
  at(chance.int(2_600, 5_000), { do: 'database', how: 'cut' }),
  at(6_000, { do: 'clock', advance: '20s' }),
];

/** Slack's deliveries come twice, out of order or not at all. */
export const badDelivery: FaultTheme = (chance) => [
  at(0, { do: 'delivery', how: chance.pick(['duplicate', 'reorder']), times: chance.int(1, 4) }),
  at(100, request(chance)),
  at(2_000, { do: 'delivery', how: chance.pick(['disconnect', 'refresh', 'half-open', 'kill-socket']) }),
  at(chance.int(2_100, 4_000), request(chance)),
];

/** A process with a wrong wall clock joins, or replaces the only one. */
export const wrongClock: FaultTheme = (chance, { replicas }: TortureSetting) => {
  const index = chance.int(0, replicas - 1);
  const skew = chance.pick(['+2m', '-2m', '+30s', '-30s', '+10s']);
  return [
    at(0, { do: 'bot', how: 'kill', index }),
    at(200, { do: 'bot', how: 'start', index, skew }),
    at(3_000, request(chance)),
    at(4_000, { do: 'burst', count: chance.int(2, 8), device: 'web-01' }),
    at(5_000, { do: 'clock', advance: '30s' }),
  ];
};

/** Groups of alerts that grow while people act on them. */
export const storms: FaultTheme = (chance) => {
  const reason = `outage ${chance.int(1, 99)}`;
  const storm = (count: number): ScheduledAction => ({ do: 'world', order: { do: 'storm', count, reason } });
  return [
    at(0, storm(chance.int(5, 60))),
    at(200, { do: 'clock', advance: '16s' }),
    at(3_000, {
      do: 'press',
      users: ['operator', 'operator2'],
      channel: 'patch-alerts',
      action: 'acknowledge',
      pick: 0.99,
    }),
    at(4_000, storm(chance.int(5, 40))),
    at(4_200, { do: 'clock', advance: '16s' }),
    at(7_000, storm(chance.int(1, 10))),
    at(7_200, { do: 'clock', advance: '16m' }),
  ];
};

/** A single process stands still for longer than its lease while people send requests. */
export const paused: FaultTheme = (chance, { replicas }) => {
  const index = chance.int(0, replicas - 1);
  return [
    at(0, request(chance)),
    at(chance.int(20, 1_500), { do: 'bot', how: 'pause', index }),
    at(3_000, request(chance)),
    at(5_000, { do: 'world', order: { do: 'patch-fails', device: 'web-02', reason: 'while paused' } }),
    at(chance.int(35, 45) * 1_000, { do: 'bot', how: 'resume', index }),
  ];
};
