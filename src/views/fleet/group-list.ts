/** The tree of groups: indented by depth, a page at a time. */

import { context, rowBlocks, section } from '../kit/blocks.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { type CsvTable, csvTable } from '../kit/csv.ts';
import { bold, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { moreOnPage, pageButtons, refreshButton } from '../kit/pager.ts';
import type { Paging } from '../models/list-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import type { GroupRow } from '../models/report-model.ts';
import { countText, intervalText } from '../text/common-text.ts';
import { type Completeness, completenessNotes } from './completeness.ts';

export type GroupListView = {
  readonly kind: 'groups';
  readonly root: string;
  readonly rows: readonly GroupRow[];
  readonly devices: number;
  readonly paging: Paging;
} & Completeness;

const BUDGET = 8_000;
/** Deeper groups are indented no further, so that their names stay readable. */
const MAX_INDENT = 8;

export function renderGroupList(view: GroupListView): RenderedMessage {
  const { rows, devices, paging } = view;
  const total = md`${countText(paging.total, 'group')} with ${countText(devices, 'device')}`;
  return buildMessage({
    text: md`Groups: ${total}.`,
    body: [
      section(md`*Groups*`),
      ...rowBlocks(rows.map(groupRow), {
        budget: BUDGET,
        more: moreOnPage,
        none: md`The management service lists no groups.`,
      }),
      ...completenessNotes(view, md`counted`).map((note) => context(note)),
      context(md`Show one with ${typedCommand(view.root, 'group NAME')}.`),
    ],
    footer: pageButtons(paging, total, refreshButton(paging)),
  });
}

function groupRow({ id, name, depth, devices, refreshIntervalMinutes, policies }: GroupRow): Mrkdwn {
  const indent =
    depth === 0 ? md`` : trustedMrkdwn(`${'\u2003'.repeat(Math.min(depth, MAX_INDENT) - 1)}\u2514 `);
  const scanned =
    refreshIntervalMinutes === null ? md`` : md` · scanned ${intervalText(refreshIntervalMinutes)}`;
  const linked = policies === 0 ? md`no policies` : countText(policies, 'policy', 'policies');
  return md`${indent}${bold(name)} · #${id} · ${countText(devices, 'device')}${scanned} · ${linked}`;
}

export function groupsCsv(view: GroupListView): CsvTable {
  return csvTable(view.rows, {
    id: (row) => row.id,
    group: (row) => row.name,
    level: (row) => row.depth,
    devices: (row) => row.devices,
    'minutes between scans': (row) => row.refreshIntervalMinutes,
    policies: (row) => row.policies,
  });
}
