/** Violations of approval rules, as the tests of the checker plant them. */
import { CLEAN, chained, NOW, shown, write } from './clean-world.ts';
import type { Evidence, PersonAction, TableRow } from './evidence.ts';
import { audited, changed, id, type Planted, tables } from './planting.ts';

const MINUTE = 60_000;
const PEOPLE = 'as many people agree as the rules ask';
const REFUSED = 'what the rules refuse is not sent';
const HOURLY = 'a rule lets few devices through in an hour';
const PRESSED = 'a press completes each approval';
const MENTIONED = 'people are mentioned three times at most';

const act = (kind: string, what: string, minutesAgo: number, user = 'world'): PersonAction => ({
  ...{ at: NOW - minutesAgo * MINUTE, user, kind, what },
});
/** A file that was in force long before the first command. */
const inForce = (file: string): readonly PersonAction[] => [
  act('file', file, 60),
  act('file-in-force', file, 59),
];
const presses = (...users: readonly string[]) => users.map((user) => act('press', 'approve', 20, user));
const acting = (world: Evidence, ...more: readonly PersonAction[]): Evidence => ({
  ...world,
  acts: [...more, ...world.acts],
});

/** The reboot that somebody had to approve, on this device. */
function rebooting(device: number, request: TableRow = {}): Evidence {
  const { tables } = changed('requests', id('a_1'), request);
  const targets = tables.request_targets.map((row) =>
    row['request_id'] === 'a_1' ? { ...row, device_id: device } : row,
  );
  const requests = CLEAN.requests.with(1, write(device, 'Reboot', 19));
  return { ...CLEAN, requests, tables: { ...tables, request_targets: targets } };
}
const KIOSK = 4028;
const DATABASE = 4016;
const ENGINEERS = [4022, 4023, 4042, 4043];

/** Reboots of these, beside the scan that nobody had to agree to either. */
function running(devices: readonly number[]): Evidence {
  const { requests, request_targets: targets } = CLEAN.tables;
  const rows = devices.map((device) => ({
    ...requests[0],
    id: `run_${device}`,
    action: '{"kind":"reboot"}',
  }));
  const more = devices.map((device) => ({ ...targets[0], request_id: `run_${device}`, device_id: device }));
  const world = tables({ requests: [...requests, ...rows], request_targets: [...targets, ...more] });
  const sent = devices.map((device) => write(device, 'Reboot', 20));
  return acting({ ...world, requests: [...CLEAN.requests, ...sent] }, ...inForce('first'));
}

const nudge = (name: string) =>
  shown(`nudge:a_2.1.${name}`, 'C0REQUESTS', { text: '<!subteam^S0APPROVERS>' });
const MENTIONS: Evidence = {
  ...CLEAN,
  messages: [
    ...CLEAN.messages.filter(({ key }) => key !== 'approval:a_2'),
    shown('approval:a_2', 'C0REQUESTS', { text: '<@U0OPERATOR>', state: 'waiting' }),
    ...['remind', 'escalate', 'remind'].map(nudge),
  ],
};

export const PLANTED_IN_AGREEMENTS: Planted = [
  ['one of two people', PEOPLE, acting(rebooting(KIOSK), ...inForce('first'))],
  [
    'one person who pressed twice',
    PEOPLE,
    acting(rebooting(KIOSK), ...inForce('first'), ...presses('approver', 'approver')),
  ],
  [
    'a requester who may approve, and is the second person',
    PEOPLE,
    acting(rebooting(KIOSK, { requester_id: 'U0APPROVER2' }), ...inForce('first'), ...presses('approver2')),
  ],
  [
    'a second person of another group than the rule names',
    PEOPLE,
    acting(rebooting(DATABASE), ...inForce('first'), ...presses('approver2')),
  ],
  [
    'two people before a stricter file that was in force for long',
    PEOPLE,
    acting(rebooting(KIOSK), ...inForce('strict'), ...presses('approver2')),
  ],
  [
    'no admin, although the group of the rule is gone',
    PEOPLE,
    acting(rebooting(KIOSK), ...inForce('first'), act('console', 'group 3140 edit', 30)),
  ],
  [
    'a second person who agreed before it was returned',
    PEOPLE,
    acting(
      {
        ...rebooting(KIOSK),
        tables: {
          ...rebooting(KIOSK).tables,
          ...chained([
            { at: NOW - 25 * MINUTE, actor: 'patchbay', action: 'approval.sent-back', subject: 'a_1' },
          ]),
        },
      },
      ...[...inForce('first'), act('press', 'approve', 30, 'approver2')],
    ),
  ],
  ['a reboot in a freeze', REFUSED, acting(CLEAN, ...inForce('freeze'))],
  ['four devices in an hour in which three may run', HOURLY, running(ENGINEERS)],
  [
    'an approval by a file alone',
    PRESSED,
    audited('approval.denied', { action: 'approval.approved', subject: 'a_1', actor: 'U0APPROVER2' }),
  ],
  ['a claim that nobody approved', PRESSED, audited('approval.approved', { action: 'approval.agreed' })],
  ['a second reminder', MENTIONED, MENTIONS],
];

/** What the same rules let pass. */
export const HARMLESS_AGREEMENTS: readonly (readonly [what: string, evidence: Evidence])[] = [
  ['two people for a rule', acting(rebooting(KIOSK), ...inForce('first'), ...presses('approver3'))],
  [
    'the admin for a rule whose group is gone',
    acting(
      rebooting(DATABASE),
      ...[...inForce('strict'), act('console', 'group 3113 remove', 30), ...presses('admin')],
    ),
  ],
  ['a reboot shortly after a freeze was written', acting(CLEAN, act('file', 'freeze', 20))],
  ['three devices in an hour in which three may run', running(ENGINEERS.slice(0, 3))],
  ['a change of the console', withConsole()],
];

function withConsole(): Evidence {
  const sent = {
    at: NOW,
    service: 'management',
    method: 'PUT',
    path: '/servergroups/3140',
    status: 204,
  } as const;
  return {
    ...CLEAN,
    acts: [...CLEAN.acts, act('console', 'group 3140 edit', 0)],
    requests: [...CLEAN.requests, { ...sent, sent: {}, done: { at: NOW, status: 204 } }],
  };
}
