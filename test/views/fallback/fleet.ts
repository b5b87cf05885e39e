/** Required content of fallback texts of the fleet's screens: which device, its state, and the first rows of a list. */
import { deviceId, groupId, personId, policyId } from '../../../src/lib/ids.ts';
import type { Paging, View } from '../../../src/views/model.ts';
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

type Row = { readonly name: string; readonly view: View; readonly holds: readonly string[] };

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

export const fleet: readonly Row[] = [
  {
    name: 'a device',
    view: { kind: 'device', device: web, groupName: GROUP },
    holds: [
      'web-01',
      'Online',
      '3 pending patches',
      'reboot required',
      'Ubuntu 24.04',
      GROUP,
      'deploy',
      '#1001',
    ],
  },
  {
    name: 'a device that is offline',
    view: { kind: 'device', device: away, groupName: GROUP, lookOnly: { ask: [personId('UADMIN')] } },
    holds: ['web-02', 'Offline', '*Last seen*: <!date', '({ago})', 'ask <@UADMIN> for the operator role'],
  },
  {
    name: 'the hardware of a device',
    view: page('hardware'),
    holds: ['Hardware and system for web-01', '*Serial number*: SN-1001', '*Uptime at last scan*: 864000'],
  },
  {
    name: 'the network of a device',
    view: page('network'),
    holds: ['Network for web-01', '*Private addresses*: 10.0.0.10'],
  },
  {
    name: 'the updates of a device',
    view: page('updates'),
    holds: ['Updates for web-01', '3 pending patches', '*Reboot required*: Yes', '*Last scan*: <!date'],
  },
  {
    name: 'the policies of a device',
    view: page('policies', {
      policies: [policy],
      policyCompliance: [{ policyId: policy.id, compliant: false }],
    }),
    holds: ['Policies for web-01', '1 policy, 1 not compliant', 'Apply All Patches', '*not compliant*'],
  },
  {
    name: 'a list of devices',
    view: {
      kind: 'devices',
      title: 'group:"Linux servers"',
      rows: [online, offline],
      totals: { online: 1, offline: 1, pending: 2, needsReboot: 1, noncompliant: 2 },
      unlisted: 0,
      paging: paging('devices', 2),
    },
    holds: [
      ...['Devices matching', 'group:"Linux servers"', '2 devices', 'web-01', 'Online', '3 pending patches'],
      ...['web-02', 'Offline, last seen', '1 online, 1 offline', '1 requires a reboot'],
    ],
  },
  {
    name: 'a shared device',
    view: {
      kind: 'shared',
      view: { kind: 'device', device: web, groupName: GROUP },
      by: personId('UOPERATOR'),
    },
    holds: ['web-01', 'Shared by <@UOPERATOR>'],
  },
  {
    name: 'devices of one name',
    view: {
      kind: 'picker',
      query: 'web',
      rows: [{ ...online, addresses: ['10.0.0.10'], userName: 'kim' }, offline],
      total: 2,
      choices: [choice, choice],
    },
    holds: ['2 devices match web. Which one?', 'web-01', 'user kim', '10.0.0.10', 'web-02', 'Offline'],
  },
  {
    name: 'the packages of a device',
    view: {
      ...{ kind: 'packages', device: web, question: '', isDefault: true, rows: [openssl], counts },
      ...{ severities: [{ severity: 'critical', count: 1 }], other: choice, paging: paging('packages', 1) },
    },
    holds: ['Packages for web-01', '1 missing patch (1 critical)', 'OpenSSL', '3.0.14'],
  },
  {
    name: 'devices missing a package',
    view: missing,
    holds: [
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
    ],
  },
  {
    name: 'no device missing a package',
    view: { ...missing, rows: [], paging: paging('missing', 0) },
    holds: [
      'No device is missing the `openssl` patch',
      'All 222 devices with missing patches, required by policies or not, were checked.',
    ],
  },
  {
    name: 'the queue of a device',
    view: {
      kind: 'queue',
      device: away,
      rows: [
        aQueueEntry({ type: 'Reboot' }),
        aQueueEntry({ type: 'GetOS', response: aResponse(0), responseTime: START }),
      ],
      asOf: START,
    },
    holds: ['Queue for web-02: 1 command queued', 'Reboot', 'queued, due', 'Scan', 'exit code 0', 'offline'],
  },
  {
    name: 'groups',
    view: {
      ...{ kind: 'groups', root: '/fleet', devices: 63, unlisted: 0, paging: paging('groups', 1) },
      rows: [
        { id: groupId(3), name: GROUP, depth: 0, devices: 63, refreshIntervalMinutes: 240, policies: 2 },
      ],
    },
    holds: ['1 group with 63 devices', GROUP, '#3', 'scanned every 4 hours', '2 policies'],
  },
  {
    name: 'a group',
    view: {
      ...{ kind: 'group', group: aGroup({ name: GROUP }), name: GROUP, above: ['Servers'], devices: 60 },
      ...{ policies: [{ id: policy.id, name: policy.name }], devicesBelow: 63, list: choice, asOf: START },
    },
    holds: ['Group Linux servers', '60 devices', '63 with subgroups', 'Servers', 'Apply All Patches'],
  },
  {
    name: 'groups of one name',
    view: {
      ...{ kind: 'choices', what: 'group', query: 'Servers', total: 2 },
      rows: [3, 4].map((id) => ({ id, name: 'Servers', detail: `Site ${id}`, choice })),
    },
    holds: ['2 groups are named Servers. Which one?', '#3', 'Site 3', '#4', 'Site 4'],
  },
  {
    name: 'policies',
    view: {
      ...{ kind: 'policies', paging: paging('policies', 1) },
      rows: [{ policy, groups: [{ id: groupId(3), name: GROUP }] }],
    },
    holds: ['1 policy', 'Apply All Patches', '#12', 'patch policy', GROUP],
  },
  {
    name: 'a policy',
    view: { kind: 'policy', policy, groups: [{ id: groupId(3), name: GROUP }], asOf: START },
    holds: ['Policy Apply All Patches: patch policy', '*ID and type*: #12', '*Groups (1)*: Linux servers'],
  },
  {
    name: 'compliance',
    view: {
      ...{ kind: 'compliance', by: 'groups', ...stand, unlisted: 0, list: choice },
      rows: [{ ...stand, name: GROUP, list: null, parts: [{ name: policy.name, noncompliant: 7 }] }],
      paging: paging('compliance', 1),
    },
    holds: ['7 of 20 devices aren’t compliant, 1 unknown', GROUP, 'Apply All Patches: 7 devices'],
  },
  {
    name: 'a preview',
    view: {
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
    holds: ['Preview `host:web`: 26 devices', 'a hostname that contains `web`', 'web-01', 'page 1 of 3'],
  },
  {
    name: 'an organization',
    view: {
      kind: 'organization',
      organization: anOrganization({ name: 'Example Corporation', deviceCount: 240, deviceLimit: 500 }),
      id: 7,
      asOf: START,
    },
    holds: ['Organization Example Corporation: 240 devices, limit 500', '#7'],
  },
  {
    name: 'a list as a file',
    view: { kind: 'exported', name: 'devices.csv', link: null, rows: 63, omittedRows: 2 },
    holds: ['`devices.csv`', '63 rows', 'direct message', '2 more rows didn’t fit'],
  },
  {
    name: 'the audit',
    view: {
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
    holds: ['1 entry', '<@UOPERATOR> requested a scan of web-01 (#4001)'],
  },
];
