/**
 * What happened to a device lately, the newest first. Each row has its day as its reader’s own clock has it: a heading
 * for a day would be wrong for somebody, because several read it in a channel.
 */
import { PATCH_APPLIED, PATCH_FAILED } from '../fleet/event-names.ts';
import { displayName, type FleetEvent } from '../fleet/model.ts';
import { deviceNav } from './device/device-nav.ts';
import { eventWords } from './events.ts';
import { lines, section } from './kit/blocks.ts';
import { heading, literal, type Mrkdwn, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { when, whenOr } from './kit/when.ts';
import type { RenderedMessage } from './model.ts';
import type { DevicePageView } from './models/device-model.ts';
import { count } from './words.ts';

const BUDGET = 8_000;

export function renderTimeline(view: Extract<DevicePageView, { kind: 'timeline' }>): RenderedMessage {
  const { device, rows, since, paging } = view;
  const name = displayName(device);
  const total = md`${count(paging.total, 'event')} since ${when(since)}`;
  const more = (left: number) => md`${left} more on this page did not fit.`;
  return message({
    text: md`Timeline of ${literal(name)}: ${total}.`,
    body: [
      section(heading('Timeline of', name)),
      ...(rows.length === 0
        ? [section(md`Nothing happened in this time, as far as the service tells.`)]
        : lines(rows.map(row), { budget: BUDGET, more })),
    ],
    end: [...pager(paging, total), ...deviceNav(device.id, 'timeline')],
  });
}

function row(event: FleetEvent): Mrkdwn {
  return md`${mark(event)} ${whenOr(event.createTime, 'At no stated time')} · ${eventWords(event, true)}`;
}

/** Only for what went well or badly; the words say it too. */
function mark({ name, exitCode }: FleetEvent): Mrkdwn {
  if (name === PATCH_FAILED || (exitCode !== null && exitCode !== 0)) return md`✗`;
  return name === PATCH_APPLIED || exitCode === 0 ? md`✓` : md`·`;
}
