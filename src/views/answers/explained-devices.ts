/** The devices of a change that is only explained, page by page: those that it is for, then those that stay out. */

import { packageNames } from '../../fleet/facts/facts.ts';
import type { FleetAction } from '../../fleet/model/actions.ts';
import { systemName } from '../../fleet/model/derived-fields.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { DeviceFacts, TargetFacts } from '../../store/port/records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { type CsvCell, type CsvTable, csvList, csvTable } from '../kit/csv.ts';
import { type Mrkdwn, md, unescapeMrkdwn } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import type { Paging } from '../models/list-model.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { problemText } from '../problems/problem-text.ts';
import { targetFactBlocks } from '../requests/facts.ts';
import { leftOutRow } from '../requests/left-out.ts';
import { actionTitle, countText } from '../text/common-text.ts';
import { identityOf } from '../text/target-name.ts';

export type ExplainedRow =
  | { readonly kind: 'target'; readonly facts: TargetFacts }
  | { readonly kind: 'left-out'; readonly target: UnrequestedTarget };

export type ExplainedDevicesView = {
  readonly kind: 'explain-devices';
  readonly command: FleetAction;
  /** How many it is for; the others stay out. */
  readonly devices: number;
  readonly rows: readonly ExplainedRow[];
  readonly paging: Paging;
  /** Without personal data. */
  readonly shared?: true;
};

const BUDGET = 4_000;

export function renderExplainedDevices(view: ExplainedDevicesView): RenderedMessage {
  const { command, devices, rows, paging, shared } = view;
  const title = md`*Preview:* ${actionTitle(command, devices)}`;
  const out = paging.total - devices;
  const leftOut = out === 0 ? md`` : md`, ${countText(out, 'device')} left out`;
  const targets = rows.flatMap((row) => (row.kind === 'target' ? row.facts : []));
  const others = rows.flatMap((row) => (row.kind === 'left-out' ? leftOutRow(row.target) : []));
  return buildMessage({
    text: md`${title}. Nothing was requested or sent.`,
    body: [
      section(md`${title}\nNothing was requested or sent.`),
      ...targetFactBlocks(targets, shared, command),
      ...leftOutBlocks(others.length, others, BUDGET),
    ],
    footer: pageButtons(paging, md`${countText(devices, 'device')}${leftOut}`),
  });
}

/** How many stay out, above `rows` that say why. */
export function leftOutBlocks(devices: number, rows: readonly Mrkdwn[], budget: number): readonly Block[] {
  if (devices === 0) return [];
  return [
    section(md`*Left out: ${countText(devices, 'device')}*`),
    ...rowBlocks(rows, { budget, more: () => md`Not all of them are shown.` }),
  ];
}

export function explainedDevicesCsv({ rows }: ExplainedDevicesView): CsvTable {
  const fact = (cell: (facts: DeviceFacts) => CsvCell) => (row: ExplainedRow) =>
    row.kind === 'target' && row.facts.deviceId !== null ? cell(row.facts) : null;
  const named = (row: ExplainedRow) => identityOf(row.kind === 'target' ? row.facts : row.target);
  return csvTable(rows, {
    device: (row) => named(row).displayName,
    hostname: (row) => named(row).hostname,
    id: (row) => named(row).id,
    group: fact(({ groupName }) => groupName),
    system: fact(systemName),
    connected: fact(({ connected }) => connected),
    packages: fact(({ packages }) => csvList(packageNames(packages))),
    'left out because': (row) =>
      row.kind === 'target' ? null : unescapeMrkdwn(problemText(row.target.problem, ROOT_COMMAND).what),
  });
}
