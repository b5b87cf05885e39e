/** Alerts as a list, who took one, and what a silence kept. */
import { HAPPENINGS } from '../../fleet/happenings.ts';
import type { AlertRecord } from '../../store/records.ts';
import { deviceButton } from '../device/device-buttons.ts';
import { actions, lines, section } from '../kit/blocks.ts';
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
  const { eventId, kind, packages, reason, happenedAt, acknowledgedBy } = alert;
  const names = packages.map(({ name, displayName }) => literal(displayName ?? name, SHOWN.label));
  const about = names.length === 0 ? md`` : md`: ${joined(names.slice(0, 3), ', ')}`;
  const why = reason === null || reason === '' ? md`` : md`, ${code(reason, BRIEF)}`;
  const taken = acknowledgedBy === null ? md`` : md` · taken by ${person(acknowledgedBy)}`;
  return md`#${eventId} · ${trusted(HAPPENINGS[kind].one)} · ${strong(alertSubject(alert))}${about}${why} · ${whenOr(happenedAt, 'at no stated time')}${taken}`;
}

/** One line where the alerts would have been. */
export function renderSilenceOver({ silence, channel, kept }: Of<'silence-over'>): RenderedMessage {
  const alerts = kept.reduce((sum, one) => sum + one.alerts, 0);
  const counted = joined(
    kept.map((one) => kindCount(one.kind, one.alerts)),
    ', ',
  );
  const were = alerts === 1 ? md`was` : md`were`;
  const said = md`${counted} ${were} silent: ${scopeWords(silence.scope)}, silenced by ${person(silence.createdBy)}.`;
  return message({
    text: said,
    body: [section(said)],
    end: actions(keptButton({ ...silence, kept: alerts }, { channel })),
  });
}

export function renderTaken({ already, alert }: Of<'taken'>): RenderedMessage {
  const { acknowledgedBy, acknowledgedAt, deviceId } = alert;
  const what = md`${trusted(HAPPENINGS[alert.kind].one)} of ${literal(alertSubject(alert))}`;
  const by =
    acknowledgedBy === null
      ? md`somebody`
      : md`${person(acknowledgedBy)} ${whenOr(acknowledgedAt, 'at no stated time')}`;
  const said = already
    ? md`The ${what} was taken before, by ${by}. Nothing was changed.`
    : md`The ${what} is yours. Its card says so to all.`;
  return message({
    text: said,
    body: [section(said)],
    end: deviceId === null ? [] : actions(deviceButton(deviceId)),
  });
}
