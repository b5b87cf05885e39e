/** What an entry of the audit is about, by the names that people know. */
import { instant } from '../clock.ts';
import { channelId } from '../ids.ts';
import type { AuditEntry } from '../store/records.ts';
import { orderNoun, valueWords } from './audit-words.ts';
import { joined, literal, type Mrkdwn, md, trusted } from './kit/escape.ts';
import { channel } from './kit/mentions.ts';
import { sentence } from './kit/sentence.ts';
import { when } from './kit/when.ts';
import type { AuditNames } from './model.ts';

export type Detail = AuditEntry['detail'];

const DETAIL = 240;
/** The file has all; each has a line of its own once the command is sent. */
const MOST_DEVICES = 20;

/** `an edit (tags) of web-01 (#4001)`; `device`: the one alone that the entry is about. */
export function orderWords(
  article: 'a' | 'the',
  order: Detail | null,
  device: Detail[string],
  names: AuditNames,
): Mrkdwn {
  const subject = subjectWords(order, device, names);
  const command = order?.['command'] ?? null;
  if (order === null || command === null)
    return subject === null ? md`the command` : md`the command for ${subject}`;
  const noun = filled(orderNoun(String(command)), (name) => detailWords(name, order[name] ?? null, names));
  const first = article === 'a' && /^[aeiou]/.test(noun) ? 'an' : article;
  const severities = order['severities'] ?? null;
  const chosen =
    severities === null
      ? md``
      : md` chosen by severity (${literal(String(severities).split(' ').join(' or '))})`;
  return md`${trusted(first)} ${noun} ${subject ?? md`a device`}${chosen}`;
}

function subjectWords(order: Detail | null, device: Detail[string], names: AuditNames): Mrkdwn | null {
  if (device !== null) return detailWords('device', device, names);
  const devices = order?.['devices'] ?? '';
  if (devices !== '') return detailWords('devices', devices, names);
  const group = order?.['group'] ?? null;
  return group === null ? null : md`the group ${detailWords('group', group, names)}`;
}

/** The template with each `{name}` in words. */
export function filled(template: string, words: (name: string) => Mrkdwn): Mrkdwn {
  const parts = template.split(/\{(\w+)\}/);
  return joined(
    parts.map((part, at) => (at % 2 === 0 ? trusted(part) : words(part))),
    '',
  );
}

/** A detail as people read it: things by name and number, ends as times, channels as mentions. */
export function detailWords(name: string, value: Detail[string], names: AuditNames): Mrkdwn {
  const text = String(value ?? 'unknown');
  switch (name) {
    case 'device':
      return thing(text, names.devices);
    case 'devices':
      return listOf(text.split(' ').map((id) => thing(id, names.devices)));
    case 'group':
      return thing(text, names.groups);
    case 'policy':
      return thing(text, names.policies, 'policy ');
    case 'channel':
      // A direct message has no name that a mention of it would show.
      return text.startsWith('D') ? md`direct message` : channel(channelId(text));
    default:
      return name === 'until' && typeof value === 'number'
        ? when(instant(value))
        : sentence(valueWords(name, text), DETAIL);
  }
}

/** `web-01 (#4001)`; the number alone where the name is not known, and a name where it is no number. */
function thing(id: string, names: ReadonlyMap<number, string>, sign: '#' | 'policy ' = '#'): Mrkdwn {
  if (!/^\d+$/.test(id)) return literal(id);
  const name = names.get(Number(id));
  const number = trusted(`${sign}${id}`);
  return name === undefined ? number : md`${literal(name)} (${number})`;
}

function listOf(items: readonly Mrkdwn[]): Mrkdwn {
  const left = items.length - MOST_DEVICES;
  return left > 0
    ? md`${joined(items.slice(0, MOST_DEVICES), ', ')} and ${left} more devices (named in the CSV file)`
    : and(items);
}

/** `a, b and c`. */
export function and(items: readonly Mrkdwn[]): Mrkdwn {
  const last = items.at(-1);
  if (last === undefined || items.length === 1) return last ?? md``;
  return md`${joined(items.slice(0, -1), ', ')} and ${last}`;
}
