/**
 * The latest events of a device, newest first. Each row has its own date, drawn in the reader's time zone: a heading for
 * each day would be wrong for readers in other zones.
 */

import { type Device, displayName, type FleetEvent } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, md } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { countText } from '../text/common-text.ts';
import { devicePageButtons } from './device-navigation.ts';
import { eventText, timed } from './event-list.ts';

export type TimelineView = {
  readonly kind: 'timeline';
  readonly device: Device;
  /** Newest first. */
  readonly rows: readonly FleetEvent[];
  /** Older events were not read. */
  readonly since: Instant;
  readonly paging: Paging;
};

const BUDGET = 8_000;

/** One page of the timeline. */
export function renderTimeline(view: TimelineView): RenderedMessage {
  const { device, rows, since, paging } = view;
  const name = displayName(device);
  const total = md`${countText(paging.total, 'event')} since ${relativeDate(since)}`;
  return buildMessage({
    text: md`Timeline for ${escapeMrkdwn(name)}: ${total}.`,
    body: [
      section(boldHeading('Timeline for', name)),
      ...rowBlocks(
        rows.map((event) => timed(event, eventText(event, true))),
        { budget: BUDGET, more: moreOnPage, none: md`No events logged in this period.` },
      ),
    ],
    footer: [...pageButtons(paging, total), ...devicePageButtons(device.id, 'timeline')],
  });
}
