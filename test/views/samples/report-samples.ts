/** The views of `report-model.ts`, with one text in every field that others choose. */
import type { PreviewedDevice } from '../../../src/fleet/fleet.ts';
import { deviceId, groupId, policyId } from '../../../src/lib/ids.ts';
import type { Paging } from '../../../src/views/model.ts';
import { aGroup, anOrganization, aPolicy, START } from '../../harness/builders.ts';
import { repeated, type SampleContent, type ViewSample } from './sample-content.ts';

export function reports(filling: SampleContent): readonly ViewSample[] {
  return [...groupSamples(filling), ...policySamples(filling), ...fleetSamples(filling)];
}

function paging({ text, count }: SampleContent, command: string): Paging {
  return { command, input: { text }, page: 1, pages: 3, total: count, asOf: START };
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
    [
      'groups',
      {
        kind: 'groups',
        root: '/fleet',
        rows,
        devices: count,
        unlisted: count,
        paging: paging(filling, 'groups'),
      },
    ],
    [
      'groups of a part of the fleet',
      {
        kind: 'groups',
        root: '/fleet',
        rows: [],
        devices: 0,
        unlisted: 0,
        partial: { of: count },
        overdue: true,
        paging: paging(filling, 'groups'),
      },
    ],
    ['a group', whole],
    ['a group of nothing', { ...whole, group: bare, above: [], policies: [], devices: 0, devicesBelow: 0 }],
    [
      'groups to choose from',
      {
        kind: 'choices',
        what: 'group',
        query: text,
        rows: rows.map(({ id }) => ({ id, name: text, detail: text, choice: choiceOf(text) })),
        total: count + 3,
      },
    ],
    [
      'policies to choose from',
      {
        kind: 'choices',
        what: 'policy',
        query: text,
        rows: [{ id: 1, name: text, detail: null, choice: choiceOf(text) }],
        total: 1,
      },
    ],
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
    ['policies', { kind: 'policies', rows, paging: paging(filling, 'policies') }],
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
      uuid: text,
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
    [
      'compliance',
      {
        kind: 'compliance',
        by: 'groups',
        rows,
        ...stand,
        unlisted: count,
        list: choiceOf(text),
        paging: paging(filling, 'compliance'),
      },
    ],
    [
      'compliance by policy',
      {
        kind: 'compliance',
        by: 'policies',
        rows: rows.map((row) => ({
          ...row,
          parts: repeated(Math.min(count, 50), () => ({ name: text, noncompliant: count })),
        })),
        ...stand,
        unlisted: 0,
        list: choiceOf(text),
        paging: paging(filling, 'compliance'),
      },
    ],
    ['a preview', preview],
    ['a preview without a total', { ...preview, groups: [], total: null }],
    ['an organization', { kind: 'organization', organization, id: 7, asOf: START }],
    ['an organization that is not seen', { kind: 'organization', organization: null, id: 7, asOf: START }],
  ];
}
