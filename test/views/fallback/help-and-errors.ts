/** Help, errors, forms and settings. */
import { registry } from '../../../src/commands/index.ts';
import { personId, type Reference } from '../../../src/lib/ids.ts';
import type { Problem, View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { someFacts } from '../../harness/records.ts';
import { CHANNEL } from '../samples/sample-content.ts';
import { aPause } from '../samples/setting-samples.ts';

type Row = { readonly name: string; readonly view: View; readonly holds: readonly string[] };

const root = '/fleet';
const ADMIN = personId('U0ADMIN');
const REFERENCE = 'abcd1234' as Reference; // a test's brand
const ENTRIES = registry.help();
const HELP = {
  kind: 'help',
  sections: [],
  withheld: 0,
  refusal: null,
  root,
  topic: null,
  attempt: null,
} as const;
const named = (name: string) => ENTRIES.find((entry) => entry.name === name) ?? null;

const problem = (name: string, one: Problem, holds: readonly string[]): Row => ({
  name,
  view: { kind: 'problem', problem: one },
  holds,
});
const usage = { kind: 'usage', command: 'reboot', usage: 'reboot NAME|#ID [because REASON]', root } as const;

export const HELP_ROWS: readonly Row[] = [
  {
    name: 'the first screen of help',
    view: {
      ...HELP,
      start: { tasks: [{ title: 'Find a device', line: 'device web-01' }], topics: ['looking', 'alerts'] },
    },
    holds: [
      'What you can do',
      'Find a device: `/fleet device web-01`',
      'Or type `/fleet help TOPIC`: looking, alerts.',
      '`/fleet help all`',
    ],
  },
  {
    name: 'a topic of help',
    view: {
      ...HELP,
      sections: [{ title: 'Change devices, groups and policies', commands: ENTRIES.slice(17, 25) }],
      withheld: 1,
    },
    holds: [
      'Change devices, groups and policies',
      '`/fleet reboot` Request a reboot',
      '1 more command needs a higher role.',
    ],
  },
  {
    name: 'help of one command',
    view: { ...HELP, topic: named('reboot') },
    holds: ['/fleet reboot NAME|#ID', 'Needs approval.', '`/fleet reboot web-01 because kernel update`'],
  },
  {
    name: 'help for who has no role',
    view: { ...HELP, refusal: { kind: 'not-allowed', need: 'viewer', role: null, ask: [ADMIN] } },
    holds: ['You need the viewer role (you have no role).', 'Ask <@U0ADMIN> for this role.'],
  },
  {
    name: 'an explained read',
    view: { kind: 'explain', command: ENTRIES[0] ?? never(), what: 'read', need: 'read', root },
    holds: ['`/fleet device` only reads.', 'Needs the viewer role.'],
  },
  {
    name: 'an explained change',
    view: {
      ...({
        kind: 'explain-plan',
        command: { kind: 'reboot' },
        need: 'propose',
        approvalMs: 1_800_000,
      } as const),
      ...{ targets: [someFacts()], reason: 'kernel update', pause: null },
    },
    holds: [
      'This would reboot web-01.',
      'the approver role would have 30 minutes',
      'Reason: kernel update',
      'Nothing was requested or sent.',
    ],
  },
  {
    name: 'a command that lacks something',
    view: {
      kind: 'fill-in',
      command: 'reboot',
      prefill: {},
      missing: 'Which device?',
      usage: 'reboot NAME|#ID',
      root: '/fleet',
    },
    holds: ['Which device?', 'Usage: `/fleet reboot NAME|#ID`'],
  },
  {
    name: 'the list of aliases',
    view: {
      ...({ kind: 'named-lines', of: 'alias', most: 50, done: null, root } as const),
      rows: [
        {
          named: { name: 'lr', line: 'devices is:needs-reboot', owner: null, by: ADMIN, at: START },
          remove: null,
        },
      ],
    },
    holds: ['Your aliases', '`lr` = `devices is:needs-reboot`', 'Shared by <@U0ADMIN>'],
  },
  {
    name: 'a time zone',
    view: { kind: 'timezone', zone: 'Europe/Berlin', chosen: true, changed: true, asOf: START },
    holds: ['Your time zone is now Europe/Berlin.', 'Exported files use UTC.'],
  },
  {
    name: 'a greeting',
    view: { kind: 'greeting', refusal: null, changes: true, root },
    holds: ['Ask me about devices', '`/fleet missing openssl`', '`/fleet help`'],
  },
  {
    name: 'a welcome to the channel for approvals',
    view: { kind: 'welcome', channel: CHANNEL, purpose: 'approvals', root },
    holds: ['Requests that need approval are posted here.', '`/fleet help`'],
  },
];

export const ERROR_ROWS: readonly Row[] = [
  problem('a missing role', { kind: 'not-allowed', need: 'approver', role: 'operator', ask: [ADMIN] }, [
    'You need the approver role (you’re an operator).',
    'Ask <@U0ADMIN> for this role.',
  ]),
  problem(
    'a missing role for a command',
    { kind: 'not-allowed', need: 'operator', role: 'viewer', ask: [ADMIN], command: 'reboot' },
    ['`/fleet reboot` needs the operator role (you’re a viewer).', 'Ask <@U0ADMIN> for it.'],
  ),
  problem('an unknown command', { kind: 'unknown-command', word: 'rebot', nearest: ['reboot'], root }, [
    'No command is named `rebot`.',
    'Closest match: reboot.',
  ]),
  problem(
    'a word for nothing',
    { kind: 'unknown-command', word: 'tlee', nearest: [], noDevice: true, root },
    [
      'No command or device is named `tlee`.',
      '`/fleet help` shows what you can do. `/fleet devices WORDS` searches',
    ],
  ),
  problem(
    'an unknown filter',
    { ...usage, fault: { kind: 'unknown-word', word: 'is:broken', nearest: ['is:online'] } },
    ['Unknown filter `is:broken`. Did you mean `is:online`?', 'Usage: `/fleet reboot NAME|#ID'],
  ),
  problem('an unknown device', { kind: 'no-such-device', query: 'wbe-01', nearest: ['web-01'] }, [
    'No device is named wbe-01.',
    'Closest match: web-01.',
  ]),
  problem('a device that is gone', { kind: 'device-gone', query: 'web-01' }, [
    'web-01 is no longer in the fleet.',
  ]),
  problem('a pause', { kind: 'paused', pause: aPause({ reason: 'incident' }) }, [
    'All changes are paused by <@U0ADMIN>',
    '(reason: incident)',
    'Nothing was requested or started.',
  ]),
  problem(
    'a command in the queue',
    { kind: 'already-queued', command: { kind: 'reboot' }, deviceName: 'web-01', since: null },
    ['The command to reboot web-01 is already in its queue.'],
  ),
  problem(
    'a card that Slack refused',
    { kind: 'card-refused', channel: CHANNEL, slackError: 'not_in_channel' },
    [
      'Patchbay isn’t a member of <#C0OPS>',
      'Nothing was requested or started.',
      'Invite Patchbay to the channel',
    ],
  ),
  problem('an unexpected error', { kind: 'unexpected', changed: 'unknown', reference: REFERENCE }, [
    'Unexpected error (reference `abcd1234`).',
    'Something may have changed.',
  ]),
  problem('a full disk', { kind: 'not-stored', why: 'disk-full', changed: 'nothing', reference: REFERENCE }, [
    'The disk is full',
    'Nothing was changed.',
    'Reference `abcd1234`',
  ]),
];

function never(): never {
  throw new Error('no command');
}
