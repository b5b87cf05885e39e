/** Alerts as a list, who took one, and what a silence kept. */
import { HAPPENINGS } from '../../fleet/happenings.ts';
import { shownReason } from '../../fleet/script-output.ts';
import type { AlertRecord } from '../../store/records.ts';
import { reason } from '../approval.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { actions, context, lines, section } from '../kit/blocks.ts';
import { code, joined, literal, type Mrkdwn, md, strong, trusted } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { person } from '../kit/mentions.ts';
import { message } from '../kit/message.ts';
import { pager } from '../kit/pager.ts';
import { whenOr } from '../kit/when.ts';
import type { RenderedMessage, View } from '../model.ts';
import { count } from '../words.ts';
import { alertSubject, kindCount, scopeWords } from './alert-words.ts';
import { keptButton } from './subscriptions.ts';

type Of<K extends View['kind']> = Extract<View, { kind: K }>;

const BUDGET = 8_000;
/** Of a reason, in a list. */
const BRIEF = 200;

export function renderAlerts({ of, rows, paging }: Of<'alerts'>): RenderedMessage {
  const title = titleOf(of);
  const total = count(paging.total, 'alert');
  return message({
    text: md`${title}: ${total}.`,
    body: [
      section(md`*${title}*`),
      ...(rows.length === 0
        ? [section(md`There are none.`)]
        : lines(rows.map(row), {
            budget: BUDGET,
            more: (left) => md`${left} more on this page did not fit.`,
          })),
    ],
    end: pager(paging, total),
  });
}

function titleOf(of: Of<'alerts'>['of']): Mrkdwn {
  switch (of.kind) {
    case 'card':
      return md`Alerts of this card`;
    case 'silence':
      return md`Alerts that were kept by a silence`;
    case 'all':
      return of.days === 1 ? md`Alerts of the last day` : md`Alerts of the last ${of.days} days`;
  }
}

function row(alert: AlertRecord): Mrkdwn {
  const { eventId, kind, packages, happenedAt, acknowledgedBy } = alert;
  const names = packages.map(({ name, displayName }) => literal(displayName ?? name, SHOWN.label));
  const about = names.length === 0 ? md`` : md`: ${joined(names.slice(0, 3), ', ')}`;
  const why = briefReason(alert);
  const taken = acknowledgedBy === null ? md`` : md` · acknowledged by ${person(acknowledgedBy)}`;
  return md`#${eventId} · ${trusted(HAPPENINGS[kind].title)} · ${strong(alertSubject(alert))}${about}${why} · ${whenOr(happenedAt, 'at no stated time')}${taken}`;
}

function briefReason(alert: AlertRecord): Mrkdwn {
  const reason = shownReason(alert);
  if (reason !== null) return md`, ${code(reason, BRIEF)}`;
  return alert.exitCode === null ? md`` : md`, exit code ${alert.exitCode}`;
}

/** One line where the alerts would have been. */
export function renderSilenceOver({ silence, channel, kept }: Of<'silence-over'>): RenderedMessage {
  const alerts = kept.reduce((sum, one) => sum + one.alerts, 0);
  const counted = joined(
    kept.map((one) => kindCount(one.kind, one.alerts)),
    ', ',
  );
  const were = alerts === 1 ? md`was` : md`were`;
  const why = silence.reason === null || silence.reason === '' ? md`` : md` ${reason(silence.reason)}`;
  const said = md`${counted} ${were} silent: ${scopeWords(silence.scope)}, silenced by ${person(silence.createdBy)}.${why}`;
  return message({
    text: said,
    body: [section(said)],
    end: actions(keptButton({ ...silence, kept: alerts }, { channel })),
  });
}

export function renderTaken({ already, alert, alerts, devices, taken }: Of<'taken'>): RenderedMessage {
  const { acknowledgedBy, acknowledgedAt, deviceId, kind } = alert;
  const all = ofCard(kind, alerts, devices);
  const what =
    alerts === 1 ? md`the ${trusted(HAPPENINGS[kind].title)} alert of ${literal(alertSubject(alert))}` : all;
  const by = acknowledgedBy === null ? md`Somebody` : person(acknowledgedBy);
  const said = already
    ? md`${by} already acknowledged ${what} ${whenOr(acknowledgedAt, 'at no stated time')}.`
    : taken < alerts
      ? md`You acknowledged the other ${taken} of ${all}.`
      : md`You acknowledged ${what}.`;
  const later = alerts === 1 ? [] : [context(md`Alerts added to the card later are acknowledged, too.`)];
  return message({
    text: said,
    body: [section(said), ...later],
    end: deviceId === null || devices !== 1 ? [] : actions(deviceButton(deviceId)),
  });
}

/** Such as `12 patch failures on 12 devices`. */
function ofCard(kind: AlertRecord['kind'], alerts: number, devices: number): Mrkdwn {
  const what = kindCount(kind, alerts);
  return devices === 0 ? what : md`${what} on ${count(devices, 'device')}`;
}
