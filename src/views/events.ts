/** What happened to a device, newest first. */
import { happeningOf } from '../fleet/happenings.ts';
import { displayName, type FleetEvent } from '../fleet/model.ts';
import { shownWords } from '../fleet/script-output.ts';
import { kindTitle } from './alerts/alert-words.ts';
import { deviceButton } from './device/device-buttons.ts';
import { lines, section } from './kit/blocks.ts';
import { code, heading, joined, literal, type Mrkdwn, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { message } from './kit/message.ts';
import { pager } from './kit/pager.ts';
import { when } from './kit/when.ts';
import type { RenderedMessage, View } from './model.ts';
import { count, listed } from './words.ts';

const BUDGET = 8_000;
const DETAIL = 240;

type EventsView = Extract<View, { kind: 'events' }>;

export function renderEvents(view: EventsView): RenderedMessage {
  const { device, rows, paging } = view;
  const more = (left: number) => md`${left} more on this page didn’t fit.`;
  return message({
    text: md`Events ${whose(view)}: ${counted(view)}.`,
    body: [
      device === null
        ? section(md`*Events* ${code(view.question, SHOWN.sentence)}`)
        : section(heading('Events for', displayName(device))),
      ...(rows.length === 0
        ? [section(md`No events logged in this period.`)]
        : lines(
            rows.map((event) => row(event, device !== null)),
            { budget: BUDGET, more },
          )),
    ],
    end: pager(paging, total(view), device === null ? null : deviceButton(device.id)),
  });
}

function whose({ device, question }: EventsView): Mrkdwn {
  return device === null ? code(question, SHOWN.sentence) : md`for ${literal(displayName(device))}`;
}

function counted({ counted: number, paging }: EventsView): Mrkdwn {
  return count(number ?? paging.total, 'event');
}

function total(view: EventsView): Mrkdwn {
  const { since, paging } = view;
  const cut = view.counted !== null && view.counted > paging.total;
  const listed = cut ? md`, newest ${paging.total} listed` : md``;
  return md`${counted(view)} since ${when(since)}${listed}`;
}

function row(event: FleetEvent, ofDevice: boolean): Mrkdwn {
  return timed(event, eventWords(event, ofDevice));
}

/** Behind the time of the event, as far as the service states one. */
export function timed({ createTime }: FleetEvent, words: Mrkdwn): Mrkdwn {
  return createTime === null ? words : md`${when(createTime)} · ${words}`;
}

/** What happened, without its time; `ofDevice`: the reader knows of which device. */
export function eventWords(event: FleetEvent, ofDevice: boolean): Mrkdwn {
  const kind = happeningOf(event);
  // A name that is newer than §6 is shown as it came.
  const name = kind === null ? code(event.name) : kindTitle(kind);
  const { failure, text, hidden } = shownWords(event);
  const patches = event.patches.map((patch) => patch.displayName ?? patch.name);
  const parts = [
    ofDevice || event.deviceName === null ? null : literal(event.deviceName),
    ofDevice || event.userId === null ? null : md`user #${event.userId}`,
    patches.length === 0 ? null : listed(patches, 5),
    event.policyName === null || event.policyName === '' ? null : md`policy ${literal(event.policyName)}`,
    event.exitCode === null ? null : md`exit code ${event.exitCode}`,
    failure === null ? null : code(failure, DETAIL),
    text === null || text === failure ? null : code(text, DETAIL),
    hidden ? md`output in the management service’s console` : null,
  ].filter((part) => part !== null);
  const detail = parts.length === 0 ? md`` : md`: ${joined(parts, ' · ')}`;
  return md`${name}${detail}`;
}
