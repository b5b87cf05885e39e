/** Required content of fallback texts of the fleet's screens: which device, its state, and the first rows of a list. */

import { registry } from '../../../src/commands/index.ts';
import { deviceId, groupId, personId, policyId, type Reference } from '../../../src/lib/ids.ts';
import type { Paging, Problem, View } from '../../../src/views/views.ts';
import { HEALTHY } from '../../commands/harness/fake-records.ts';
import { ROLES_OF_TESTS } from '../../commands/harness/ports.ts';
import {
  aDevice,
  aGroup,
  anOrganization,
  aPackage,
  aPolicy,
  aQueueEntry,
  aResponse,
  START,
} from '../../harness/builders.ts';
import { someFacts } from '../../harness/records.ts';
import { ASKS } from '../../harness/rules.ts';
import { type FallbackRow, row } from '../rendered-text.ts';
import { aPause } from '../samples/answer-samples.ts';
import { CHANNEL } from '../samples/sample-content.ts';

const web = aDevice({ name: 'web-01' });
const away = aDevice({ id: deviceId(1_002), name: 'web-02', connected: false, needsReboot: false });
const GROUP = 'Linux servers';
const online = { device: web, groupName: GROUP };
const offline = { device: away, groupName: GROUP, seenAt: START };
const openssl = aPackage({
  name: 'openssl',
  displayName: 'OpenSSL',
  version: '3.0.14',
  severity: 'critical',
});
const policy = aPolicy({ id: policyId(12), name: 'Apply All Patches', type: 'patch' });
const choice = { command: 'devices', input: { words: [], filters: [] } };

function paging(command: string, total: number): Paging {
  return { command, input: {}, page: 0, pages: 1, total, asOf: START };
}

const page = (of: 'hardware' | 'volumes' | 'network' | 'updates' | 'policies', over = {}): View => ({
  kind: 'device-page',
  page: of,
  device: aDevice({ name: 'web-01', ...over }),
  asOf: START,
});
const counts = { missing: 1, deferred: 0, ignored: 0, installed: 40 };
const missing = {
  kind: 'missing',
  what: 'openssl',
  sought: 'package',
  standing: 'known',
  ...{ devices: 241, candidates: 222, looked: 222, fromList: 222, unread: 0, isGoing: false, unlisted: 0 },
  oldest: START,
  offers: [],
  rows: [{ line: online, packages: [openssl] }],
  paging: paging('missing', 1),
} as const;
const stand = { devices: 20, noncompliant: 7, unstated: 1 };

export const fleet: readonly FallbackRow[] = [
  row('a device', { kind: 'device', device: web, groupName: GROUP }, [
    'web-01',
    'Online',
    '3 pending patches',
    'reboot required',
    'Ubuntu 24.04',
    GROUP,
    'deploy',
    '#1001',
  ]),
  row(
    'a device that is offline',
    { kind: 'device', device: away, groupName: GROUP, lookOnly: { ask: [personId('UADMIN')] } },
    ['web-02', 'Offline', '*Last seen*: <!date', '({ago})', 'ask <@UADMIN> for the operator role'],
  ),
  row('the hardware of a device', page('hardware'), [
    'Hardware and system for web-01',
    '*Serial number*: SN-1001',
    '*Uptime at last scan*: 864000',
  ]),
  row('the network of a device', page('network'), ['Network for web-01', '*Private addresses*: 10.0.0.10']),
  row('the updates of a device', page('updates'), [
    'Updates for web-01',
    '3 pending patches',
    '*Reboot required*: Yes',
    '*Last scan*: <!date',
  ]),
  row(
    'the policies of a device',
    page('policies', { policies: [policy], policyCompliance: [{ policyId: policy.id, compliant: false }] }),
    ['Policies for web-01', '1 policy, 1 not compliant', 'Apply All Patches', '*not compliant*'],
  ),
  row(
    'a list of devices',
    {
      kind: 'devices',
      title: 'group:"Linux servers"',
      rows: [online, offline],
      totals: { online: 1, offline: 1, pending: 2, needsReboot: 1, noncompliant: 2 },
      unlisted: 0,
      paging: paging('devices', 2),
    },
    [
      ...['Devices matching', 'group:"Linux servers"', '2 devices', 'web-01', 'Online', '3 pending patches'],
      ...['web-02', 'Offline, last seen', '1 online, 1 offline', '1 requires a reboot'],
    ],
  ),
  row(
    'a shared device',
    { kind: 'shared', view: { kind: 'device', device: web, groupName: GROUP }, by: personId('UOPERATOR') },
    ['web-01', 'Shared by <@UOPERATOR>'],
  ),
  row(
    'devices of one name',
    {
      kind: 'picker',
      query: 'web',
      rows: [{ ...online, addresses: ['10.0.0.10'], userName: 'kim' }, offline],
      total: 2,
      choices: [choice, choice],
    },
    ['2 devices match web. Which one?', 'web-01', 'user kim', '10.0.0.10', 'web-02', 'Offline'],
  ),
  row(
    'the packages of a device',
    {
      ...{ kind: 'packages', device: web, question: '', isDefault: true, rows: [openssl], counts },
      ...{ severities: [{ severity: 'critical', count: 1 }], other: choice, paging: paging('packages', 1) },
    },
    ['Packages for web-01', '1 missing patch (1 critical)', 'OpenSSL', '3.0.14'],
  ),
  row('devices missing a package', missing, [
    ...[
      '1 device is missing the `openssl` patch',
      'Checked all 222 devices',
      'out of 241 devices',
      'web-01',
      'Online',
    ],
    ...[
      GROUP,
      'OpenSSL 3.0.14 (critical)',
      'Packages ignored or deferred in the management service aren’t counted.',
    ],
  ]),
  row('no device missing a package', { ...missing, rows: [], paging: paging('missing', 0) }, [
    'No device is missing the `openssl` patch',
    'All 222 devices with missing patches, required by policies or not, were checked.',
  ]),
  row(
    'the queue of a device',
    {
      kind: 'queue',
      device: away,
      rows: [
        aQueueEntry({ type: 'Reboot' }),
        aQueueEntry({ type: 'GetOS', response: aResponse(0), responseTime: START }),
      ],
      asOf: START,
    },
    ['Queue for web-02: 1 command queued', 'Reboot', 'queued, due', 'Scan', 'exit code 0', 'offline'],
  ),
  row(
    'groups',
    {
      ...{ kind: 'groups', root: '/fleet', devices: 63, unlisted: 0, paging: paging('groups', 1) },
      rows: [
        { id: groupId(3), name: GROUP, depth: 0, devices: 63, refreshIntervalMinutes: 240, policies: 2 },
      ],
    },
    ['1 group with 63 devices', GROUP, '#3', 'scanned every 4 hours', '2 policies'],
  ),
  row(
    'a group',
    {
      ...{ kind: 'group', group: aGroup({ name: GROUP }), name: GROUP, above: ['Servers'], devices: 60 },
      ...{ policies: [{ id: policy.id, name: policy.name }], devicesBelow: 63, list: choice, asOf: START },
    },
    ['Group Linux servers', '60 devices', '63 with subgroups', 'Servers', 'Apply All Patches'],
  ),
  row(
    'groups of one name',
    {
      ...{ kind: 'choices', what: 'group', query: 'Servers', total: 2 },
      rows: [3, 4].map((id) => ({ id, name: 'Servers', detail: `Site ${id}`, choice })),
    },
    ['2 groups are named Servers. Which one?', '#3', 'Site 3', '#4', 'Site 4'],
  ),
  row(
    'policies',
    {
      ...{ kind: 'policies', paging: paging('policies', 1) },
      rows: [{ policy, groups: [{ id: groupId(3), name: GROUP }] }],
    },
    ['1 policy', 'Apply All Patches', '#12', 'patch policy', GROUP],
  ),
  row('a policy', { kind: 'policy', policy, groups: [{ id: groupId(3), name: GROUP }], asOf: START }, [
    'Policy Apply All Patches: patch policy',
    '*ID and type*: #12',
    '*Groups (1)*: Linux servers',
  ]),
  row(
    'compliance',
    {
      ...{ kind: 'compliance', by: 'groups', ...stand, unlisted: 0, list: choice },
      rows: [{ ...stand, name: GROUP, list: null, parts: [{ name: policy.name, noncompliant: 7 }] }],
      paging: paging('compliance', 1),
    },
    ['7 of 20 devices aren’t compliant, 1 unknown', GROUP, 'Apply All Patches: 7 devices'],
  ),
  row(
    'a preview',
    {
      ...{ kind: 'preview', question: 'host:web', input: {}, groups: [GROUP], total: 26 },
      paging: { command: 'preview', input: {}, page: 0, pages: 3, total: 26, asOf: START },
      filters: [{ field: 'hostname', op: 'like_any', values: ['web'] }],
      rows: [
        {
          ...{ id: web.id, uuid: null, name: 'web-01', customName: null, groupId: web.groupId },
          ...{ groupName: GROUP, osFamily: 'Linux', osVersion: '24.04', tags: ['web'] },
          ...{ addresses: [], privateAddresses: [] },
        },
      ],
    },
    ['Preview `host:web`: 26 devices', 'a hostname that contains `web`', 'web-01', 'page 1 of 3'],
  ),
  row(
    'an organization',
    {
      kind: 'organization',
      organization: anOrganization({ name: 'Example Corporation', deviceCount: 240, deviceLimit: 500 }),
      id: 7,
      asOf: START,
    },
    ['Organization Example Corporation: 240 devices, limit 500', '#7'],
  ),
  row('a list as a file', { kind: 'exported', name: 'devices.csv', link: null, rows: 63, omittedRows: 2 }, [
    '`devices.csv`',
    '63 rows',
    'direct message',
    '2 more rows didn’t fit',
  ]),
  row(
    'the audit',
    {
      ...{ kind: 'audit', device: null, lines: 1, since: START, cut: false, paging: paging('audit', 1) },
      names: { devices: new Map([[4_001, 'web-01']]), groups: new Map(), policies: new Map() },
      rows: [
        {
          entries: [
            {
              ...{ sequence: 1, at: START, actor: personId('UOPERATOR'), action: 'operation.requested' },
              ...{ subject: 'o_1', detail: { command: 'scan', device: 4_001 }, hash: 'h' },
            },
          ],
          order: { command: 'scan', device: 4_001 },
        },
      ],
    },
    ['1 entry', '<@UOPERATOR> requested a scan of web-01 (#4001)'],
  ),
];

const index = { devices: 240, asOf: START };

export const STATUS: readonly FallbackRow[] = [
  row(
    'a status where nothing is wrong',
    { kind: 'status', health: HEALTHY, index, pause: null, asOf: START },
    [
      '✅ *Patchbay is healthy*',
      '*Slack*: Connected',
      '*Database*: Connected',
      '*Event log*: Read <!date^',
      '*Management service*: Healthy',
      '*Device list*: 240 devices, read <!date^',
    ],
  ),
  row(
    'a status with a problem, while changes are paused',
    {
      kind: 'status',
      health: {
        ...HEALTHY,
        slack: false,
        database: false,
        troubles: [{ trouble: { kind: 'slack-refuses', error: 'token_revoked' }, since: START }],
      },
      index: null,
      pause: aPause({ reason: 'maintenance window' }),
      asOf: START,
    },
    [
      '⚠️ *Patchbay needs attention*',
      '⚠️ *All changes are paused*',
      '<@U0ADMIN>',
      'maintenance window',
      '⛔ *Problem:*',
      'token_revoked',
      '*Slack*: Not connected',
      '*Database*: Not responding',
      '*Device list*: Not read yet',
    ],
  ),
];

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

const problem = (name: string, one: Problem, holds: readonly string[]): FallbackRow => ({
  name,
  view: { kind: 'problem', problem: one },
  holds,
});
const usage = { kind: 'usage', command: 'reboot', usage: 'reboot NAME|#ID [because REASON]', root } as const;

export const HELP_ROWS: readonly FallbackRow[] = [
  row(
    'the first screen of help',
    {
      ...HELP,
      start: { tasks: [{ title: 'Find a device', line: 'device web-01' }], topics: ['looking', 'alerts'] },
    },
    [
      'What you can do',
      'Find a device: `/fleet device web-01`',
      'Or type `/fleet help TOPIC`: looking, alerts.',
      '`/fleet help all`',
    ],
  ),
  row(
    'a topic of help',
    {
      ...HELP,
      sections: [{ title: 'Change devices, groups and policies', commands: ENTRIES.slice(17, 25) }],
      withheld: 1,
    },
    [
      'Change devices, groups and policies',
      '`/fleet reboot` Request a reboot',
      '1 more command needs a higher role.',
    ],
  ),
  row('help of one command', { ...HELP, topic: named('reboot') }, [
    '/fleet reboot NAME|#ID',
    'Needs approval.',
    '`/fleet reboot web-01 because kernel update`',
  ]),
  row(
    'help for who has no role',
    { ...HELP, refusal: { kind: 'not-allowed', need: 'viewer', role: null, ask: [ADMIN] } },
    ['You need the viewer role (you have no role).', 'Ask <@U0ADMIN> for this role.'],
  ),
  row(
    'an explained read',
    { kind: 'explain', command: ENTRIES[0] ?? never(), what: 'read', need: 'read', root },
    ['`/fleet device` only reads.', 'Needs the viewer role.'],
  ),
  row(
    'an explained change',
    {
      ...({
        kind: 'explain-plan',
        command: { kind: 'reboot' },
        need: 'propose',
        judgement: ASKS,
      } as const),
      ...{ targets: [someFacts()], reason: 'kernel update', pause: null },
    },
    [
      'This would reboot web-01.',
      'the approver role would have 30 minutes',
      'Reason: kernel update',
      'Nothing was requested or sent.',
    ],
  ),
  row(
    'a command that lacks something',
    {
      kind: 'fill-in',
      command: 'reboot',
      prefill: {},
      missing: 'Which device?',
      usage: 'reboot NAME|#ID',
      root: '/fleet',
    },
    ['Which device?', 'Usage: `/fleet reboot NAME|#ID`'],
  ),
  row(
    'the list of aliases',
    {
      ...({ kind: 'named-lines', of: 'alias', most: 50, done: null, root } as const),
      rows: [
        {
          named: { name: 'lr', line: 'devices is:needs-reboot', owner: null, by: ADMIN, at: START },
          remove: null,
        },
      ],
    },
    ['Your aliases', '`lr` = `devices is:needs-reboot`', 'Shared by <@U0ADMIN>'],
  ),
  row('a time zone', { kind: 'timezone', zone: 'Europe/Berlin', chosen: true, changed: true, asOf: START }, [
    'Your time zone is now Europe/Berlin.',
    'Exported files use UTC.',
  ]),
  row('roles', { kind: 'roles', roles: ROLES_OF_TESTS }, [
    'Roles are set under `roles` in the configuration file',
    'within ten seconds',
  ]),
  row('a greeting', { kind: 'greeting', refusal: null, changes: true, root }, [
    'Ask me about devices',
    '`/fleet missing openssl`',
    '`/fleet help`',
  ]),
  row(
    'a welcome to the channel for approvals',
    { kind: 'welcome', channel: CHANNEL, purpose: 'approvals', root },
    ['Requests that need approval are posted here.', '`/fleet help`'],
  ),
];

export const ERROR_ROWS: readonly FallbackRow[] = [
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
