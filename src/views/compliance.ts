/** How many devices do not comply with their policies, group by group or policy by policy. */

import { completeness } from './completeness.ts';
import { actions, type Button, context, section } from './kit/blocks.ts';
import { barChart } from './kit/charts.ts';
import { joined, literal, type Mrkdwn, md, plain, strong } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message, type Richer } from './kit/message.ts';
import { pager, refreshButton } from './kit/pager.ts';
import { runButton } from './kit/run-button.ts';
import { type Column, table } from './kit/table.ts';
import type { Block, RenderedMessage, View } from './model.ts';
import type { Choice, CompliancePart, ComplianceRow } from './models/report-model.ts';
import { count } from './words.ts';

type ComplianceView = Extract<View, { kind: 'compliance' }>;

/** More names than this say less. */
const MOST_PARTS = 5;

export function renderCompliance(view: ComplianceView): RenderedMessage {
  const { rows, devices, noncompliant, list, paging, by } = view;
  const sum = md`${noncompliant} of ${count(devices, 'device')} not compliant${unstated(view)}`;
  return message({
    text: md`Compliance: ${sum}.`,
    body: [
      section(md`*Compliance*\n${sum}.`),
      ...barChart('Devices not compliant', 'Devices', rows.map(point)),
      ...(rows.length === 0 ? [section(nothing(view))] : [listOf(view)]),
      ...(rows.length === 0 ? [] : [context(COUNTED[by])]),
      ...completeness(view, md`counted`).map((note) => context(note)),
    ],
    end: pager(
      paging,
      by === 'policies'
        ? md`${count(paging.total, 'policy', 'policies')} with non-compliant devices`
        : md`${count(paging.total, 'group')} with non-compliant devices`,
      noncompliant === 0
        ? null
        : runButton({ action: 'devices', label: `Show all ${noncompliant}`, ...list }),
      otherWay(by),
      refreshButton(paging),
    ),
  });
}

const COUNTED: Readonly<Record<ComplianceView['by'], Mrkdwn>> = {
  groups: md`Counts exclude subgroups. Lists include them.`,
  policies: md`Only devices that report the policy are counted. Devices that were never scanned report none, so the management service may count more.`,
};

/** A table cannot hold the buttons that rows have: they stand below it, by name. */
function listOf({ rows, by }: ComplianceView): Richer {
  const buttons = rows.map(({ name, list }, at) => list && listButton(list, at, `Show ${name}`));
  return table(rows, {
    columns:
      by === 'policies'
        ? [column('Policy'), COUNT, parts('Groups')]
        : [column('Group'), COUNT, parts('Policies')],
    instead: rows.map((one, at) => row(one, at, by)),
    below: actions(...buttons),
    more: (left) => md`${left} more on this page not shown.`,
  });
}

function column(title: string): Column<ComplianceRow> {
  return { title, cell: ({ name }) => name, wraps: true };
}

const COUNT: Column<ComplianceRow> = { title: 'Not compliant', cell: countCell, align: 'right' };

function countCell({ noncompliant, devices, unstated: number }: ComplianceRow): string {
  return `${noncompliant} of ${devices}${number === 0 ? '' : `, ${number} unknown`}`;
}

function parts(title: string): Column<ComplianceRow> {
  return { title, cell: partsCell, max: SHOWN.sentence / 2, wraps: true };
}

function partsCell({ parts: all = [] }: ComplianceRow): string {
  const shown = all
    .slice(0, MOST_PARTS)
    .map(({ name, noncompliant }) => `${plain(name, SHOWN.label)}: ${noncompliant}`);
  const left = all.length - shown.length;
  return left === 0 ? shown.join(', ') : `${shown.join(', ')} and ${left} more`;
}

function point({ name, noncompliant }: ComplianceRow) {
  return { label: name, value: noncompliant };
}

function nothing({ by }: ComplianceView): Mrkdwn {
  return by === 'policies'
    ? md`No policy has a device that is known to be non-compliant.`
    : md`No group has a device that is known to be non-compliant.`;
}

function otherWay(by: ComplianceView['by']) {
  const other = by === 'policies' ? 'groups' : 'policies';
  const label = by === 'policies' ? 'By group' : 'By policy';
  return runButton({ action: `page:${other}`, label, command: 'compliance', input: { by: other } });
}

function row(one: ComplianceRow, at: number, by: ComplianceView['by']): Block {
  const button = one.list && listButton(one.list, at, 'Show');
  const what = md`${one.noncompliant} of ${count(one.devices, 'device')} not compliant${unstated(one)}`;
  return section(md`${strong(one.name)}\n${what}${partWords(one.parts ?? [], by)}`, button);
}

function listButton(list: Choice, at: number, label: string): Button | null {
  return runButton({ action: `devices:${at}`, label, ...list });
}

/** Of a group its policies, of a policy its groups. */
function partWords(parts: readonly CompliancePart[], by: ComplianceView['by']): Mrkdwn {
  if (parts.length === 0) return md``;
  const shown = parts.slice(0, MOST_PARTS).map(({ name, noncompliant }) => {
    const named = literal(name, SHOWN.label);
    return by === 'policies'
      ? md`${noncompliant} in ${named}`
      : md`${named}: ${count(noncompliant, 'device')}`;
  });
  const left = parts.length - shown.length;
  const more = left === 0 ? md`` : md` and ${left} more`;
  return md`\n${joined(shown, ' · ')}${more}`;
}

/** Null is no “compliant”: the service did not say. */
function unstated({ unstated: number }: { readonly unstated: number }): Mrkdwn {
  return number === 0 ? md`` : md`, ${number} unknown`;
}
