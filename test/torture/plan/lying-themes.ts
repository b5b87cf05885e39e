/** Answers and lists that are not what they seem, surfaces that are not Patchbay's, and devices that changed meanwhile. */
import type { PlannedFault, ScheduledAction, ScheduleStep } from '../schedule.ts';
import type { FaultTheme } from './fault-themes.ts';
import type { SeededChance } from './random.ts';
import { rollout } from './rollout-themes.ts';
import { approve as approveOf, at, clock, later, posted, press, type } from './steps.ts';
import { request } from './traffic.ts';

const approve = press(['approver'], 'approve');

/** Slack's words for trouble of its own, after which the message may stand. */
const SLACK_ERRORS = ['fatal_error', 'internal_error', 'service_unavailable', 'request_timeout'] as const;
type Lie = Pick<PlannedFault, 'status' | 'body'>;
/** What the service puts into an answer that looks like success. */
const REFUSALS: readonly [Lie, ...Lie[]] = [
  { status: 200, body: { errors: ['This device is not compatible with the command.'] } },
  { status: 201, body: { error: 'device is in maintenance' } },
];

function lyingAnswer(chance: SeededChance): PlannedFault {
  return chance.weighted<PlannedFault>([
    [1, { ...lyingPost(chance), status: 500 }],
    [2, { ...lyingPost(chance), match: 'chat.update' }],
    [
      3,
      {
        service: 'management',
        match: 'POST /servers',
        kind: 'answer',
        times: chance.int(1, 3),
        ...chance.pick(REFUSALS),
      },
    ],
  ]);
}

function lyingPost(chance: SeededChance): PlannedFault {
  const body = { ok: false, error: chance.pick(SLACK_ERRORS) };
  return { service: 'slack', match: 'chat.postMessage', kind: 'answer', times: chance.int(1, 3), body };
}

/** The work is done, and the answer says otherwise. */
export const lyingAnswers: FaultTheme = (chance) => [
  at(0, { do: 'fault', fault: lyingPost(chance) }),
  at(50, { do: 'fault', fault: lyingAnswer(chance) }),
  at(100, request(chance)),
  at(200, { do: 'burst', count: chance.int(1, 4), device: 'web-01' }),
  at(300, rollout(chance)),
  posted(400, approve),
  at(1_000, clock('30s')),
  at(6_000, { do: 'mend' }),
  at(7_000, clock('2m')),
];

/** Lists that shrink, end too early or repeat a page, while events come and somebody asks for changes. */
export const lyingLists: FaultTheme = (chance) => {
  const list = (match: string, how: Pick<PlannedFault, 'take' | 'page'>): ScheduledAction => ({
    do: 'fault',
    fault: { service: 'management', match, kind: 'list', times: chance.int(3, 20), ...how },
  });
  const shrunk: Pick<PlannedFault, 'take' | 'page'> = { take: chance.pick([0, 1, 20]) };
  return [
    at(0, list('GET /servers', chance.pick([shrunk, shrunk, { page: 0 }]))),
    at(50, list('GET /events', chance.pick([{ take: 1 }, { take: 5 }, { page: 0 }]))),
    at(100, { do: 'world', order: { do: 'storm', count: chance.int(3, 30), reason: 'behind a short list' } }),
    at(200, clock('16s')),
    at(1_000, { do: 'burst', count: chance.int(2, 6), device: 'web-02' }),
    at(1_500, clock('1m')),
    at(
      3_000,
      type(chance.pick(['reboot group:"Linux servers" because list', 'scan is:online', 'reboot web-02'])),
    ),
    at(4_000, request(chance)),
    at(8_000, { do: 'mend' }),
    ...later(cutLog(chance), 8_500),
  ];
};

/**
 * A list that leaves out what lies below its first page, until that page is settled: from then on, only who remembers
 * what was left out finds it.
 */
const cutLog = (chance: SeededChance): readonly ScheduleStep[] => {
  const reason = `behind a cut list ${chance.int(1, 99)}`;
  const storm: ScheduledAction = { do: 'world', order: { do: 'storm', count: chance.int(60, 75), reason } };
  const cut = { service: 'management', match: 'GET /events', kind: 'list', times: 200, take: 100 } as const;
  return [
    at(0, { do: 'fault', fault: cut }),
    at(50, storm),
    at(60, storm),
    at(100, clock('16s')),
    at(1_000, clock('6m')),
    at(4_000, { do: 'mend' }),
    at(4_500, clock('11m')),
  ];
};

/** Somebody with the bot token posts buttons of their own; an approver presses one, and submits nothing. */
export const forgedSurfaces: FaultTheme = (chance) => [
  at(0, chance.happens(0.5) ? rollout(chance) : type('reboot db-01 because forged')),
  posted(200, { do: 'forge', user: chance.pick(['approver', 'approver2', 'admin']), channel: 'approvals' }),
  at(1_500, clock('30s')),
  at(3_000, clock('2m')),
];

/** Those who asked, and those who may not, decide too. */
export const wrongDecisions: FaultTheme = (chance) => [
  at(0, type(`reboot web-02 because own ${chance.int(1, 99)}`, 'approver')),
  posted(200, approve),
  at(1_500, type(`reboot #4005 because others ${chance.int(1, 99)}`)),
  posted(1_600, press(['viewer'], 'approve')),
  at(1_700, press(['operator'], 'approve')),
  at(3_000, clock('2m')),
];

/** Edits and removals whose answers are lost. */
export const lostEdits: FaultTheme = (chance) => {
  const kind = chance.pick(['cut-after', 'cut-after', 'late'] as const);
  const lost = (match: string): ScheduledAction => ({
    do: 'fault',
    fault: { service: 'management', match, kind, times: 1, ...(kind === 'late' ? { ms: 12_000 } : {}) },
  });
  return [
    at(0, lost('PUT /servers')),
    at(10, lost('DELETE /servers')),
    at(20, lost('POST /servers/batch')),
    at(50, type(`device-edit web-02 tag:lost-${chance.int(1, 99)} because order`)),
    posted(100, approve),
    at(1_000, { do: 'form', user: 'operator', text: `device-remove desk-0${chance.int(2, 5)}`, pick: 0.5 }),
    posted(1_100, approve),
    at(3_000, clock('1m')),
    at(6_000, { do: 'mend' }),
    at(7_000, clock('5m')),
  ];
};

/** Devices that are online at first, of which each is asked for alone, and that nothing else changes. */
const CHANGING = ['4014', '4015', '4016', '4017', '4018'] as const;

/** A device goes offline between its request and the approval of it. */
export const changedBetween: FaultTheme = (chance) => {
  const device = chance.pick(CHANGING);
  return [
    at(0, type(`reboot #${device} because change`)),
    posted(200, { do: 'world', order: { do: 'device-offline', device } }),
    // Longer than any look may take that began before.
    at(300, clock('30s')),
    at(2_500, approveOf(`#${device}`)),
    at(4_000, clock('1m')),
    at(5_000, clock('2m')),
  ];
};
