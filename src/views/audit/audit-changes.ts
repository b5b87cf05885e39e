/** What an edit changed, as the audit keeps it: `FIELD.before`, `FIELD.after`, `tags.added` and `tags.removed`. Pure. */

import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { AuditDetail } from './audit-subject.ts';
import { auditFieldText } from './audit-text.ts';

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
