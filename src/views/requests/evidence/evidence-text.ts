/** Evidence and notes in words: the one place where facts that are stored become sentences. */

import { z } from 'zod';
import type { ActionKind } from '../../../fleet/model/actions.ts';
import { tryParseJson } from '../../../lib/json.ts';
import { lowerFirst } from '../../../lib/text.ts';
import {
  type Evidence,
  type EvidenceList,
  evidenceSchema,
  noteSchema,
  type RequestNote,
} from '../../../store/port/evidence.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { driftedText, NOT_SENT_WORDS } from './not-sent-text.ts';
import { SENT_WORDS, shownInsteadText } from './sent-text.ts';
import type { EvidenceTable } from './words.ts';

/** A sentence for each fact; null where there is none. `action`: what was requested. */
export function evidenceText(evidence: EvidenceList, action: ActionKind): Mrkdwn | null {
  if (evidence.length === 0) return null;
  return joinMrkdwn(sentencesOf(evidence, action), ' ');
}

/** Of an edit that is not confirmed, what the service shows comes before the last sentence. */
function sentencesOf(evidence: EvidenceList, action: ActionKind): readonly Mrkdwn[] {
  const [first, ...shown] = evidence;
  if (first?.kind !== 'edit-unconfirmed') return evidence.map((one) => oneText(one, action));
  return [
    oneText(first, action),
    ...shown.map((one) => shownInsteadText(one) ?? oneText(one, action)),
    ...(first.answerLost ? [md`It was not sent again.`] : []),
  ];
}

function oneText<K extends Evidence['kind']>(
  evidence: Extract<Evidence, { readonly kind: K }>,
  action: ActionKind,
): Mrkdwn {
  // TypeScript cannot tie the key of a table to its value by itself.
  const kind: K = evidence.kind;
  return WORDS[kind](evidence, action);
}

const WORDS: EvidenceTable = {
  ...NOT_SENT_WORDS,
  ...SENT_WORDS,
  drifted: driftedText,
};

/** Why a request was returned to its approvers, or withdrawn by Patchbay. */
export function noteText(note: RequestNote, action: ActionKind): Mrkdwn {
  switch (note.kind) {
    case 'drifted':
    case 'paused':
    case 'rights-lost':
      return md`Not sent: ${continued(oneText(note, action))}`;
    case 'rights-unread':
      return md`Not sent yet: ${continued(oneText(note, action))} It tries again each minute.`;
    case 'unposted':
      return md`Slack couldn’t show the card: ${escapeMrkdwn(note.why, 300)}`;
  }
}

/** A sentence of ours after a colon. */
function continued(sentence: Mrkdwn): Mrkdwn {
  return trustedMrkdwn(lowerFirst(sentence));
}

/** What the audit keeps of evidence or of a note, in words. */
export function auditSentence(stored: string, action: ActionKind, max: number): Mrkdwn {
  const json = tryParseJson(stored);
  const evidence = z.array(evidenceSchema).safeParse(json);
  if (evidence.success) return evidenceText(evidence.data, action) ?? md``;
  const note = noteSchema.safeParse(json);
  return note.success ? noteText(note.data, action) : escapeMrkdwn(stored, max);
}
