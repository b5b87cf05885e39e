import { listChangeBlocks } from '../device/device-buttons.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { bold, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, plainName } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage, type RichWithFallback } from '../kit/message.ts';
import { moreOnPage, pageButtons, refreshButton } from '../kit/pager.ts';
import { barChart, type Column, type CsvTable, csvTable, renderTable } from '../kit/table.ts';
import type {
  CommandChoice,
  CompliancePart,
  ComplianceRow,
  ListChanges,
  Paging,
} from '../models/list-model.ts';
import { countText, plainWithRest, withRest } from '../text/common-text.ts';
import { type Completeness, completenessNotes } from './completeness.ts';

export type ComplianceView = {
  readonly kind: 'compliance';
  readonly by: 'groups' | 'policies';
  /** Groups or policies with devices that are not compliant, most devices first. */
  readonly rows: readonly ComplianceRow[];
  readonly devices: number;
  readonly noncompliant: number;
  readonly unstated: number;
  readonly list: CommandChoice;
  /** Changes of all devices that are not compliant; absent: the reader may request none. */
  readonly changes?: ListChanges;
  readonly paging: Paging;
} & Completeness;

/** Policies of a group, or groups of a policy, that a row names; the others are counted. */
const MAX_PARTS = 5;

export function renderCompliance(view: ComplianceView): RenderedMessage {
  const { rows, devices, noncompliant, list, paging, by } = view;
  const sum = md`${noncompliant} of ${countText(devices, 'device')} ${areNot(noncompliant)} compliant${unknownNote(view)}`;
  return buildMessage({
    text: md`Compliance: ${sum}.`,
    body: [
      section(md`*Compliance*\n${sum}.`),
      ...barChart(
        CHART_TITLES[by],
        'Devices',
        rows.map(({ name, noncompliant }) => ({ label: name, value: noncompliant })),
      ),
      ...(rows.length === 0 ? [section(emptyText(view))] : [listOf(view)]),
      ...(rows.length === 0 ? [] : [context(COUNT_NOTES[by])]),
      ...completenessNotes(view, md`counted`).map((note) => context(note)),
    ],
    footer: [
      ...listChangeBlocks(view.changes),
      ...pageButtons(
        paging,
        md`${by === 'policies' ? countText(paging.total, 'policy', 'policies') : countText(paging.total, 'group')} with noncompliant devices`,
        noncompliant === 0
          ? null
          : runButton({ action: 'devices', label: `Show all ${noncompliant}`, ...list }),
        switchButton(by),
        refreshButton(paging),
      ),
    ],
  });
}

const CHART_TITLES: Readonly<Record<ComplianceView['by'], string>> = {
  groups: 'Not compliant by group',
  policies: 'Not compliant by policy',
};

const COUNT_NOTES: Readonly<Record<ComplianceView['by'], Mrkdwn>> = {
  groups: md`Each row counts the group’s own devices. The button of a group also lists the noncompliant devices of its subgroups. A device can fail several policies.`,
  policies: md`Only devices that report the policy are counted. Devices that were never scanned report none, so the management service may count more.`,
};

/** The rows as a table. A table can't hold buttons, so they follow below it by name. */
function listOf({ rows, by }: ComplianceView): RichWithFallback {
  const buttons = rows.map(({ name, list }, at) => list && listButton(list, at, `Show ${plainName(name)}`));
  return renderTable(rows, {
    columns:
      by === 'policies'
        ? [nameColumn('Policy'), COUNT, partsColumn('Groups (devices not compliant)')]
        : [nameColumn('Group'), COUNT, partsColumn('Failing policies (devices)')],
    fallback: rows.map((one, at) => complianceRow(one, at, by)),
    below: actions(...buttons),
    more: moreOnPage,
  });
}

function nameColumn(title: string): Column<ComplianceRow> {
  return { title, cell: ({ name }) => name, wraps: true };
}

const COUNT: Column<ComplianceRow> = { title: 'Not compliant', cell: countCell, align: 'right' };

function countCell({ noncompliant, devices, unstated: number }: ComplianceRow): string {
  return `${noncompliant} of ${devices}${number === 0 ? '' : `, ${number} unknown`}`;
}

function partsColumn(title: string): Column<ComplianceRow> {
  return { title, cell: partsCell, max: DISPLAY_LIMIT.sentence / 2, wraps: true };
}

function partsCell({ parts: all = [] }: ComplianceRow): string {
  const listed = all
    .slice(0, MAX_PARTS)
    .map(({ name, noncompliant }) => `${plainName(name)}: ${noncompliant}`);
  return plainWithRest(listed, all.length - listed.length);
}

function emptyText({ by }: ComplianceView): Mrkdwn {
  return md`No ${by === 'policies' ? md`policy` : md`group`} has a device that is known to be noncompliant.`;
}

function switchButton(by: ComplianceView['by']) {
  const other = by === 'policies' ? 'groups' : 'policies';
  const label = by === 'policies' ? 'By group' : 'By policy';
  return runButton({ action: `page:${other}`, label, command: 'compliance', input: { by: other } });
}

function complianceRow(one: ComplianceRow, at: number, by: ComplianceView['by']): Block {
  const button = one.list && listButton(one.list, at, 'Show');
  const what = md`${one.noncompliant} of ${countText(one.devices, 'device')} ${areNot(one.noncompliant)} compliant${unknownNote(one)}`;
  return section(md`${bold(one.name)}\n${what}${partsText(one.parts ?? [], by)}`, button);
}

function areNot(noncompliant: number): Mrkdwn {
  return noncompliant === 1 ? md`isn’t` : md`aren’t`;
}

function listButton(list: CommandChoice, at: number, label: string): Button | null {
  return runButton({ action: `devices:${at}`, label, ...list });
}

/** The policies of a group or the groups of a policy, one line below the row. */
function partsText(parts: readonly CompliancePart[], by: ComplianceView['by']): Mrkdwn {
  if (parts.length === 0) return md``;
  const listed = parts.slice(0, MAX_PARTS).map(({ name, noncompliant }) => {
    const named = escapeMrkdwn(name, DISPLAY_LIMIT.label);
    return by === 'policies'
      ? md`${noncompliant} in ${named}`
      : md`${named}: ${countText(noncompliant, 'device')}`;
  });
  return md`\n${withRest(joinMrkdwn(listed, ' · '), parts.length - listed.length)}`;
}

/** Devices whose compliance the service does not state are neither compliant nor not compliant. */
function unknownNote({ unstated: number }: { readonly unstated: number }): Mrkdwn {
  return number === 0 ? md`` : md`, ${number} unknown`;
}

export function complianceCsv(view: ComplianceView): CsvTable {
  return csvTable(view.rows, {
    [view.by === 'policies' ? 'policy' : 'group']: (row) => row.name,
    devices: (row) => row.devices,
    'not compliant': (row) => row.noncompliant,
    'not stated': (row) => row.unstated,
  });
}
