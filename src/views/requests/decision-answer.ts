/** Private answer to a click on Approve, Deny or Withdraw. */

import { countIn } from '../../rollout/results.ts';
import type { WindowRefusal } from '../../store/port/decision-windows.ts';
import { type RequestWithTargets, totalOf } from '../../store/port/request-records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { ControlKind, RenderedMessage } from '../models/rendered-model.ts';
import type {
  DecisionOutcome,
  OneOutcome,
  RolloutStanding,
  SeveralOutcome,
} from '../models/request-model.ts';
import { pausedByText } from '../status/pause-card.ts';
import { actionTitle, countText, requestedThing } from '../text/common-text.ts';
import { namesOf } from './request-card.ts';
import { alreadySentText, RESUMED_BY_OTHERS } from './rollout/rollout-label.ts';

/** Private answer to a press on Approve, Deny or Withdraw. */
export type DecidedView = { readonly kind: 'decided'; readonly outcome: DecisionOutcome };

export function renderDecisionAnswer({ outcome }: DecidedView): RenderedMessage {
  if (outcome.kind === 'several') return severalAnswer(outcome);
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

/** Characters of all lines: one for each request that was marked. */
const BUDGET = 8_000;
const DECIDED: ReadonlySet<OneOutcome['kind']> = new Set(['approved', 'denied', 'repeated']);

/** What was decided, then what was not, and why. */
function severalAnswer({ decision, results }: SeveralOutcome): RenderedMessage {
  const decided = results.filter(({ outcome }) => DECIDED.has(outcome.kind));
  const others = results.filter((one) => !decided.includes(one));
  const verb = trustedMrkdwn(decision === 'approve' ? 'approved' : 'denied');
  const after = decision === 'approve' ? md`Each is re-checked before it’s sent.` : md`Nothing was sent.`;
  const text =
    decided.length === 0
      ? md`No request was ${verb}.`
      : md`You ${verb} ${countText(decided.length, 'request')}. ${after}`;
  const title = others.length === 0 ? [] : [md`*Not ${verb}: ${others.length}*`];
  const lines = [...decided.map(nameOf), ...title, ...others.map(undecidedLine)];
  const more = (left: number) => md`${left} more lines not shown.`;
  return buildMessage({
    text: joinMrkdwn([text, ...title], ' '),
    body: [section(text), ...rowBlocks(lines, { budget: BUDGET, more })],
  });
}

type SeveralResult = SeveralOutcome['results'][number];

function nameOf({ request }: SeveralResult): Mrkdwn {
  return request === null ? md`• A request that couldn’t be read` : md`• ${requested(request)}`;
}

function undecidedLine(result: SeveralResult): Mrkdwn {
  const card = result.link === null ? md`` : md` ${linkTo(result.link, md`Open the request`)}`;
  const why = decisionAnswerText(result.outcome);
  // That it was decided before names the request itself.
  return result.outcome.kind === 'already' ? md`• ${why}${card}` : md`${nameOf(result)}: ${why}${card}`;
}

function decisionAnswerText(outcome: OneOutcome): Mrkdwn {
  switch (outcome.kind) {
    case 'approved':
      return totalOf(outcome.request.counts) === 1
        ? md`Approved. If anything has changed, you’ll be asked again.`
        : md`Approved. Each wave is re-checked before it’s sent. Devices that have changed are left out.`;
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
    case 'none-waiting':
      return md`No requests are waiting.`;
    case 'window':
    case 'several-window':
      return md`Nothing is decided yet. Decide in the window.`;
    case 'window-refused':
      return md`Nothing was decided: ${WINDOW_REFUSALS[outcome.why]} Press the button on the request’s card again.`;
    case 'failed':
      return md`Couldn’t be decided: unexpected error (reference ${inlineCode(outcome.reference)}). Check its card.`;
    case 'controlled':
      return controlledText(outcome.control, outcome.request);
    case 'own-rollout':
      return md`An approver has to let it go on, not its requester.`;
    case 'others-rollout':
      return md`Only the requester, approvers and admins can ${trustedMrkdwn(outcome.control)} this rollout.`;
    case 'rollout-is':
      return md`Your click changed nothing: ${STANDING_TEXTS[outcome.standing]}`;
    case 'held-by-pause':
      return md`All changes are paused ${pausedByText(outcome.pause)}. The rollout can go on after the pause.`;
    case 'window-unopened':
      return md`The window didn’t open, and nothing was decided. Press the button again.`;
    case 'paused':
      return md`All changes are paused ${pausedByText(outcome.pause)}. The request is still waiting. Approve it after the pause, or deny it now.`;
    case 'absent':
      return md`This request no longer exists. If you still need it, make a new one.`;
  }
}

/** What was sent has no way back, so each halt says how much that is. */
function controlledText(control: ControlKind, request: RequestWithTargets): Mrkdwn {
  const left = countIn(request.counts, ['ready']);
  const sending = countIn(request.counts, ['issuing']);
  const sent = alreadySentText(request.counts);
  const sentText = sent === null ? md`` : md` ${sent}`;
  const queued =
    sending === 0 ? sentText : md`${sentText} The command is being sent to ${countText(sending, 'device')}.`;
  switch (control) {
    case 'pause':
      return md`You paused the ${thing(request)}. ${countText(left, 'device')} not sent.${queued} ${RESUMED_BY_OTHERS}`;
    case 'stop':
      return md`You stopped the ${thing(request)}.${queued} What wasn’t sent won’t be sent.`;
    case 'resume':
      return md`You resumed the ${thing(request)}. ${countText(left, 'device')} left.`;
    case 'continue':
      return md`You continued the ${thing(request)}. ${countText(left, 'device')} left.`;
    case 'continue-without':
      return md`You continued the ${thing(request)} without the offline devices. ${countText(left, 'device')} left. ${WAITING_DEVICES_RUN}`;
    case 'close':
      return md`You closed the ${thing(request)}. ${WAITING_DEVICES_RUN}`;
  }
}

const WAITING_DEVICES_RUN = md`Offline devices that already have the command may still run it.`;

const STOPPED_ITSELF = md`the rollout was stopped automatically. ${RESUMED_BY_OTHERS}`;
const WAITS_TO_CONTINUE = md`the rollout waits for somebody to continue it.`;

const STANDING_TEXTS: Readonly<Record<RolloutStanding, Mrkdwn>> = {
  waiting: md`the rollout isn’t approved.`,
  running: md`the rollout is running.`,
  paused: md`the rollout is paused.`,
  braked: STOPPED_ITSELF,
  unanswered: STOPPED_ITSELF,
  expired: md`the approval ended, and the rollout waits for somebody to continue it.`,
  away: WAITS_TO_CONTINUE,
  gate: WAITS_TO_CONTINUE,
  stopped: md`the rollout was stopped.`,
  sent: md`everything was sent already.`,
  ended: md`the rollout has ended.`,
};

const WINDOW_REFUSALS: Readonly<Record<WindowRefusal, Mrkdwn>> = {
  'unknown-window': md`Patchbay doesn’t know this window.`,
  'other-person': md`this window was opened for somebody else.`,
  'other-view': md`this isn’t the window as Patchbay opened it.`,
  'used-window': md`this window was submitted before.`,
  'ended-window': md`this window expired.`,
};

function roleNow(role: string | null | undefined): Mrkdwn {
  if (role === undefined) return md``;
  if (role === null) return md` (you have no role)`;
  return /^[aeiou]/.test(role)
    ? md` (you’re an ${escapeMrkdwn(role)})`
    : md` (you’re a ${escapeMrkdwn(role)})`;
}

const DECISION_VERBS = { approved: 'approved', denied: 'denied', withdrawn: 'withdrew' } as const;
