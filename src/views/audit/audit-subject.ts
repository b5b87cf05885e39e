/** What an audit entry is about, with the names of devices, groups and policies, and what an edit changed. */
import { instant } from '../../lib/clock.ts';
import { channelId, personId } from '../../lib/ids.ts';
import type { AuditEntry } from '../../store/port/records.ts';
import { escapeMrkdwn, escapeValue, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionChannel, mentionPerson } from '../kit/mentions.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { AuditNames } from '../models/records-model.ts';
import { auditFieldText, auditValueText, commandNoun } from './audit-text.ts';

export type AuditDetail = AuditEntry['detail'];

/** More are only counted. The CSV file has all, and each gets a line of its own once its command is sent. */
const MAX_DEVICES = 20;

/** Such as `an edit (tags) of web-01 (#4001)`. `device`: the one device that the entry is about, or null. */
export function actionText(
  article: 'a' | 'the',
  order: AuditDetail | null,
  device: AuditDetail[string],
  names: AuditNames,
): Mrkdwn {
  const subject = actionSubject(order, device, names);
  const command = order?.['command'] ?? null;
  if (order === null || command === null)
    return subject === null ? md`the command` : md`the command for ${subject}`;
  const noun = fillTemplate(commandNoun(String(command)), (name) =>
    detailValueText(name, order[name] ?? null, names),
  );
  const first = article === 'a' && /^[aeiou]/.test(noun) ? 'an' : article;
  const severities = order['severities'] ?? null;
  const chosen =
    severities === null
      ? md``
      : md` chosen by severity (${escapeMrkdwn(String(severities).split(' ').join(' or '))})`;
  return md`${trustedMrkdwn(first)} ${noun} ${subject ?? md`a device`}${chosen}`;
}

function actionSubject(
  order: AuditDetail | null,
  device: AuditDetail[string],
  names: AuditNames,
): Mrkdwn | null {
  if (device !== null) return detailValueText('device', device, names);
  const devices = order?.['devices'] ?? '';
  if (devices !== '') return detailValueText('devices', devices, names);
  const group = order?.['group'] ?? null;
  return group === null ? null : md`the group ${detailValueText('group', group, names)}`;
}

/** The template without the parts in `[…]` whose detail `has` does not know. */
export function chooseParts(template: string, has: (name: string) => boolean): string {
  return template.replaceAll(/\[([^\]|]*)(?:\|([^\]]*))?\]/g, (_, part: string, otherwise = '') => {
    const [, name = ''] = /\{(\w+)\}/.exec(part) ?? [];
    return has(name) ? part : String(otherwise);
  });
}

/** The template with each `{name}` in words. */
export function fillTemplate(template: string, words: (name: string) => Mrkdwn): Mrkdwn {
  const parts = template.split(/\{(\w+)\}/);
  return joinMrkdwn(
    parts.map((part, at) => (at % 2 === 0 ? trustedMrkdwn(part) : words(part))),
    '',
  );
}

/** A detail for people: items with name and ID, times as dates, channels and people as mentions. */
export function detailValueText(name: string, value: AuditDetail[string], names: AuditNames): Mrkdwn {
  const text = String(value ?? 'unknown');
  switch (name) {
    case 'device':
      return nameOrNumber(text, names.devices);
    case 'devices':
      return namesText(text.split(' ').map((id) => nameOrNumber(id, names.devices)));
    case 'group':
      return nameOrNumber(text, names.groups);
    case 'policy':
      return nameOrNumber(text, names.policies, 'policy ');
    case 'channel':
      // Slack shows no name for a direct message.
      return text.startsWith('D') ? md`direct messages` : mentionChannel(channelId(text));
    case 'person':
      return /^[UW]/.test(text) ? mentionPerson(personId(text)) : mentionChannel(channelId(text));
    default:
      return name === 'until' && typeof value === 'number'
        ? relativeDate(instant(value))
        : auditValueText(name, text);
  }
}

/** `web-01 (#4001)`. An unknown ID stays a number, and what is not a number is shown as it is. */
function nameOrNumber(id: string, names: ReadonlyMap<number, string>, sign: '#' | 'policy ' = '#'): Mrkdwn {
  if (!/^\d+$/.test(id)) return escapeMrkdwn(id);
  const name = names.get(Number(id));
  const number = trustedMrkdwn(`${sign}${id}`);
  return name === undefined ? number : md`${escapeValue(name)} (${number})`;
}

function namesText(items: readonly Mrkdwn[]): Mrkdwn {
  const left = items.length - MAX_DEVICES;
  return left > 0
    ? md`${joinMrkdwn(items.slice(0, MAX_DEVICES), ', ')} and ${left} more devices (named in the CSV file)`
    : joinWithAnd(items);
}

/** `a, b and c`. */
export function joinWithAnd(items: readonly Mrkdwn[]): Mrkdwn {
  const last = items.at(-1);
  if (last === undefined || items.length === 1) return last ?? md``;
  return md`${joinMrkdwn(items.slice(0, -1), ', ')} and ${last}`;
}

/** What an edit changed, as the audit keeps it: `FIELD.before`, `FIELD.after`, `tags.added` and `tags.removed`. */
const KEY = /^(\w+)\.(before|after|added|removed)$/;

export function isChange(name: string): boolean {
  return KEY.test(name);
}

export function hasChanges(detail: AuditDetail): boolean {
  return Object.keys(detail).some(isChange);
}

/** ` Group: Linux servers (#3) → Databases (#4); tags: blue added.`, or nothing. */
export function changesText(detail: AuditDetail): Mrkdwn {
  const fields = [...new Set(Object.keys(detail).flatMap((name) => KEY.exec(name)?.[1] ?? []))];
  const parts = fields.flatMap((field) => fieldChange(field, detail) ?? []);
  return parts.length === 0 ? md`` : md` Changes: ${joinMrkdwn(parts, '; ')}.`;
}

function fieldChange(field: string, detail: AuditDetail): Mrkdwn | null {
  const of = (part: string): Mrkdwn | null => {
    const value = detail[`${field}.${part}`] ?? null;
    return value === null ? null : escapeMrkdwn(String(value), DISPLAY_LIMIT.label);
  };
  const [before, after, added, removed] = [of('before'), of('after'), of('added'), of('removed')];
  const changeWords = beforeAfterText(before, after) ?? addedRemovedText(added, removed);
  return changeWords === null ? null : md`${trustedMrkdwn(auditFieldText(field))} ${changeWords}`;
}

function beforeAfterText(before: Mrkdwn | null, after: Mrkdwn | null): Mrkdwn | null {
  if (after === null) return null;
  return before === null ? md`→ ${after}` : md`${before} → ${after}`;
}

function addedRemovedText(added: Mrkdwn | null, removed: Mrkdwn | null): Mrkdwn | null {
  const parts = [
    ...(added === null ? [] : [md`${added} added`]),
    ...(removed === null ? [] : [md`${removed} removed`]),
  ];
  return parts.length === 0 ? null : joinMrkdwn(parts, ', ');
}
