/** What happened to a device lately, day by day, the newest first. */
import { DAY, type Instant, instant } from '../clock.ts';
import { PATCH_APPLIED, PATCH_FAILED } from '../fleet/event-names.ts';
import { displayName, type FleetEvent } from '../fleet/model.ts';
import { lines, section } from './blocks.ts';
import type { DevicePageView } from './device-model.ts';
import { deviceNav } from './device-nav.ts';
import { heading, literal, type Mrkdwn, md, trusted } from './escape.ts';
import { eventWords } from './events.ts';
import { message } from './message.ts';
import type { RenderedMessage } from './model.ts';
import { pager } from './pager.ts';
import { day, when, whenOr } from './when.ts';
import { count } from './words.ts';

const BUDGET = 8_000;

export function renderTimeline(view: Extract<DevicePageView, { kind: 'timeline' }>): RenderedMessage {
  const { device, rows, since, paging } = view;
  const name = displayName(device);
  const total = md`${count(paging.total, 'event')} since ${when(since)}`;
  // A title stays with the first event of its day.
  const days = [...Map.groupBy(rows, dayOf)].flatMap(([at, events]) =>
    events.map((event, place) => (place === 0 ? md`${dayTitle(at)}\n${row(event)}` : row(event))),
  );
  const more = (left: number) => md`${left} more on this page did not fit.`;
  return message({
    text: md`Timeline of ${literal(name)}: ${total}.`,
    body: [
      section(heading('Timeline of', name)),
      ...(rows.length === 0
        ? [section(md`Nothing happened in this time, as far as the service tells.`)]
        : lines(days, { budget: BUDGET, more })),
    ],
    end: [...pager(paging, total), ...deviceNav(device.id, 'timeline')],
  });
}

/** Days are UTC’s: what is read has to be the same for everybody in a channel. */
function dayOf({ createTime }: FleetEvent): Instant | null {
  return createTime === null ? null : instant(Math.floor(createTime / DAY) * DAY);
}

function dayTitle(at: Instant | null): Mrkdwn {
  return at === null ? md`*At no stated time*` : md`*${trusted(day(at))}*`;
}

function row(event: FleetEvent): Mrkdwn {
  return md`${mark(event)} ${whenOr(event.createTime, 'Then')} · ${eventWords(event, true)}`;
}

/** Only for what went well or badly; the words say it too. */
function mark({ name, exitCode }: FleetEvent): Mrkdwn {
  if (name === PATCH_FAILED || (exitCode !== null && exitCode !== 0)) return md`✗`;
  return name === PATCH_APPLIED || exitCode === 0 ? md`✓` : md`·`;
}
