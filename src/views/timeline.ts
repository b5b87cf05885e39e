/**
 * What happened to a device lately, the newest first. Each row has its day as its reader’s own clock has it: a heading
 * for a day would be wrong for somebody, because several read it in a channel.
 */
import { displayName } from '../fleet/model.ts';
import { deviceNav } from './device/device-nav.ts';
import { eventWords, timed } from './events.ts';
import { lines, section } from './kit/blocks.ts';
import { heading, literal, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage } from './model.ts';
import type { DevicePageView } from './models/device-model.ts';
import { count } from './words.ts';

const BUDGET = 8_000;

export function renderTimeline(view: Extract<DevicePageView, { kind: 'timeline' }>): RenderedMessage {
  const { device, rows, since, paging } = view;
  const name = displayName(device);
  const total = md`${count(paging.total, 'event')} since ${when(since)}`;
  const more = (left: number) => md`${left} more on this page didn’t fit.`;
  return message({
    text: md`Timeline for ${literal(name)}: ${total}.`,
    body: [
      section(heading('Timeline for', name)),
      ...(rows.length === 0
        ? [section(md`No events logged in this period.`)]
        : lines(
            rows.map((event) => timed(event, eventWords(event, true))),
            { budget: BUDGET, more },
          )),
    ],
    end: [...pager(paging, total), ...deviceNav(device.id, 'timeline')],
  });
}
