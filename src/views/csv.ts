/** Lists as files for spreadsheets: one row each, times in UTC, and no cell that a spreadsheet takes for a formula. */
import { stringify } from 'csv-stringify/sync';
import { type Instant, instant } from '../clock.ts';
import { happeningOf } from '../fleet/happenings.ts';
import { displayName } from '../fleet/model.ts';
import { shownReason, shownWords } from '../fleet/script-output.ts';
import { systemName } from '../fleet/system.ts';
import type { AuditRecord } from '../store/records.ts';
import { oneLine } from './kit/escape.ts';
import { iso } from './kit/when.ts';
import type { AuditAct, DevicesRow, View } from './model.ts';
import { commandWords } from './words.ts';

export type Csv = {
  /** Of the file, without its ending. */
  readonly name: string;
  readonly text: string;
  readonly rows: number;
  /** Rows of the list that are not in the file. */
  readonly left: number;
};

type Cell = string | number | boolean | null;
type Table = { readonly head: readonly string[]; readonly rows: readonly (readonly Cell[])[] };

const LISTS = [
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
type Listed = Extract<View, { readonly kind: (typeof LISTS)[number] }>;

/** The list as a file, or null where the view is none. Pure. */
export function csvOf(view: View): Csv | null {
  if (!isList(view)) return null;
  const { head, rows } = tableOf(view);
  const cells = rows.map((row) => row.map(cell));
  return {
    name: view.kind,
    // Spreadsheets take UTF-8 for what it is only by its mark.
    text: stringify([head, ...cells], { bom: true, escape_formulas: true, record_delimiter: 'windows' }),
    rows: rows.length,
    left: Math.max(totalOf(view) - countOf(view), 0),
  };
}

/** Whether there is a file of it. */
export function isList(view: View): view is Listed {
  return LISTS.some((kind) => kind === view.kind);
}

/** A line of the audit may be several entries. */
function countOf(view: Listed): number {
  return view.kind === 'audit' ? entriesOf(view.rows).length : view.rows.length;
}

/** The newest first, as they were written. */
function entriesOf(acts: readonly AuditAct[]): readonly AuditRecord[] {
  return acts.flatMap(({ entries }) => entries).toSorted((a, b) => b.sequence - a.sequence);
}

function totalOf(view: Listed): number {
  if (view.kind === 'queue') return view.rows.length;
  return view.kind === 'preview' ? (view.total ?? view.rows.length) : view.paging.total;
}

function tableOf(view: Listed): Table {
  switch (view.kind) {
    case 'devices':
      return {
        head: ['id', 'hostname', 'custom name', 'group', 'system', 'version', ...STANDING],
        rows: view.rows.map(deviceCells),
      };
    case 'packages':
      return {
        head: ['device', 'package', 'name', 'version', ...PACKAGE],
        rows: view.rows.map((item) => [
          ...[displayName(view.device), item.name, item.displayName, item.version, item.installed],
          ...[item.ignored, at(item.deferredUntil), item.severity, item.cves.join(' '), item.requiresReboot],
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
            at(event.createTime),
            happeningOf(event) ?? event.name,
            event.deviceId,
            event.deviceName,
          ],
          ...[event.policyId, event.policyName, event.patches.map(({ name }) => name).join(' ')],
          ...[shownWords(event).failure, event.exitCode],
        ]),
      };
    case 'alerts':
      return {
        head: ['event id', 'time', 'what', 'device id', 'device', 'patches', 'reason', ...TAKEN],
        rows: view.rows.map((alert) => [
          ...[alert.eventId, at(alert.happenedAt), alert.kind, alert.deviceId, alert.deviceName],
          ...[alert.packages.map(({ name }) => name).join(' '), shownReason(alert), alert.exitCode],
          alert.acknowledgedBy,
        ]),
      };
    case 'queue':
      return {
        head: ['id', 'device', 'command', 'arguments', 'due', 'exit code', 'answered'],
        rows: view.rows.map((entry) => [
          ...[entry.id, displayName(view.device), entry.type, entry.args, at(entry.execTime)],
          ...[entry.response?.exitCode ?? null, at(entry.responseTime)],
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
          ...[policy.id, policy.name, policy.type, policy.status, at(policy.nextRemediation)],
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
        rows: view.rows.map(({ approval: each }) => [
          ...[each.id, each.state, commandWords(each.command), names(each.targets), each.requesterId],
          ...[at(each.createdAt), each.decidedBy, at(each.decidedAt), each.reason],
        ]),
      };
    case 'operations':
      return {
        head: ['id', 'command', 'device', 'state', 'asked by', 'asked', 'ended', 'evidence'],
        rows: view.rows.flatMap(({ operation: each }) =>
          each.targets.map((target) => [
            ...[each.id, commandWords(each.command), target.displayName, target.state, each.requesterId],
            ...[at(each.createdAt), at(target.endedAt), timed(target.evidence)],
          ]),
        ),
      };
    case 'audit':
      return {
        head: ['sequence', 'time', 'who', 'action', 'subject', 'detail', 'hash'],
        rows: entriesOf(view.rows).map((entry) => [
          ...[entry.sequence, at(entry.at), entry.actor, entry.action, entry.subject],
          ...[JSON.stringify(entry.detail), entry.hash],
        ]),
      };
  }
}

const STANDING = ['connected', 'needs a reboot', 'pending patches'];
const PACKAGE = ['installed', 'ignored', 'deferred until', 'severity', 'CVEs', 'needs a reboot'];
const RESULT = ['failure', 'exit code'];
const TAKEN = ['exit code', 'acknowledged by'];

function deviceCells(row: DevicesRow): readonly Cell[] {
  if (row.device === null) return [row.id, 'no longer in the fleet', ...Array<Cell>(7).fill(null)];
  const { device, groupName } = row;
  return [
    ...[device.id, device.name, device.customName, groupName, systemOf(device)],
    ...[device.osVersion, device.connected, device.needsReboot, device.pendingPatches],
  ];
}

/** As lists name it; its version has a column of its own. */
function systemOf({ osFamily, osName }: Parameters<typeof systemName>[0]): string | null {
  return systemName({ osFamily, osName });
}

function at(time: Instant | null): string | null {
  return time === null ? null : iso(time);
}

/** Evidence is stored with its times as tokens. */
function timed(text: string | null): string | null {
  return text === null
    ? null
    : text.replaceAll(/@\{(\d+)\}/g, (_token, time: string) => iso(instant(Number(time))));
}

function names(targets: readonly { readonly displayName: string }[]): string {
  return targets.map(({ displayName: name }) => name).join('; ');
}

/** One line: a line break inside a cell tears the row for whoever reads it by lines. */
function cell(value: Cell): string | number {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' || value === '' ? value : oneLine(value);
}
