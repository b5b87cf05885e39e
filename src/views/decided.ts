/** Private answer to somebody who pressed Approve, Deny or Withdraw. */
import type { ApprovalRecord } from '../store/records.ts';
import { section } from './kit/blocks.ts';
import { code, literal, type Mrkdwn, md, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { person } from './kit/mentions.ts';
import { message } from './kit/message.ts';
import { when } from './kit/when.ts';
import type { DecisionOutcome, RenderedMessage, View } from './model.ts';
import { pausedBy } from './pause.ts';
import { deed, nothingSent } from './words.ts';

export function renderDecided({ outcome }: Extract<View, { kind: 'decided' }>): RenderedMessage {
  const text = decisionWords(outcome);
  return message({ text, body: [section(text)] });
}

function asked({ command, targets }: ApprovalRecord): Mrkdwn {
  return deed(
    command,
    targets.map((target) => target.displayName),
  );
}

function decisionWords(outcome: DecisionOutcome): Mrkdwn {
  const nothing = md`Nothing was changed by your press.`;
  switch (outcome.kind) {
    case 'approved':
      return md`You approved the request to ${asked(outcome.approval)}. The facts are read once more before anything is sent; the card shows what becomes of it.`;
    case 'denied':
      return md`You denied the request to ${asked(outcome.approval)}. ${nothingSent(outcome.approval.command, 'is')}`;
    case 'withdrawn':
      return md`You withdrew your request to ${asked(outcome.approval)}. ${nothingSent(outcome.approval.command, 'is')}`;
    case 'already': {
      const by = outcome.by === null ? md`` : md` by ${person(outcome.by)}`;
      const at = outcome.at === null ? md`` : md` ${when(outcome.at)}`;
      return md`The request to ${asked(outcome.approval)} is already ${trusted(outcome.state)}${by}${at}. ${nothing}`;
    }
    case 'repeated': {
      const at = outcome.at === null ? md`` : md` ${when(outcome.at)}`;
      return md`You ${trusted(DID[outcome.decision])} the request to ${asked(outcome.approval)}${at}. Its card shows its state.`;
    }
    case 'own-request':
      return md`You asked for this yourself, so somebody else has to approve it. ${nothing}`;
    case 'not-requester':
      return md`Only the person who asked can withdraw this or say why. ${nothing}`;
    case 'reason-given':
      return md`This request has a reason already: ${literal(outcome.reason, SHOWN.label)}. An approver may have read it, so it stays. Withdraw the request and ask again to give another one. ${nothing}`;
    case 'not-allowed':
      return md`This needs the role ${code(outcome.need)}, which you do not have. ${nothing} Ask an administrator of Patchbay for it.`;
    case 'stale-card':
      return md`The facts changed after your card was drawn. Look at the card again, then decide. ${nothing}`;
    case 'paused':
      return md`All changes are paused ${pausedBy(outcome.pause)}. The request still waits: decide it when the pause is over, or deny it now. ${nothing}`;
    case 'absent':
      return md`This request is not known any more. ${nothing} Ask for it again if it is still wanted.`;
  }
}

const DID = { approved: 'approved', denied: 'denied', withdrawn: 'withdrew' } as const;
