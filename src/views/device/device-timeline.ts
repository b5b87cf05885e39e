/**
 * The latest events of a device, and what Patchbay was asked to do with it, newest first. Each row has its own date,
 * drawn in the reader's time zone: a heading for each day would be wrong for readers in other zones.
 */

import { type Device, displayName, type FleetEvent } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import type { LinkedRequest } from '../models/records-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { deviceRequestText } from '../requests/device-requests.ts';
import { devicePageButtons } from './device-navigation.ts';
import { eventText, timed } from './event-list.ts';

export type TimelineView = {
  readonly kind: 'timeline';
  readonly device: Device;
  /** Newest first. */
  readonly rows: readonly (FleetEvent | LinkedRequest)[];
  /** Nothing older was read. */
  readonly since: Instant;
  readonly paging: Paging;
};

const BUDGET = 8_000;

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
