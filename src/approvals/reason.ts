/** The reason that somebody gave, as the audit keeps it. */
import { clip } from '../operations/words.ts';
import type { AuditEntry } from '../store/records.ts';

/** Characters of it: the whole stands on the card. */
const LONGEST = 300;

/** Nothing where none was given. */
export function reasonDetail(reason: string | null): AuditEntry['detail'] {
  return reason === null ? {} : { reason: clip(reason, LONGEST) };
}
