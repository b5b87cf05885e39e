/** Devices, and lists of what belongs to them. */
import { registry } from '../../../src/commands/index.ts';
import type { DeviceDetail, PreviewedDevice } from '../../../src/fleet/model/resources.ts';
import { deviceId, eventId, groupId, personId, policyId } from '../../../src/lib/ids.ts';
import type { Paging, View } from '../../../src/views/views.ts';
import {
  aDevice,
  aGroup,
  anEvent,
  anOrganization,
  aPackage,
  aPolicy,
  aQueueEntry,
  aResponse,
  START,
} from '../../harness/builders.ts';
import { aRequest, aTarget } from '../../harness/records.ts';
import { aSentRequest, quoting } from '../request-records.ts';
import { APPROVER, repeated, type SampleContent, sample, type ViewSample } from './sample-content.ts';
import { software } from './software-samples.ts';

function paging({ text, count }: SampleContent, command: string): Paging {
  return { command, input: { device: text }, page: 1, pages: 3, total: count, asOf: START };
}

const reportPaging = ({ text, count }: SampleContent, command: string): Paging => ({
  ...paging({ text, count }, command),
  input: { text },
});

export function lists(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const inner = Math.min(count, 50);
  const device = aDevice({
    name: text,
    customName: text,
    osName: text,
    osVersion: text,
    tags: repeated(inner, () => text),
    lastLoggedInUser: text,
    policyStatus: text,
  });
  const line = { device, groupName: text };
  const help = { kind: 'help', withheld: 0, refusal: null, attempt: null } as const;
  const rows = repeated(count, (at) => ({ ...line, device: { ...device, id: deviceId(at + 1) } }));
  const packages = repeated(count, (at) =>
    aPackage({
      id: at,
      name: text,
      displayName: text,
      version: text,
      severity: text,
      cves: repeated(inner, () => text),
    }),
  );
  const events = repeated(count, (at) =>
    anEvent({
      id: eventId(at + 1),
      name: text,
      patches: repeated(inner, () => ({ name: text, version: text, displayName: text })),
      failure: text,
      text: `${text}!`,
      policyName: text,
    }),
  );
  const queue = repeated(count, (at) =>
    aQueueEntry(
      at % 2 === 0
        ? { type: text, args: text, response: aResponse(at) }
        : { type: 'InstallUpdate', args: text },
    ),
  );
  const history = {
    kind: 'events',
    rows: events,
    since: START,
    until: null,
    checked: null,
    paging: paging(filling, 'events'),
  } as const;
  return [
    ['a device', { kind: 'device', ...line }],
    sample('a list of devices', {
      kind: 'devices',
      title: text,
      publicTitle: '…',
      rows,
      totals: { online: count, offline: 0, pending: count, needsReboot: 1, noncompliant: 0 },
      unlisted: count,
      paging: paging(filling, 'devices'),
    }),
    sample('a list of devices by what they are missing', {
      kind: 'devices',
      title: text,
      rows,
      totals: { online: count, offline: 0, pending: count, needsReboot: 1, noncompliant: 0 },
      unlisted: 0,
      packages: { candidates: 12, looked: 9, fromList: 7, unread: 2, isGoing: true, oldest: START },
      paging: paging(filling, 'devices'),
    }),
    sample('packages', {
      kind: 'packages',
      device,
      question: text,
      isDefault: count % 2 === 0,
      rows: packages,
      counts: { missing: count, deferred: inner, ignored: 0, installed: count },
      severities: repeated(inner, (at) => ({ severity: at === 0 ? null : text, count: at + 1 })),
      other: { command: 'packages', input: { device: text } },
      paging: paging(filling, 'packages'),
    }),
    ...software(filling),
    ['a queue', { kind: 'queue', device, rows: queue, asOf: START }],
    ['events', { ...history, device, question: '', counted: null }],
    ['events of all', { ...history, device: null, question: text, counted: count + 5 }],
    sample('a picker of what a message speaks of', {
      kind: 'picker',
      query: null,
      rows,
      total: count,
      choices: rows.map(() => ({ command: 'device', input: { device: 1 } })),
    }),
    sample('a picker', {
      kind: 'picker',
      query: text,
      rows: rows.map((row) => ({
        ...row,
        seenAt: START,
        addresses: [text, text],
        serialNumber: text,
        userName: text,
      })),
      total: count + 3,
      choices: rows.map(() => ({ command: 'reboot', input: { device: 1, reason: text } })),
    }),
    [
      'help',
      { ...help, sections: [{ title: 'Look', commands: registry.help() }], root: '/fleet', topic: null },
    ],
    sample('the first screen of help', {
      ...help,
      start: { tasks: repeated(6, () => ({ title: text, line: text })), topics: ['looking', 'alerts', text] },
      sections: [],
      root: '/fleet',
      topic: null,
    }),
    sample('help for who may do nothing', {
      ...help,
      sections: [],
      refusal: { kind: 'not-allowed', need: text, role: null, ask: [APPROVER] },
      root: '/fleet',
      topic: null,
    }),
    sample('help of foreign commands', {
      ...help,
      sections: [
        {
          title: text,
          commands: repeated(count, () => ({ name: text, usage: text, summary: text, examples: [text] })),
        },
      ],
      withheld: count,
      root: text,
      topic: null,
    }),
    sample('help of one', {
      ...help,
      sections: [],
      root: text,
      topic: { name: text, usage: `x tag:a|${text} is:${text}`, summary: text, examples: [text, text] },
      attempt: { do: 'form', command: text, input: {} },
    }),
  ];
}

export function reports(filling: SampleContent): readonly ViewSample[] {
  return [...groupSamples(filling), ...policySamples(filling), ...fleetSamples(filling)];
}

function choiceOf(text: string) {
  return { command: 'devices', input: { words: [], filters: [{ key: 'group', value: text }] } };
}

function groupSamples(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const rows = repeated(count, (at) => ({
    id: groupId(at + 1),
    name: text,
    depth: at,
    devices: at,
    refreshIntervalMinutes: at === 0 ? null : at * 60,
    policies: at,
  }));
  const group = aGroup({ name: text, color: text, notes: text, osAutoUpdate: count % 2 === 0 });
  const whole = {
    kind: 'group',
    group: { ...group, wsus: { managed: true, server: text } },
    name: text,
    above: repeated(count, () => text),
    policies: repeated(count, (at) => ({ id: policyId(at + 1), name: at === 0 ? null : text })),
    devices: count,
    devicesBelow: count + 1,
    list: choiceOf(text),
    asOf: START,
  } as const;
  const bare = { ...group, color: null, notes: null, osAutoUpdate: null, wsus: null };
  return [
    sample('groups', {
      kind: 'groups',
      root: '/fleet',
      rows,
      devices: count,
      unlisted: count,
      paging: reportPaging(filling, 'groups'),
    }),
    sample('groups of a part of the fleet', {
      kind: 'groups',
      root: '/fleet',
      rows: [],
      devices: 0,
      unlisted: 0,
      partial: { of: count },
      overdue: true,
      paging: reportPaging(filling, 'groups'),
    }),
    ['a group', whole],
    ['a group of nothing', { ...whole, group: bare, above: [], policies: [], devices: 0, devicesBelow: 0 }],
    sample('groups to choose from', {
      kind: 'choices',
      what: 'group',
      query: text,
      rows: rows.map(({ id }) => ({ id, name: text, detail: text, choice: choiceOf(text) })),
      total: count + 3,
    }),
    sample('policies to choose from', {
      kind: 'choices',
      what: 'policy',
      query: text,
      rows: [{ id: 1, name: text, detail: null, choice: choiceOf(text) }],
      total: 1,
    }),
  ];
}

function policySamples(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const line = {
    policy: aPolicy({
      name: text,
      type: text,
      status: text,
      notes: text,
      nextRemediation: START,
      deviceCount: count,
      schedule: { days: 6, weeksOfMonth: 2, months: 4, time: text, timezone: text },
      settings: { autoReboot: true, deferrals: count, deferralHours: [1, 4], patchText: text },
    }),
    groups: repeated(count, (at) => ({ id: groupId(at + 1), name: at === 0 ? null : text })),
  };
  const rows = repeated(count, (at) => ({ ...line, policy: { ...line.policy, id: policyId(at + 1) } }));
  const never = { days: 0, weeksOfMonth: 0, months: 0, time: null, timezone: null };
  return [
    ['policies', { kind: 'policies', rows, paging: reportPaging(filling, 'policies') }],
    ['a policy', { kind: 'policy', ...line, asOf: START }],
    [
      'a policy that runs never',
      { kind: 'policy', policy: aPolicy({ name: text, schedule: never }), groups: [], asOf: START },
    ],
  ];
}

function fleetSamples(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const stand = { devices: count, noncompliant: count, unstated: count };
  const rows = repeated(count, (at) => ({ ...stand, name: text, list: at === 0 ? null : choiceOf(text) }));
  const previewed = repeated(
    count,
    (at): PreviewedDevice => ({
      id: deviceId(at + 1),
      name: text,
      customName: text,
      groupId: groupId(20),
      groupName: at === 0 ? null : text,
      osFamily: text,
      osVersion: text,
      addresses: ['203.0.113.10'],
      privateAddresses: ['10.0.0.10'],
      tags: repeated(count > 50 ? 50 : count, () => text),
    }),
  );
  const preview = {
    kind: 'preview',
    question: text,
    input: { filters: [{ key: 'tag', value: text, negated: false }] },
    filters: repeated(Math.min(count, 50), () => ({ field: 'tag', op: 'like_any', values: [text] }) as const),
    groups: repeated(count, () => text),
    rows: previewed,
    total: count + 2,
    paging: { command: 'preview', input: {}, page: 0, pages: 2, total: count + 2, asOf: START },
  } as const;
  const organization = anOrganization({ name: text, tier: text });
  return [
    sample('compliance', {
      kind: 'compliance',
      by: 'groups',
      rows,
      ...stand,
      unlisted: count,
      list: choiceOf(text),
      paging: reportPaging(filling, 'compliance'),
    }),
    sample('compliance by policy', {
      kind: 'compliance',
      by: 'policies',
      rows: rows.map((row) => ({
        ...row,
        parts: repeated(Math.min(count, 50), () => ({ name: text, noncompliant: count })),
      })),
      ...stand,
      unlisted: 0,
      list: choiceOf(text),
      paging: reportPaging(filling, 'compliance'),
    }),
    ['a preview', preview],
    ['a preview without a total', { ...preview, groups: [], total: null }],
    ['an organization', { kind: 'organization', organization, id: 7, asOf: START }],
    ['an organization that is not seen', { kind: 'organization', organization: null, id: 7, asOf: START }],
  ];
}

/** The views of `device-model.ts`, with one text in every field that others choose. */

const PAGES = ['hardware', 'volumes', 'network', 'updates', 'policies'] as const;

export function deviceSamples(filling: SampleContent): readonly ViewSample[] {
  const { text, count } = filling;
  const device = wholeDevice(filling);
  const bare = aDevice({ detail: null, compliant: null, policyStatus: null, patches: null, uptime: null });
  const page = (of: (typeof PAGES)[number]): View => ({ kind: 'device-page', page: of, device, asOf: START });
  const events = repeated(count, (at) =>
    anEvent({
      id: eventId(at + 1),
      name: ['system.patch.failed', 'system.patch.applied', text][at % 3] ?? text,
      text,
      createTime: at === 0 ? null : START,
    }),
  );
  const paging = { command: 'device', input: { device: text }, page: 1, pages: 3, total: count, asOf: START };
  const target = aTarget({ displayName: text });
  const requests = [
    aRequest({ reason: text }),
    aSentRequest({ reason: text, comment: text, targets: [target] }),
    aSentRequest({ targets: [{ ...target, state: 'verified', endedAt: START }] }),
    aSentRequest({ targets: [{ ...target, state: 'refused', endedAt: START, evidence: quoting(text) }] }),
    aSentRequest({ state: 'denied', comment: text, action: { kind: 'device-remove' } }),
  ].map((request) => ({ request, link: 'https://example.slack.com/card' }));
  return [
    ...PAGES.flatMap((of): ViewSample[] => [
      [`a device: ${of}`, page(of)],
      [`a device that reported nothing: ${of}`, { kind: 'device-page', page: of, device: bare, asOf: START }],
      [`a device for a channel: ${of}`, { kind: 'shared', view: page(of), by: BY }],
    ]),
    ['a timeline', { kind: 'timeline', device, rows: [...requests, ...events], since: START, paging }],
    ['a device with its latest requests', { kind: 'device', device: bare, groupName: text, requests }],
  ];
}

const BY = personId('UOPERATOR');

function wholeDevice({ text, count }: SampleContent) {
  const policies = repeated(count, (at) => aPolicy({ id: policyId(at + 1), name: text, type: text }));
  return aDevice({
    name: text,
    customName: text,
    serialNumber: text,
    lastLoggedInUser: text,
    addresses: repeated(count, () => text),
    privateAddresses: [text],
    notes: text,
    organizationalUnit: text,
    instanceId: text,
    policies,
    policyCompliance: policies.map(({ id }) => ({ policyId: id, compliant: id % 2 === 0 })),
    policyStatuses: policies.map(({ id }) => ({
      policyId: id,
      policyName: text,
      policyType: text,
      status: 2,
      result: text,
      createTime: START,
      nextRemediation: START,
      willReboot: true,
      pendingCount: 3,
    })),
    deferrals: {
      notifications: 1,
      rebootNotifications: 2,
      patchDeferrals: 3,
      rebootDeferrals: 1,
      delayedByNotification: true,
      rebootDelayedByNotification: true,
      delayedByUser: true,
      rebootDelayedByUser: true,
    },
    detail: detail(text, count),
  });
}

function detail(text: string, count: number): DeviceDetail {
  return {
    networkCards: repeated(count, (at) => ({
      type: text,
      mac: text,
      addresses: repeated(Math.min(count, 50), () => text),
      connected: at % 2 === 0,
      vendor: text,
      device: text,
    })),
    addresses: repeated(count, (at) => `${text}${at}`),
    domainNames: repeated(count, () => text),
    lastLogon: { source: text, user: text, time: START },
    volumes: repeated(count, (at) => ({
      name: text,
      label: text,
      fileSystem: text,
      systemDisk: at === 0,
      sizeBytes: 500_000_000_000,
      freeBytes: at === 0 ? 40_000_000_000 : 240_000_000_000,
      sent: { size: null, free: null },
    })),
    disks: repeated(count, () => ({ type: text, sizeBytes: 1_000_202_273_280, sent: null })),
    ramBytes: 8_589_934_592,
    ramSent: null,
    cpu: text,
    vendor: text,
    model: text,
    version: text,
    serial: `${text}!`,
    serviceTag: text,
    shellVersion: text,
    wmiIntegrity: text,
    wsus: { managed: true, server: text, reachable: false },
    autoUpdate: { enabled: true, options: repeated(count, () => text) },
    updateSource: { connected: false, error: text },
    distinguishedName: text,
  };
}
