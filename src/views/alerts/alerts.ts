/** Alerts as a list, who acknowledged one, and what a silence held. */
import { shownReason } from '../../fleet/script-output.ts';
import type { AlertRecord } from '../../store/records.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { actions, context, lines, section } from '../kit/blocks.ts';
import { code, joined, literal, type Mrkdwn, md } from '../kit/escape.ts';
import { person } from '../kit/mentions.ts';
import { message } from '../kit/message.ts';
import { pager } from '../kit/pager.ts';
import { when } from '../kit/when.ts';
import type { RenderedMessage, View } from '../model.ts';
import { count } from '../words.ts';
import { alertSubject, alertTitle, andReason, kindCount, scopeWords } from './alert-words.ts';
import { keptButton } from './subscriptions.ts';

type Of<K extends View['kind']> = Extract<View, { kind: K }>;

const BUDGET = 8_000;
/** Of a reason, in a list. */
const BRIEF = 200;
/** Patches by name, in a list. */
const ROW_PATCHES = 3;

export function renderAlerts({ of, rows, paging }: Of<'alerts'>): RenderedMessage {
  const title = titleOf(of);
  const total = count(paging.total, 'alert');
  return message({
    text: md`${title}: ${total}.`,
    body: [
      section(md`*${title}*`),
      ...(rows.length === 0
        ? [section(md`No alerts.`)]
        : lines(rows.map(row), {
            budget: BUDGET,
            more: (left) => md`${left} more on this page didn’t fit.`,
          })),
    ],
    end: pager(paging, total),
  });
}

function titleOf(of: Of<'alerts'>['of']): Mrkdwn {
  switch (of.kind) {
    case 'card':
      return md`Alerts on this card`;
    case 'silence':
      return md`Alerts held by a silence`;
    case 'all':
      return of.days === 1 ? md`Alerts in the last day` : md`Alerts in the last ${of.days} days`;
  }
}

function row(alert: AlertRecord): Mrkdwn {
  const { eventId, happenedAt, acknowledgedBy } = alert;
  const parts = [
    alertTitle(alert, ROW_PATCHES),
    briefReason(alert),
    happenedAt === null ? null : when(happenedAt),
    acknowledgedBy === null ? null : md`acknowledged by ${person(acknowledgedBy)}`,
    md`#${eventId}`,
  ].filter((part) => part !== null);
  return joined(parts, ' · ');
}

function briefReason(alert: AlertRecord): Mrkdwn | null {
  const reason = shownReason(alert);
  if (reason !== null) return code(reason, BRIEF);
  return alert.exitCode === null ? null : md`exit code ${alert.exitCode}`;
}

/** One message where the alerts would have been. */
export function renderSilenceOver({ silence, channel, kept }: Of<'silence-over'>): RenderedMessage {
  const alerts = kept.reduce((sum, one) => sum + one.alerts, 0);
  const counted = joined(
    kept.map((one) => kindCount(one.kind, one.alerts)),
    ', ',
  );
  const said = md`Silence ${silence.number} ended. It held ${counted} here.`;
  const by = md`Silenced by ${person(silence.createdBy)}: ${scopeWords(silence.scope)}.${andReason(silence.reason)}`;
  return message({
    text: said,
    body: [section(said), context(by)],
    end: actions(keptButton({ ...silence, kept: alerts }, { channel })),
  });
}

export function renderTaken(view: Of<'taken'>): RenderedMessage {
  const { alert, alerts, devices } = view;
  const said = takenWords(view);
  const about =
    alerts === 1 ? alertTitle(alert, ROW_PATCHES) : md`Alerts added to this card later are acknowledged too.`;
  return message({
    text: said,
    body: [section(said), context(about)],
    end: alert.deviceId === null || devices !== 1 ? [] : actions(deviceButton(alert.deviceId)),
  });
}

function takenWords({ already, alert, alerts, devices, taken }: Of<'taken'>): Mrkdwn {
  const { acknowledgedBy, acknowledgedAt, kind } = alert;
  const all = ofCard(kind, alerts, devices);
  const what = alerts === 1 ? md`the ${literal(alertSubject(alert))} alert` : all;
  if (!already)
    return taken < alerts
      ? md`You acknowledged the other ${taken} of ${all}.`
      : md`You acknowledged ${what}.`;
  const by = acknowledgedBy === null ? md`Someone` : person(acknowledgedBy);
  return acknowledgedAt === null
    ? md`${by} already acknowledged ${what}.`
    : md`${by} already acknowledged ${what} ${when(acknowledgedAt)}.`;
}

/** Such as `12 patch failures on 12 devices`. */
function ofCard(kind: AlertRecord['kind'], alerts: number, devices: number): Mrkdwn {
  const what = kindCount(kind, alerts);
  return devices === 0 ? what : md`${what} on ${count(devices, 'device')}`;
}
