/** How many devices do not comply with their policies, group by group. */
import { context, section } from './blocks.ts';
import { completeness } from './completeness.ts';
import { runButton } from './device-buttons.ts';
import { type Mrkdwn, md, strong } from './escape.ts';
import { message } from './message.ts';
import type { Block, RenderedMessage, View } from './model.ts';
import { pager } from './pager.ts';
import type { ComplianceRow } from './report-model.ts';
import { count } from './words.ts';

export function renderCompliance(view: Extract<View, { kind: 'compliance' }>): RenderedMessage {
  const { rows, devices, noncompliant, list, paging } = view;
  const sum = md`${noncompliant} of ${count(devices, 'device')} do not comply${unstated(view)}`;
  return message({
    text: md`Compliance: ${sum}.`,
    body: [
      section(md`*Compliance*\n${sum}.`),
      ...(rows.length === 0
        ? [section(md`No group has a device that is known not to comply.`)]
        : rows.map((one, at) => row(one, at))),
      ...(rows.length === 0
        ? []
        : [context(md`Each group is counted by itself; its list holds the groups below it, too.`)]),
      ...completeness(view, md`counted`).map((note) => context(note)),
    ],
    end: pager(
      paging,
      md`${count(paging.total, 'group')} with devices that do not comply`,
      noncompliant === 0 ? null : runButton({ action: 'devices', label: 'List all of them', ...list }),
    ),
  });
}

function row(one: ComplianceRow, at: number): Block {
  const button = one.list && runButton({ action: `devices:${at}`, label: 'List', ...one.list });
  return section(
    md`${strong(one.name)}\n${one.noncompliant} of ${count(one.devices, 'device')} do not comply${unstated(one)}`,
    button,
  );
}

/** Null is no “compliant”: the service did not say. */
function unstated({ unstated: number }: { readonly unstated: number }): Mrkdwn {
  return number === 0 ? md`` : md`, of ${number} it is not stated`;
}
