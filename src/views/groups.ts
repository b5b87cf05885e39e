/** The tree of groups: indented by depth, a page at a time. */

import { completeness } from './completeness.ts';
import { context, lines, section } from './kit/blocks.ts';
import { type Mrkdwn, md, strong, trusted } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { pager, refreshButton } from './kit/pager.ts';
import { typed } from './kit/typed.ts';
import type { RenderedMessage, View } from './model.ts';
import type { GroupRow } from './models/report-model.ts';
import { count, every } from './words.ts';

const BUDGET = 8_000;
/** Deeper ones stand as deep as this. */
const DEEPEST = 8;

export function renderGroups(view: Extract<View, { kind: 'groups' }>): RenderedMessage {
  const { rows, devices, paging } = view;
  const total = md`${count(paging.total, 'group')} with ${count(devices, 'device')}`;
  const more = (left: number) => md`${left} more on this page not shown.`;
  return message({
    text: md`Groups: ${total}.`,
    body: [
      section(md`*Groups*`),
      ...(rows.length === 0
        ? [section(md`The management service lists no groups.`)]
        : lines(rows.map(row), { budget: BUDGET, more })),
      ...completeness(view, md`counted`).map((note) => context(note)),
      context(md`Show one with ${typed(view.root, 'group NAME')}.`),
    ],
    end: pager(paging, total, refreshButton(paging)),
  });
}

function row({ id, name, depth, devices, refreshIntervalMinutes, policies }: GroupRow): Mrkdwn {
  const indent = depth === 0 ? md`` : trusted(`${'\u2003'.repeat(Math.min(depth, DEEPEST) - 1)}\u2514 `);
  const scanned = refreshIntervalMinutes === null ? md`` : md` · scanned ${every(refreshIntervalMinutes)}`;
  const linked = policies === 0 ? md`no policies` : count(policies, 'policy', 'policies');
  return md`${indent}${strong(name)} · #${id} · ${count(devices, 'device')}${scanned} · ${linked}`;
}
