/** Private answer to a click on Approve, Deny or Withdraw. */
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { section } from '../kit/blocks.ts';
import { escapeMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import type { DecisionOutcome } from '../models/request-model.ts';
import { pausedByText } from '../status/pause-card.ts';
import { actionTitle, requestedThing } from '../text/common-text.ts';
import { namesOf } from './request-card.ts';

/** Private answer to a press on Approve, Deny or Withdraw. */
export type DecidedView = { readonly kind: 'decided'; readonly outcome: DecisionOutcome };

export function renderDecisionAnswer({ outcome }: DecidedView): RenderedMessage {
  const text = decisionAnswerText(outcome);
  return buildMessage({ text, body: [section(text)] });
}

function requested(request: RequestWithTargets): Mrkdwn {
  return actionTitle(request.action, namesOf(request));
}

/** The same as an object: “the reboot of web-01”. */
function thing(request: RequestWithTargets): Mrkdwn {
  return requestedThing(request.action, namesOf(request));
}

function decisionAnswerText(outcome: DecisionOutcome): Mrkdwn {
  switch (outcome.kind) {
    case 'approved':
      return md`You approved the ${thing(outcome.request)}. It’s re-checked before it’s sent. If something has changed, nothing is sent and you’re asked again. The request shows the result.`;
    case 'denied':
      return md`You denied the ${thing(outcome.request)}. Nothing was sent.`;
    case 'withdrawn':
      return md`You withdrew the request for the ${thing(outcome.request)}. Nothing was sent.`;
    case 'already': {
      const by = outcome.by === null ? md`` : md` by ${mentionPerson(outcome.by)}`;
      const at = outcome.at === null ? md`` : md` ${relativeDate(outcome.at)}`;
      return md`Already ${trustedMrkdwn(outcome.state)}${by}${at}: ${requested(outcome.request)}. Your click changed nothing.`;
    }
    case 'repeated': {
      const at = outcome.at === null ? md`` : md` ${relativeDate(outcome.at)}`;
      return md`You already ${trustedMrkdwn(DECISION_VERBS[outcome.decision])} this${at}: ${requested(outcome.request)}. The request shows its current state.`;
    }
    case 'own-request':
      return md`You can’t approve or deny your own request. Another approver has to decide.`;
    case 'not-requester':
      return md`Only the requester can withdraw this request or add a reason.`;
    case 'reason-given':
      return md`This request already has a reason: ${escapeMrkdwn(outcome.reason, DISPLAY_LIMIT.label)}. It can’t be changed, because an approver may have read it. To give another reason, withdraw the request and make a new one.`;
    case 'not-allowed':
      return md`You need the ${escapeMrkdwn(outcome.need)} role${roleNow(outcome.role)}. Ask a Patchbay admin.`;
    case 'stale-card':
      return md`This request has changed. Review the updated message, then decide.`;
    case 'count-not-typed':
      return md`Nothing was approved. Press *Approve* on the request’s card and type the number of devices.`;
    case 'form-unopened':
      return md`The form didn’t open, and nothing was approved. Press *Approve* again.`;
    case 'paused':
      return md`All changes are paused ${pausedByText(outcome.pause)}. The request is still waiting. Approve it after the pause, or deny it now.`;
    case 'absent':
      return md`This request no longer exists. If you still need it, make a new one.`;
  }
}

function roleNow(role: string | null | undefined): Mrkdwn {
  if (role === undefined) return md``;
  if (role === null) return md` (you have no role)`;
  return /^[aeiou]/.test(role)
    ? md` (you’re an ${escapeMrkdwn(role)})`
    : md` (you’re a ${escapeMrkdwn(role)})`;
}

const DECISION_VERBS = { approved: 'approved', denied: 'denied', withdrawn: 'withdrew' } as const;
