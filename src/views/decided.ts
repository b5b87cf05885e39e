/** Private answer to a click on Approve, Deny or Withdraw. */
import type { ApprovalRecord } from '../store/records.ts';
import { rechecking } from './approval.ts';
import { section } from './kit/blocks.ts';
import { literal, type Mrkdwn, md, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { when } from './kit/when.ts';
import type { DecisionOutcome, RenderedMessage, View } from './model.ts';
import { pausedBy } from './pause.ts';
import { deedTitle } from './words.ts';

export function renderDecided({ outcome }: Extract<View, { kind: 'decided' }>): RenderedMessage {
  const text = decisionWords(outcome);
  return message({ text, body: [section(text)] });
}

function requested({ command, targets }: ApprovalRecord): Mrkdwn {
  return deedTitle(
    command,
    targets.map((target) => target.displayName),
  );
}

function decisionWords(outcome: DecisionOutcome): Mrkdwn {
  switch (outcome.kind) {
    case 'approved':
      return md`Approved: ${requested(outcome.approval)}. ${rechecking(outcome.approval)}`;
    case 'denied':
      return md`Denied: ${requested(outcome.approval)}. Nothing was sent.`;
    case 'withdrawn':
      return md`Withdrawn: ${requested(outcome.approval)}. Nothing was sent.`;
    case 'already': {
      const by = outcome.by === null ? md`` : md` by ${person(outcome.by)}`;
      const at = outcome.at === null ? md`` : md` ${when(outcome.at)}`;
      return md`Already ${trusted(outcome.state)}${by}${at}: ${requested(outcome.approval)}. Your click changed nothing.`;
    }
    case 'repeated': {
      const at = outcome.at === null ? md`` : md` ${when(outcome.at)}`;
      return md`You already ${trusted(DID[outcome.decision])} this${at}: ${requested(outcome.approval)}. See its card for the current state.`;
    }
    case 'own-request':
      return md`You can’t approve or deny your own request. Another approver has to decide.`;
    case 'not-requester':
      return md`Only the requester can withdraw this request or add a reason.`;
    case 'reason-given':
      return md`This request already has a reason: ${literal(outcome.reason, SHOWN.label)}. It can’t be changed, because an approver may have read it. To give another reason, withdraw the request and make a new one.`;
    case 'not-allowed':
      return md`You need the ${literal(outcome.need)} role${roleNow(outcome.role)}. Ask a Patchbay admin.`;
    case 'stale-card':
      return md`This card is out of date. Review the updated card, then decide.`;
    case 'paused':
      return md`All changes are paused ${pausedBy(outcome.pause)}. The request is still waiting. Approve it after the pause, or deny it now.`;
    case 'absent':
      return md`This request no longer exists. If you still need it, make a new one.`;
  }
}

function roleNow(role: string | null | undefined): Mrkdwn {
  if (role === undefined) return md``;
  if (role === null) return md` (you have no role)`;
  return /^[aeiou]/.test(role) ? md` (you’re an ${literal(role)})` : md` (you’re a ${literal(role)})`;
}

const DID = { approved: 'approved', denied: 'denied', withdrawn: 'withdrew' } as const;
