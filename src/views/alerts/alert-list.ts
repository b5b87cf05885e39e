/** The list of alerts, the answer to an acknowledgement, and the message at the end of a silence. */
import { shownStoredReason } from '../../fleet/model/event-kinds.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type { AlertKind, AlertRecord, ShownAlert, SilenceRecord } from '../../store/port/alert-records.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { actions, context, rowBlocks, section } from '../kit/blocks.ts';
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { RenderedMessage } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import { type CsvTable, csvTable, utcTimestamp } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import { countText } from '../text/common-text.ts';
import {
  alertAboutText,
  alertSubjectText,
  alertTitle,
  andReason,
  eventKindCount,
  eventKindNoun,
  lateEventsNote,
  silenceScopeText,
  stormTitle,
} from './alert-text.ts';
import { activeSilenceBlocks, heldAlertsButton } from './subscription-list.ts';

/** At the end of a silence: the alerts that it held for one channel. */
export type EndedSilenceView = {
  readonly kind: 'silence-over';
  readonly silence: SilenceRecord;
  readonly channel: ChannelId;
  readonly kept: readonly { readonly kind: AlertKind; readonly alerts: number }[];
};

type Silenced = { readonly silences: readonly SilenceRecord[] };
export type AlertListView = {
  readonly kind: 'alerts';
  readonly of:
    | { readonly kind: 'card' | 'silence' }
    /** `readAt`: when the event log was last read; null: never. */
    | ({ readonly kind: 'all'; readonly days: number; readonly readAt: Instant | null } & Silenced);
  readonly rows: readonly ShownAlert[];
  readonly paging: Paging;
};

export type AcknowledgedView = {
  readonly kind: 'acknowledged';
  readonly already: boolean;
  readonly alert: AlertRecord;
  /** All alerts on its cards; `taken` is how many of them were acknowledged now. */
  readonly alerts: number;
  readonly devices: number;
  readonly taken: number;
};

const BUDGET = 8_000;
const MAX_REASON_LENGTH = 200;

/** Patches named in one row; the others are counted. */
const ROW_PATCHES = 3;

export function renderAlertList({ of, rows, paging }: AlertListView): RenderedMessage {
  const title = listTitle(of);
  const total = countText(paging.total, 'alert');
  return buildMessage({
    text: md`${title}: ${total}.`,
    body: [
      section(md`*${title}*`),
      ...(of.kind === 'all' ? activeSilenceBlocks(of.silences) : []),
      ...rowBlocks(rows.map(alertRow), { budget: BUDGET, more: moreOnPage, none: md`No alerts.` }),
      ...(of.kind === 'all' ? lateEventsNote(of.readAt, paging.asOf) : []),
    ],
    footer: pageButtons(paging, total),
  });
}

function listTitle(of: AlertListView['of']): Mrkdwn {
  switch (of.kind) {
    case 'card':
      return md`Alerts on this card`;
    case 'silence':
      return md`Alerts held by a silence`;
    case 'all':
      return of.days === 1 ? md`Alerts in the last day` : md`Alerts in the last ${of.days} days`;
  }
}

function alertRow(alert: ShownAlert): Mrkdwn {
  const { eventId, happenedAt, storm, heldBy, kind } = alert;
  const held =
    heldBy === undefined ? null : md`${trustedMrkdwn(SIGN.waiting)} held by silence #${heldBy}, not posted`;
  // Alike in their kind only, so that nothing else of the first is said of all.
  if (held !== null && storm !== undefined)
    return md`*${cardSummary(kind, storm.alerts, storm.devices)}* · ${held}`;
  const parts = [
    storm === undefined ? alertTitle(alert, ROW_PATCHES) : stormTitle(alert, storm.devices, ROW_PATCHES),
    held,
    briefReason(alert),
    happenedAt === null ? null : relativeDate(happenedAt),
    acknowledgedText(alert),
    md`alert ${eventId}`,
  ].filter((part) => part !== null);
  return joinMrkdwn(parts, ' · ');
}

function acknowledgedText({ acknowledgedBy, storm }: ShownAlert): Mrkdwn | null {
  if (storm !== undefined && storm.acknowledged > 0 && storm.acknowledged < storm.alerts)
    return md`${storm.acknowledged} of ${storm.alerts} acknowledged`;
  return acknowledgedBy === null ? null : md`acknowledged by ${mentionPerson(acknowledgedBy)}`;
}

function briefReason(alert: AlertRecord): Mrkdwn | null {
  const reason = shownStoredReason(alert);
  if (reason !== null) return inlineCode(reason, MAX_REASON_LENGTH);
  return alert.exitCode === null ? null : md`exit code ${alert.exitCode}`;
}

/** Posted when a silence ends, to each channel for which it held alerts. */
export function renderEndedSilence({ silence, channel, kept }: EndedSilenceView): RenderedMessage {
  const alerts = kept.reduce((sum, one) => sum + one.alerts, 0);
  const counted = joinMrkdwn(
    kept.map((one) => eventKindCount(one.kind, one.alerts)),
    ', ',
  );
  const sentence = md`${trustedMrkdwn(SIGN.ended)} *Silence ended.* It held ${counted} here.`;
  const by = md`${mentionPerson(silence.createdBy)} silenced ${silenceScopeText(silence.scope)}, in every channel.${andReason(silence.reason)}`;
  return buildMessage({
    text: sentence,
    body: [section(sentence), context(by)],
    footer: actions(heldAlertsButton({ ...silence, kept: alerts }, { channel })),
  });
}

/** The private answer to an acknowledgement. It names the alert, because its number may have been typed. */
export function renderAcknowledged(view: AcknowledgedView): RenderedMessage {
  const { alert, alerts, devices } = view;
  const sentence = acknowledgeAnswerText(view);
  const later = md`Alerts added to this card later are acknowledged too.`;
  return buildMessage({
    text: sentence,
    body: [section(sentence), ...(alerts === 1 ? [] : [context(later)])],
    footer: alert.deviceId === null || devices !== 1 ? [] : actions(deviceButton(alert.deviceId)),
  });
}

function acknowledgeAnswerText({ already, alert, alerts, devices, taken }: AcknowledgedView): Mrkdwn {
  const { acknowledgedBy, acknowledgedAt, kind } = alert;
  const all = cardSummary(kind, alerts, devices);
  const what = alerts === 1 ? oneAlertText(alert) : all;
  if (!already)
    return taken < alerts
      ? md`You acknowledged the other ${taken} of ${all}.`
      : md`You acknowledged ${what}.`;
  const by = acknowledgedBy === null ? md`Someone` : mentionPerson(acknowledgedBy);
  const at = acknowledgedAt === null ? md`` : md` ${relativeDate(acknowledgedAt)}`;
  return md`${by} already acknowledged ${what}${at}.`;
}

/** Such as `the web-01 alert (patch failure: openssl)`. */
function oneAlertText(alert: AlertRecord): Mrkdwn {
  const kind = eventKindNoun(alert.kind);
  return md`the ${escapeMrkdwn(alertSubjectText(alert))} alert (${kind}${alertAboutText(alert, ROW_PATCHES)})`;
}

/** Such as `12 patch failures on 12 devices`. */
function cardSummary(kind: AlertRecord['kind'], alerts: number, devices: number): Mrkdwn {
  const what = eventKindCount(kind, alerts);
  return devices === 0 ? what : md`${what} on ${countText(devices, 'device')}`;
}

export function alertsCsv(view: AlertListView): CsvTable {
  return csvTable(view.rows, {
    'event id': (alert) => alert.eventId,
    time: (alert) => utcTimestamp(alert.happenedAt),
    what: (alert) => alert.kind,
    'device id': (alert) => alert.deviceId,
    device: (alert) => alert.deviceName,
    patches: (alert) => alert.packages.map(({ name }) => name).join(' '),
    reason: shownStoredReason,
    'exit code': (alert) => alert.exitCode,
    'acknowledged by': (alert) => alert.acknowledgedBy,
  });
}
