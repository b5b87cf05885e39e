/** What an edit changed, as the audit keeps it: `FIELD.before`, `FIELD.after`, `tags.added` and `tags.removed`. Pure. */
import type { Detail } from './audit-order.ts';
import { fieldWords } from './audit-words.ts';
import { joined, literal, type Mrkdwn, md, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';

const KEY = /^(\w+)\.(before|after|added|removed)$/;

export function isChange(name: string): boolean {
  return KEY.test(name);
}

export function hasChanges(detail: Detail): boolean {
  return Object.keys(detail).some(isChange);
}

/** ` Group: Linux servers (#3) → Databases (#4); tags: blue added.`, or nothing. */
export function changeSentence(detail: Detail): Mrkdwn {
  const fields = [...new Set(Object.keys(detail).flatMap((name) => KEY.exec(name)?.[1] ?? []))];
  const parts = fields.flatMap((field) => changeOf(field, detail) ?? []);
  return parts.length === 0 ? md`` : md` Changes: ${joined(parts, '; ')}.`;
}

function changeOf(field: string, detail: Detail): Mrkdwn | null {
  const of = (part: string): Mrkdwn | null => {
    const value = detail[`${field}.${part}`] ?? null;
    return value === null ? null : literal(String(value), SHOWN.label);
  };
  const [before, after, added, removed] = [of('before'), of('after'), of('added'), of('removed')];
  const said = between(before, after) ?? listed(added, removed);
  return said === null ? null : md`${trusted(fieldWords(field))} ${said}`;
}

function between(before: Mrkdwn | null, after: Mrkdwn | null): Mrkdwn | null {
  if (after === null) return null;
  return before === null ? md`→ ${after}` : md`${before} → ${after}`;
}

function listed(added: Mrkdwn | null, removed: Mrkdwn | null): Mrkdwn | null {
  const parts = [
    ...(added === null ? [] : [md`${added} added`]),
    ...(removed === null ? [] : [md`${removed} removed`]),
  ];
  return parts.length === 0 ? null : joined(parts, ', ');
}
