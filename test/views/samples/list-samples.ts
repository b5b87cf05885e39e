/** Devices, and lists of what belongs to them. */
import { registry } from '../../../src/commands/index.ts';
import { deviceId, eventId } from '../../../src/lib/ids.ts';
import type { Paging } from '../../../src/views/model.ts';
import { aDevice, anEvent, aPackage, aQueueEntry, aResponse, START } from '../../harness/builders.ts';
import { APPROVER, repeated, type SampleContent, type ViewSample } from './sample-content.ts';
import { software } from './software-samples.ts';

function paging({ text, count }: SampleContent, command: string): Paging {
  return { command, input: { device: text }, page: 1, pages: 3, total: count, asOf: START };
}

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
        ? { type: text, args: text, response: aResponse(at, text) }
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
    [
      'a list of devices',
      {
        kind: 'devices',
        title: text,
        publicTitle: '…',
        rows,
        totals: { online: count, offline: 0, pending: count, needsReboot: 1, noncompliant: 0 },
        unlisted: count,
        paging: paging(filling, 'devices'),
      },
    ],
    [
      'a list of devices by what they are missing',
      {
        kind: 'devices',
        title: text,
        rows,
        totals: { online: count, offline: 0, pending: count, needsReboot: 1, noncompliant: 0 },
        unlisted: 0,
        packages: { candidates: 12, looked: 9, fromList: 7, unread: 2, isGoing: true, oldest: START },
        paging: paging(filling, 'devices'),
      },
    ],
    [
      'packages',
      {
        kind: 'packages',
        device,
        question: text,
        isDefault: count % 2 === 0,
        rows: packages,
        counts: { missing: count, deferred: inner, ignored: 0, installed: count },
        severities: repeated(inner, (at) => ({ severity: at === 0 ? null : text, count: at + 1 })),
        other: { command: 'packages', input: { device: text } },
        paging: paging(filling, 'packages'),
      },
    ],
    ...software(filling),
    ['a queue', { kind: 'queue', device, rows: queue, asOf: START }],
    ['events', { ...history, device, question: '', counted: null }],
    ['events of all', { ...history, device: null, question: text, counted: count + 5 }],
    [
      'a picker of what a message speaks of',
      {
        kind: 'picker',
        query: null,
        rows,
        total: count,
        choices: rows.map(() => ({ command: 'device', input: { device: 1 } })),
      },
    ],
    [
      'a picker',
      {
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
      },
    ],
    [
      'help',
      { ...help, sections: [{ title: 'Look', commands: registry.help() }], root: '/fleet', topic: null },
    ],
    [
      'the first screen of help',
      {
        ...help,
        start: {
          tasks: repeated(6, () => ({ title: text, line: text })),
          topics: ['looking', 'alerts', text],
        },
        sections: [],
        root: '/fleet',
        topic: null,
      },
    ],
    [
      'help for who may do nothing',
      {
        ...help,
        sections: [],
        refusal: { kind: 'not-allowed', need: text, role: null, ask: [APPROVER] },
        root: '/fleet',
        topic: null,
      },
    ],
    [
      'help of foreign commands',
      {
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
      },
    ],
    [
      'help of one',
      {
        ...help,
        sections: [],
        root: text,
        topic: { name: text, usage: `x tag:a|${text} is:${text}`, summary: text, examples: [text, text] },
        attempt: { do: 'form', command: text, input: {} },
      },
    ],
  ];
}
