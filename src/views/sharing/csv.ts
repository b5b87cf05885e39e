/** Lists as CSV files: times in UTC, and no cell that a spreadsheet would run as a formula. */
import { stringify } from 'csv-stringify/sync';
import { systemName } from '../../fleet/model/derived-fields.ts';
import { eventKindOf } from '../../fleet/model/event-kinds.ts';
import { shownEventText, shownStoredReason } from '../../fleet/model/event-text.ts';
import { displayName } from '../../fleet/model/resources.ts';
import { type Instant, instant, SECOND } from '../../lib/clock.ts';
import type { EvidenceList } from '../../store/port/evidence.ts';
import type { AuditRecord } from '../../store/port/records.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import { singleLine, unescapeMrkdwn } from '../kit/escape.ts';
import { isoTime } from '../kit/timestamps.ts';
import type { AuditActivity, DevicesRow, View } from '../model.ts';
import { evidenceText } from '../requests/evidence/evidence-text.ts';
import { commandPhrase } from '../text/common-text.ts';

export type Csv = {
  /** The file's name, without its extension. */
  readonly name: string;
  readonly text: string;
  readonly rows: number;
  /** Rows of the list that are not in the file. */
  readonly omittedRows: number;
};

type CsvCell = string | number | boolean | null;
type CsvTable = { readonly head: readonly string[]; readonly rows: readonly (readonly CsvCell[])[] };

const EXPORTABLE_LISTS = [
  'alerts',
  'approvals',
  'audit',
  'compliance',
  'devices',
  'events',
  'groups',
  'missing',
  'operations',
  'packages',
  'policies',
  'preview',
  'queue',
] as const satisfies readonly View['kind'][];
type ExportableView = Extract<View, { readonly kind: (typeof EXPORTABLE_LISTS)[number] }>;

/** The list as a CSV file; null for views that are not lists. Pure. */
export function toCsv(view: View): Csv | null {
  if (!isList(view)) return null;
  const { head, rows } = csvTable(view);
  const cells = rows.map((row) => row.map(csvCell));
  return {
    name: view.kind,
    // Without the byte order mark, spreadsheets do not read the file as UTF-8.
    text: stringify([head, ...cells], { bom: true, escape_formulas: true, record_delimiter: 'windows' }),
    rows: rows.length,
    omittedRows: Math.max(totalRows(view) - rowCount(view), 0),
  };
}

/** Whether the view can be exported. */
export function isList(view: View): view is ExportableView {
  return EXPORTABLE_LISTS.some((kind) => kind === view.kind);
}

/** One line of the audit may stand for several entries, which are rows of their own in the file. */
function rowCount(view: ExportableView): number {
  return view.kind === 'audit' ? auditEntries(view.rows).length : view.rows.length;
}

/** Audit entries, newest first, as they were written. */
function auditEntries(acts: readonly AuditActivity[]): readonly AuditRecord[] {
  return acts.flatMap(({ entries }) => entries).toSorted((a, b) => b.sequence - a.sequence);
}

function totalRows(view: ExportableView): number {
  if (view.kind === 'queue') return view.rows.length;
  return view.kind === 'preview' ? (view.total ?? view.rows.length) : view.paging.total;
}

function csvTable(view: ExportableView): CsvTable {
  switch (view.kind) {
    case 'devices':
      return {
        head: ['id', 'hostname', 'custom name', 'group', 'system', 'version', ...POLICY_STATUS_COLUMNS],
        rows: view.rows.map(deviceColumns),
      };
    case 'packages':
      return {
        head: ['device', 'package', 'name', 'version', ...PACKAGE],
        rows: view.rows.map((item) => [
          ...[displayName(view.device), item.name, item.displayName, item.version, item.installed],
          ...[
            item.ignored,
            utcTimestamp(item.deferredUntil),
            item.severity,
            item.cves.join(' '),
            item.requiresReboot,
          ],
        ]),
      };
    case 'missing':
      return {
        head: ['device id', 'device', 'group', 'package', 'name', 'version', 'severity'],
        rows: view.rows.flatMap(({ line: { device: each, groupName }, packages }) =>
          packages.map((item) => [
            ...[each.id, displayName(each), groupName, item.name, item.displayName],
            ...[item.version, item.severity],
          ]),
        ),
      };
    case 'events':
      return {
        head: ['id', 'time', 'event', 'device id', 'device', 'policy id', 'policy', 'patches', ...RESULT],
        rows: view.rows.map((event) => [
          ...[
            event.id,
            utcTimestamp(event.createTime),
            eventKindOf(event) ?? event.name,
            event.deviceId,
            event.deviceName,
          ],
          ...[event.policyId, event.policyName, event.patches.map(({ name }) => name).join(' ')],
          ...[shownEventText(event).failure, event.exitCode],
        ]),
      };
    case 'alerts':
      return {
        head: ['event id', 'time', 'what', 'device id', 'device', 'patches', 'reason', ...DECISION_COLUMNS],
        rows: view.rows.map((alert) => [
          ...[alert.eventId, utcTimestamp(alert.happenedAt), alert.kind, alert.deviceId, alert.deviceName],
          ...[alert.packages.map(({ name }) => name).join(' '), shownStoredReason(alert), alert.exitCode],
          alert.acknowledgedBy,
        ]),
      };
    case 'queue':
      return {
        head: ['id', 'device', 'command', 'arguments', 'due', 'exit code', 'answered'],
        rows: view.rows.map((entry) => [
          ...[entry.id, displayName(view.device), entry.type, entry.args, utcTimestamp(entry.execTime)],
          ...[entry.response?.exitCode ?? null, utcTimestamp(entry.responseTime)],
        ]),
      };
    case 'preview':
      return {
        head: ['id', 'hostname', 'custom name', 'group', 'system', 'version'],
        rows: view.rows.map((each) => [
          ...[each.id, each.name, each.customName, each.groupName],
          ...[systemOf({ osFamily: each.osFamily, osName: each.osName ?? null }), each.osVersion],
        ]),
      };
    case 'groups':
      return {
        head: ['id', 'group', 'level', 'devices', 'minutes between scans', 'policies'],
        rows: view.rows.map((row) => [
          ...[row.id, row.name, row.depth, row.devices, row.refreshIntervalMinutes, row.policies],
        ]),
      };
    case 'policies':
      return {
        head: ['id', 'policy', 'type', 'status', 'next run', 'groups'],
        rows: view.rows.map(({ policy, groups }) => [
          ...[policy.id, policy.name, policy.type, policy.status, utcTimestamp(policy.nextRemediation)],
          groups.map(({ id, name }) => name ?? `#${id}`).join('; '),
        ]),
      };
    case 'compliance':
      return {
        head: [view.by === 'policies' ? 'policy' : 'group', 'devices', 'not compliant', 'not stated'],
        rows: view.rows.map((row) => [row.name, row.devices, row.noncompliant, row.unstated]),
      };
    case 'approvals':
      return {
        head: ['id', 'state', 'command', 'devices', 'asked by', 'asked', 'decided by', 'decided', 'reason'],
        rows: view.rows.map(({ request: each }) => [
          ...[each.id, each.state, commandPhrase(each.action), targetNames(each.targets), each.requesterId],
          ...[utcTimestamp(each.createdAt), each.decidedBy, utcTimestamp(each.decidedAt), each.reason],
        ]),
      };
    case 'operations':
      return {
        head: ['id', 'command', 'device', 'state', 'asked by', 'asked', 'ended', 'evidence'],
        rows: view.rows.flatMap(({ request: each }) =>
          each.targets.map((target) => [
            ...[each.id, commandPhrase(each.action), target.displayName, target.state, each.requesterId],
            ...[
              utcTimestamp(each.createdAt),
              utcTimestamp(target.endedAt),
              evidenceCell(each, target.evidence),
            ],
          ]),
        ),
      };
    case 'audit':
      return {
        head: ['sequence', 'time', 'who', 'action', 'subject', 'detail', 'hash'],
        rows: auditEntries(view.rows).map((entry) => [
          ...[entry.sequence, utcTimestamp(entry.at), entry.actor, entry.action, entry.subject],
          ...[JSON.stringify(entry.detail), entry.hash],
        ]),
      };
  }
}

const POLICY_STATUS_COLUMNS = ['connected', 'needs a reboot', 'pending patches'];
const PACKAGE = ['installed', 'ignored', 'deferred until', 'severity', 'CVEs', 'needs a reboot'];
const RESULT = ['failure', 'exit code'];
const DECISION_COLUMNS = ['exit code', 'acknowledged by'];

function deviceColumns(row: DevicesRow): readonly CsvCell[] {
  if (row.device === null) return [row.id, 'no longer in the fleet', ...Array<CsvCell>(7).fill(null)];
  const { device, groupName } = row;
  return [
    ...[device.id, device.name, device.customName, groupName, systemOf(device)],
    ...[device.osVersion, device.connected, device.needsReboot, device.pendingPatches],
  ];
}

/** The operating system as lists name it, without its version, which has a column of its own. */
function systemOf({ osFamily, osName }: Parameters<typeof systemName>[0]): string | null {
  return systemName({ osFamily, osName });
}

function utcTimestamp(time: Instant | null): string | null {
  return time === null ? null : isoTime(time);
}

/** The words of the card; times that Slack would draw become UTC times. */
function evidenceCell({ action }: RequestRecord, evidence: EvidenceList): string | null {
  const words = evidenceText(evidence, action);
  if (words === null) return null;
  return unescapeMrkdwn(
    words.replaceAll(/<!date\^(\d+)\^[^>]*>/g, (_token, seconds: string) =>
      isoTime(instant(Number(seconds) * SECOND)),
    ),
  );
}

function targetNames(targets: readonly { readonly displayName: string }[]): string {
  return targets.map(({ displayName: name }) => name).join('; ');
}

/** Text on one line: a line break in a cell would split the row for tools that read by lines. */
function csvCell(value: CsvCell): string | number {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' || value === '' ? value : singleLine(value);
}
