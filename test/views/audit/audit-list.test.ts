/** Texts of audit activities. */
import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { DAY, later } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import type { AuditEntry, AuditRecord } from '../../../src/store/port/store.ts';
import { actionTemplate } from '../../../src/views/audit/audit-list.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { toCsv } from '../../../src/views/sharing/csv.ts';
import { type AuditActivity, renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';

type Detail = AuditEntry['detail'];
const ANN = personId('U0ANN');
const NAMES = {
  devices: new Map([[4001, 'web-01']]),
  groups: new Map([[3111, 'Servers']]),
  policies: new Map([[12, 'Harden SSH']]),
};

function entry(action: string, detail: Detail = {}, given: Partial<AuditRecord> = {}): AuditRecord {
  return { at: START, actor: 'patchbay', action, subject: 'o_1', detail, sequence: 1, hash: '', ...given };
}

function viewOf(rows: readonly AuditActivity[], total = rows.length) {
  const paging = { command: 'audit', input: {}, page: 0, pages: 1, total, asOf: START };
  const view = { kind: 'audit', device: null, rows, lines: rows.length, names: NAMES } as const;
  return { ...view, since: later(START, -7 * DAY), cut: false, paging } as const;
}

function shown(entries: AuditActivity['entries'], order: Detail | null = null): string {
  return JSON.stringify(renderView(viewOf([{ entries, order }], entries.length)).blocks);
}

const SCAN = { command: 'scan', devices: '4001' };

describe('a line of the audit', () => {
  it.each<readonly [string, Detail, Detail | null, string]>([
    ['operation.issuing', { device: 4001 }, null, 'was about to send the command for web-01 (#4001)."'],
    ['operation.issuing', { device: 7 }, SCAN, 'was about to send the scan of #7."'],
    ['operation.requested', SCAN, SCAN, 'requested a scan of web-01 (#4001)."'],
    [
      'approval.requested',
      { command: 'device-edit', fields: 'customName tags', devices: '4001 2' },
      null,
      'requested approval of an edit (custom name, tags) of web-01 (#4001) and #2.',
    ],
    [
      'approval.requested',
      { command: 'group-edit', fields: 'notes', group: 3111, devices: '' },
      null,
      'requested approval of an edit (notes) of the group Servers (#3111).',
    ],
    [
      'approval.requested',
      { command: 'policy-test', policy: 12, devices: '4001' },
      null,
      'requested approval of a test of Harden SSH (policy 12) on web-01 (#4001).',
    ],
    [
      'approval.requested',
      { command: 'patch', severities: 'critical high', devices: '4001' },
      null,
      'an installation of patches on web-01 (#4001) chosen by severity (critical or high).',
    ],
    [
      'approval.refused',
      { decision: 'approve', why: 'own-request' },
      SCAN,
      'tried to approve the scan of web-01 (#4001) and was refused (it was their own request).',
    ],
    ['operation.refused', { device: 4001, evidence: 'It said no.' }, SCAN, '(#4001). It said no."'],
    ['approval.denied', { note: null, seal: 'x' }, null, 'denied the command."'],
    ['alerts.subscribed', { channel: 'C0OPS' }, null, 'subscribed to alerts in <#C0OPS> (o_1).'],
    ['alerts.subscribed', { channel: 'D0ANN' }, null, 'subscribed to alerts in direct messages (o_1).'],
    [
      'alerts.silenced',
      { group: 3111, until: START },
      null,
      `silenced alerts in the group Servers (#3111) until ${relativeDate(START)} (o_1).`,
    ],
    [
      'alerts.silenced',
      { events: 'all', device: 4001, group: null, package: null, until: START, reason: 'new disk' },
      null,
      `silenced all alerts for web-01 (#4001) until ${relativeDate(START)} (o_1) (reason: new disk).`,
    ],
    [
      'alerts.silenced',
      { events: 'patch-failed, newer-kind', package: '<!channel>' },
      null,
      'silenced “Patch failed”, “newer-kind” alerts for the package `&lt;!channel&gt;` (o_1).',
    ],
    ['alerts.sound-again', { kept: 3 }, null, 'ended o_1 (alerts held: 3).'],
    [
      'alerts.acknowledged',
      { device: 4001, kind: 'patch-failed' },
      null,
      'acknowledged the alert “Patch failed” on web-01 (#4001).',
    ],
    ['alerts.acknowledged', { device: null }, null, 'acknowledged an alert.'],
    [
      'access.refused',
      { attempt: 'pause', need: 'admin', role: 'viewer' },
      null,
      'tried pause and was refused: it needs the admin role (their role: viewer).',
    ],
    [
      'outcome.untold',
      { person: 'U0ANN', error: 'x' },
      null,
      'could not notify <@U0ANN> of the outcome (error: x).',
    ],
    ['alias.shared', { line: 'devices is:offline' }, null, 'shared the alias o_1: `devices is:offline`.'],
    ['something.newer', { policy: 12 }, null, 'something.newer (Harden SSH (policy 12)).'],
    ['operation.requested', { command: 'melt', devices: '4001' }, null, 'a command melt for web-01 (#4001).'],
  ])('says %s %o in words', (action, detail, order, words) => {
    expect(shown([entry(action, detail)], order)).toContain(words);
  });

  it('tells what an act came to in one sentence, without what it was still waiting for', () => {
    const words = shown(
      [
        entry('operation.issuing', { device: 4001, evidence: null }),
        entry('operation.accepted', { device: 4001, evidence: 'The service took it.' }),
        entry('operation.queued', { device: 4001, evidence: 'It waits.' }),
      ],
      SCAN,
    );
    expect(words).toContain('Patchbay sent the scan of web-01 (#4001) and saw it in the queue."');
    expect(words).toContain('3 entries in the last 7 days (related ones share a line), as of');
    expect(words).not.toContain('o_1');
  });

  it('says how far an act came that never got to its end', () => {
    expect(shown([entry('operation.issuing', { device: 4001 })], SCAN)).toContain(
      'Patchbay was about to send the scan of web-01 (#4001)."',
    );
  });

  it('gives the evidence of an end, and leaves an empty line between acts', () => {
    const ended = entry('operation.not_verified', { device: 4001, evidence: 'It is still there.' });
    expect(shown([ended], SCAN)).toContain(
      'could not verify the scan of web-01 (#4001). It is still there."',
    );
    const acts = [1, 2].map(() => ({ entries: [ended], order: SCAN }) as const);
    expect(JSON.stringify(renderView(viewOf(acts)).blocks)).toContain('It is still there.\\n\\n<!date');
  });

  it('says of what was sent after all not that nothing was sent', () => {
    const note = 'Nothing was sent, because something changed: web-01 is offline now.';
    expect(shown([entry('approval.sent-back', { note })], SCAN)).toContain(
      `returned the request for the scan of a device to the approvers. ${note}`.replace(
        'a device',
        'web-01 (#4001)',
      ),
    );
  });

  it.each<readonly [string, Detail, string]>([
    [
      'one field',
      { 'groupId.before': 'Linux servers (#3)', 'groupId.after': 'Databases (#4)' },
      'Changes: group Linux servers (#3) → Databases (#4).',
    ],
    [
      'several',
      { 'name.before': 'A', 'name.after': 'B', 'notes.before': 'none', 'notes.after': '<!channel>' },
      'Changes: name A → B; notes none → `&lt;!channel&gt;`.',
    ],
    ['what is new', { 'name.after': 'B' }, 'Changes: name → B.'],
    [
      'tags of several devices',
      { 'tags.added': 'blue', 'tags.removed': 'old' },
      'Changes: tags blue added, old removed.',
    ],
  ])('says what an edit changed: %s', (_what, changes, words) => {
    const detail = { command: 'device-edit', fields: 'groupId', devices: '4001', ...changes };
    const text = shown([entry('approval.requested', detail)], detail);
    expect(text).toContain(words);
    expect(text).not.toContain('.before');
  });

  it('says once what an edit changed, where several steps of an act know it', () => {
    const changes = { 'name.before': 'A', 'name.after': 'B' };
    const text = shown([
      entry('operation.accepted', { device: 4001, ...changes }),
      entry('operation.verified', { device: 4001, ...changes }),
    ]);
    expect(text.match(/A → B/g)).toHaveLength(1);
  });

  it('counts entries alone where each is a line', () => {
    expect(shown([entry('operation.queued')])).toContain('1 entry in the last 7 days, as of');
  });

  it('counts the devices that a line has no place for', () => {
    const devices = Array.from({ length: 23 }, (_, at) => at + 1).join(' ');
    expect(shown([entry('operation.requested', { command: 'scan', devices })])).toContain(
      '#20 and 3 more devices (named in the CSV file)',
    );
  });
});

it('keeps every entry in the file, the newest first', () => {
  const [early, between, late] = [1, 2, 3].map((sequence) => entry('operation.queued', {}, { sequence }));
  if (early === undefined || between === undefined || late === undefined) throw new Error('three were made');
  const acts = [
    { entries: [between], order: null },
    { entries: [early, late], order: null },
  ] as const;
  const csv = toCsv(viewOf(acts, 5));
  expect(csv).toMatchObject({ rows: 3, omittedRows: 2 });
  expect(csv?.text.match(/^\d+(?=,)/gm)).toEqual(['3', '2', '1']);
});

it('has words for every action that is written down', () => {
  const ACTION =
    /(?<!event: |onFailpoint\?\.\()'((?:operation|approval|changes|alerts|outcome|access)\.[a-z_-]+)'/g;
  const written = globSync('src/{requests,watch,slack}/**/*.ts').flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(ACTION)].map(([, action = '']) => action),
  );
  const ofNames = ['alias', 'saved'].flatMap((kind) => [`${kind}.shared`, `${kind}.removed`]);
  expect(written.length).toBeGreaterThan(15);
  expect([...written, ...ofNames].filter((action) => actionTemplate(action) === null)).toEqual([]);
});

it('says who did it', () => {
  expect(shown([entry('changes.paused', { reason: 'Fair' }, { actor: ANN })])).toContain(
    '<@U0ANN> paused all changes (reason: Fair).',
  );
});
