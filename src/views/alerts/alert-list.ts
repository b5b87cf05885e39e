/** The list of alerts, the answer to an acknowledgement, and the message at the end of a silence. */
import { shownStoredReason } from '../../fleet/model/event-kinds.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import type {
  AcknowledgeResult,
  AlertKind,
  AlertMember,
  MemberState,
  ShownAlert,
  SilenceRecord,
} from '../../store/port/alert-records.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { actions, context, rowBlocks, section } from '../kit/blocks.ts';
import { bold, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { RenderedMessage } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import { type CsvTable, csvTable, utcTimestamp } from '../kit/table.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import { countText } from '../text/common-text.ts';
import { endedText, reasonText } from './alert-card.ts';
import {
  alertAboutText,
  alertStateOf,
  alertSubjectText,
  alertTitle,
  andReason,
  eventKindCount,
  eventKindNoun,
  eventVerb,
  lateEventsNote,
  silenceScopeText,
} from './alert-text.ts';
import { activeSilenceBlocks, heldAlertsButton } from './subscription-list.ts';

/** At the end of a silence: the alerts that it held for one channel. */
export type EndedSilenceView = {
  readonly kind: 'silence-over';
  readonly silence: SilenceRecord;
  readonly channel: ChannelId;
  readonly kept: readonly { readonly kind: AlertKind; readonly alerts: number }[];
};

export type AlertListView = {
  readonly kind: 'alerts';
  readonly days: number;
  /** Null: alerts of any state. */
  readonly state: 'open' | 'fixed' | 'closed' | null;
  /** When the event log was last read; null: never. */
  readonly readAt: Instant | null;
  readonly silences: readonly SilenceRecord[];
  readonly rows: readonly ShownAlert[];
  readonly paging: Paging;
};

/** The members of an alert, or those that a silence held. */
export type MemberListView = {
  readonly kind: 'alert-members';
  readonly of: ShownAlert | 'silence';
  readonly rows: readonly AlertMember[];
  readonly paging: Paging;
};

export type AcknowledgedView = {
  readonly kind: 'acknowledged';
  readonly outcome: Exclude<AcknowledgeResult['kind'], 'absent'>;
  readonly alert: ShownAlert;
};

const BUDGET = 8_000;
/** Patches named in one row; the others are counted. */
const ROW_PATCHES = 3;

export function renderAlertList({
  days,
  state,
  readAt,
  silences,
  rows,
  paging,
}: AlertListView): RenderedMessage {
  const title = md`${state === null ? md`Alerts` : STATE_TITLES[state]} in the last ${days === 1 ? md`day` : md`${days} days`}`;
  const total = countText(paging.total, 'alert');
  return buildMessage({
    text: md`${title}: ${total}.`,
    body: [
      section(md`*${title}*`),
      ...activeSilenceBlocks(silences),
      ...rowBlocks(rows.map(alertRow), { budget: BUDGET, more: moreOnPage, none: md`No alerts.` }),
      ...lateEventsNote(readAt, paging.asOf),
    ],
    footer: pageButtons(paging, total),
  });
}

const STATE_TITLES = { open: md`Open alerts`, fixed: md`Fixed alerts`, closed: md`Closed alerts` } as const;

function alertRow(alert: ShownAlert): Mrkdwn {
  const { heldBy, number, failures, reasons, kind, firstAt, members, acknowledgedBy } = alert;
  const held =
    heldBy === null ? null : md`${trustedMrkdwn(SIGN.waiting)} held by silence #${heldBy}, not posted`;
  const [only, ...others] = reasons;
  const parts = [
    alertTitle(alert, ROW_PATCHES),
    held,
    only === undefined || others.length > 0 ? null : reasonText({ kind, ...only }),
    failures > 1 ? md`failed ${failures} times` : null,
    members > alert.devices && alert.devices > 0 ? eventKindCount(kind, members) : null,
    relativeDate(firstAt),
    acknowledgedBy === null ? null : md`acknowledged by ${mentionPerson(acknowledgedBy)}`,
    md`alert ${number}`,
  ].filter((part) => part !== null);
  return joinMrkdwn(parts, ' · ');
}

export function renderMemberList({ of, rows, paging }: MemberListView): RenderedMessage {
  const title = of === 'silence' ? md`Alerts held by a silence` : md`Alert ${of.number}`;
  const total = of === 'silence' ? countText(paging.total, 'alert') : eventKindCount(of.kind, paging.total);
  return buildMessage({
    text: md`${title}: ${total}.`,
    body: [
      section(of === 'silence' ? md`*${title}*` : md`*${title}*\n${alertTitle(of, ROW_PATCHES)}`),
      ...rowBlocks(rows.map(memberRow), { budget: BUDGET, more: moreOnPage, none: md`No alerts.` }),
    ],
    footer: pageButtons(paging, total),
  });
}

/** One device with one package: its state and evidence, how often it failed, and when. */
function memberRow(member: AlertMember): Mrkdwn {
  const { state, failures, failedAt, fixedAt, closedAt } = member;
  const endedAt = state === 'fixed' ? fixedAt : closedAt;
  const ended = state === 'fixed' || state === 'closed';
  const parts = [
    md`${MEMBER_SIGNS[state]}${bold(alertSubjectText(member))}${alertAboutText(member, ROW_PATCHES)}`,
    reasonText(member),
    failures > 1 ? md`failed ${failures} times` : null,
    failedAt === null ? null : md`${eventVerb(member.kind)} ${relativeDate(failedAt)}`,
    ended && endedAt !== null ? md`${endedText(member)} ${relativeDate(endedAt)}` : null,
  ].filter((part) => part !== null);
  return joinMrkdwn(parts, ' · ');
}

const MEMBER_SIGNS: Readonly<Record<MemberState, Mrkdwn>> = {
  open: md`${trustedMrkdwn(SIGN.failed)} `,
  fixed: md`${trustedMrkdwn(SIGN.good)} `,
  closed: md`${trustedMrkdwn(SIGN.ended)} `,
  noted: md``,
};

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
export function renderAcknowledged({ outcome, alert }: AcknowledgedView): RenderedMessage {
  const [first] = alert.shown;
  const sentence = acknowledgeAnswerText(outcome, alert);
  const later = md`Devices added to this alert later are acknowledged too.`;
  return buildMessage({
    text: sentence,
    body: [section(sentence), ...(outcome === 'acknowledged' ? [context(later)] : [])],
    footer:
      first?.deviceId === undefined || first.deviceId === null || alert.devices !== 1
        ? []
        : actions(deviceButton(first.deviceId)),
  });
}

function acknowledgeAnswerText(outcome: AcknowledgedView['outcome'], alert: ShownAlert): Mrkdwn {
  const { acknowledgedBy, acknowledgedAt, lastEnd } = alert;
  const what = alertPhrase(alert);
  switch (outcome) {
    case 'acknowledged':
      return md`You acknowledged ${what}.`;
    case 'noted':
      return md`Nothing to acknowledge: alert ${alert.number} only reports an event.`;
    case 'ended': {
      const at = lastEnd === null ? md`` : md` ${relativeDate(lastEnd)}`;
      return md`Nothing to acknowledge: ${what} ended${at}.`;
    }
    case 'already': {
      const by = acknowledgedBy === null ? md`Someone` : mentionPerson(acknowledgedBy);
      const at = acknowledgedAt === null ? md`` : md` ${relativeDate(acknowledgedAt)}`;
      return md`${by} already acknowledged ${what}${at}.`;
    }
  }
}

/** Such as `the web-01 alert (patch failure: openssl)`, or `12 patch failures on 12 devices`. */
function alertPhrase({ kind, shown: [first], packages, members, devices }: ShownAlert): Mrkdwn {
  if (first === undefined || devices > 1) {
    const what = eventKindCount(kind, members);
    return devices === 0 ? what : md`${what} on ${countText(devices, 'device')}`;
  }
  const about = alertAboutText({ ...first, packages }, ROW_PATCHES);
  return md`the ${escapeMrkdwn(alertSubjectText(first))} alert (${eventKindNoun(kind)}${about})`;
}

export function alertsCsv(view: AlertListView): CsvTable {
  return csvTable(view.rows, {
    alert: (alert) => alert.number,
    'first failed': (alert) => utcTimestamp(alert.firstAt),
    what: (alert) => alert.kind,
    state: (alert) => alertStateOf(alert),
    devices: (alert) => alert.devices,
    open: (alert) => alert.openDevices,
    fixed: (alert) => alert.fixedDevices,
    patches: (alert) => alert.packages.map(({ name }) => name).join(' '),
    'acknowledged by': (alert) => alert.acknowledgedBy,
    ended: (alert) => utcTimestamp(alert.endedAt),
  });
}

export function membersCsv(view: MemberListView): CsvTable {
  return csvTable(view.rows, {
    'event id': (member) => member.failedEvent,
    time: (member) => utcTimestamp(member.failedAt),
    what: (member) => member.kind,
    state: (member) => member.state,
    'device id': (member) => member.deviceId,
    device: (member) => member.deviceName,
    patches: (member) => member.packages.map(({ name }) => name).join(' '),
    reason: shownStoredReason,
    'exit code': (member) => member.exitCode,
    failures: (member) => member.failures,
    fixed: (member) => utcTimestamp(member.fixedAt),
  });
}
