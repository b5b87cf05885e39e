import { eventKindOf, shownEventText } from '../../fleet/model/event-kinds.ts';
import { type Device, displayName, type FleetEvent } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { kindTitle } from '../alerts/alert-text.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import { type CsvTable, csvTable, utcTimestamp } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { LinkedRequest, Paging } from '../models/list-model.ts';
import { deviceRequestText } from '../requests/request-card.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import { deviceButton, devicePageButtons } from './device-buttons.ts';

export type EventsView = {
  readonly kind: 'events';
  /** Null: of the whole organization. */
  readonly device: Device | null;
  /** The filters as they would be typed. */
  readonly question: string;
  readonly rows: readonly FleetEvent[];
  /** Nothing older was looked at. */
  readonly since: Instant;
  /** Nothing newer was looked at; null: up to now. */
  readonly until: Instant | null;
  /** What the service counts in this time; more than the list holds where that is cut. Null: not asked for. */
  readonly counted: number | null;
  /** Events of the device from which Patchbay selected the rows; null: the service selected them. */
  readonly checked: number | null;
  readonly paging: Paging;
};

const BUDGET = 8_000;
const DETAIL = 240;

export function renderEventList(view: EventsView): RenderedMessage {
  const { device, rows, paging } = view;
  return buildMessage({
    text: md`Events ${deviceOrQuery(view)}: ${countNote(view)}.`,
    body: [
      device === null
        ? section(md`*Events* ${inlineCode(view.question, DISPLAY_LIMIT.sentence)}`)
        : section(deviceHeading(device, view.question)),
      ...rowBlocks(
        rows.map((event) => timed(event, eventText(event, device !== null))),
        { budget: BUDGET, more: moreOnPage, none: md`No events logged in this period.` },
      ),
    ],
    footer: pageButtons(paging, totalText(view), device === null ? null : deviceButton(device.id)),
  });
}

function deviceHeading(device: Device, question: string): Mrkdwn {
  const heading = boldHeading('Events for', displayName(device));
  return question === '' ? heading : md`${heading} ${inlineCode(question, DISPLAY_LIMIT.sentence)}`;
}

function deviceOrQuery({ device, question }: EventsView): Mrkdwn {
  return device === null
    ? inlineCode(question, DISPLAY_LIMIT.sentence)
    : md`for ${escapeMrkdwn(displayName(device))}`;
}

function countNote({ counted: number, paging }: EventsView): Mrkdwn {
  return countText(number ?? paging.total, 'event');
}

function totalText(view: EventsView): Mrkdwn {
  const { since, until, checked, paging } = view;
  const cut = view.counted !== null && view.counted > paging.total;
  const listed = cut ? md`, newest ${paging.total} listed` : md``;
  const period =
    until === null
      ? md`since ${relativeDate(since)}`
      : md`from ${relativeDate(since)} to ${relativeDate(until)}`;
  const all = checked === null ? md`` : md`, of ${checked} for this device`;
  return md`${countNote(view)} ${period}${all}${listed}`;
}

/** Puts the time of the event, where the service states one, before the words. */
function timed({ createTime }: FleetEvent, words: Mrkdwn): Mrkdwn {
  return createTime === null ? words : md`${relativeDate(createTime)} · ${words}`;
}

/** What happened, without its time. `ofDevice`: the list is about one device, so rows do not name it. */
export function eventText(event: FleetEvent, ofDevice: boolean): Mrkdwn {
  const kind = eventKindOf(event);
  // Event names that §6 does not list are shown unchanged.
  const name = kind === null ? inlineCode(event.name) : kindTitle(kind);
  const { failure, text, hidden } = shownEventText(event);
  const patches = event.patches.map((patch) => patch.displayName ?? patch.name);
  const parts = [
    ofDevice || event.deviceName === null ? null : escapeMrkdwn(event.deviceName),
    ofDevice || event.userId === null ? null : md`user #${event.userId}`,
    patches.length === 0 ? null : listMrkdwn(patches, 5),
    event.policyName === null || event.policyName === ''
      ? null
      : md`policy ${escapeMrkdwn(event.policyName)}`,
    event.scheduledTime === null ? null : md`scheduled for ${relativeDate(event.scheduledTime)}`,
    event.exitCode === null ? null : md`exit code ${event.exitCode}`,
    failure === null ? null : inlineCode(failure, DETAIL),
    text === null || text === failure ? null : inlineCode(text, DETAIL),
    hidden ? md`output in the management service’s console` : null,
  ].filter((part) => part !== null);
  const detail = parts.length === 0 ? md`` : md`: ${joinMrkdwn(parts, ' · ')}`;
  return md`${name}${detail}`;
}

export function eventsCsv(view: EventsView): CsvTable {
  return csvTable(view.rows, {
    id: (event) => event.id,
    time: (event) => utcTimestamp(event.createTime),
    event: (event) => eventKindOf(event) ?? event.name,
    'device id': (event) => event.deviceId,
    device: (event) => event.deviceName,
    'policy id': (event) => event.policyId,
    policy: (event) => event.policyName,
    patches: (event) => event.patches.map(({ name }) => name).join(' '),
    'scheduled for': (event) => utcTimestamp(event.scheduledTime),
    failure: (event) => shownEventText(event).failure,
    'exit code': (event) => event.exitCode,
  });
}

/** The latest events and requests of a device. Each row has its own date: a heading for each day would be wrong in other time zones. */
type TimelineView = {
  readonly kind: 'timeline';
  readonly device: Device;
  /** Newest first. */
  readonly rows: readonly (FleetEvent | LinkedRequest)[];
  /** Nothing older was read. */
  readonly since: Instant;
  readonly paging: Paging;
};

export function renderTimeline(view: TimelineView): RenderedMessage {
  const { device, rows, since, paging } = view;
  const name = displayName(device);
  const total = md`since ${relativeDate(since)}`;
  return buildMessage({
    text: md`Timeline for ${escapeMrkdwn(name)}: ${total}.`,
    body: [
      section(boldHeading('Timeline for', name)),
      ...rowBlocks(rows.map(timelineRow), {
        budget: BUDGET,
        more: moreOnPage,
        none: md`Nothing happened in this period.`,
      }),
    ],
    footer: [...pageButtons(paging, total), ...devicePageButtons(device.id, 'timeline')],
  });
}

function timelineRow(row: FleetEvent | LinkedRequest): Mrkdwn {
  if (!('request' in row)) return timed(row, eventText(row, true));
  return md`${relativeDate(row.request.createdAt)} · ${deviceRequestText(row)}`;
}

/** Who requested what, and why, is for people who may see the device. */
export function timelineForChannel(view: TimelineView): TimelineView {
  return { ...view, rows: view.rows.filter((row) => !('request' in row)) };
}
