/** Private answers to those who request and decide, and what a message of a card becomes where it does not show the card. */

import type { FleetAction } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId, PersonId, RequestId } from '../../lib/ids.ts';
import { byKind, bySomeKinds } from '../../lib/record-fields.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { durationText } from '../../lib/text.ts';
import { countIn } from '../../rollout/results.ts';
import { unmet } from '../../rules/quorum.ts';
import type { WindowRefusal } from '../../store/port/decision-windows.ts';
import { type RequestWithTargets, totalOf } from '../../store/port/request-records.ts';
import { actions, context, rowBlocks, section } from '../kit/blocks.ts';
import { type ControlKind, typedCommand } from '../kit/buttons.ts';
import { bold, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { linkTo, mentionChannel, mentionPerson } from '../kit/mentions.ts';
import { buildMessage, fallbackText, fitsMessage, mapBothForms, SIGN } from '../kit/message.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { Problem } from '../models/problem-model.ts';
import type {
  DecisionOutcome,
  OneOutcome,
  RolloutStanding,
  SeveralOutcome,
  UnrequestedTarget,
} from '../models/request-model.ts';
import { problemText } from '../problems/problem-text.ts';
import { pausedByText } from '../status/pause-card.ts';
import {
  actionTitle,
  countText,
  type DeviceNames,
  listTargets,
  requestedThing,
  requestFor,
  targetName,
} from '../text/common-text.ts';
import type { NestedViews, View } from '../views.ts';
import {
  agreedBeforeText,
  agreedText,
  othersDecideText,
  refusingRulesText,
  stillNeededText,
} from './demands.ts';
import { addReasonButton, requestChoiceAgainButton, withdrawButton } from './request-buttons.ts';
import { namesOf, requestedBy, requestTitle } from './request-card.ts';
import { alreadySentText, RESUMED_BY_OTHERS } from './request-label.ts';

type WaitingView = {
  readonly kind: 'approval-requested';
  readonly request: RequestWithTargets;
  readonly channel: ChannelId;
  readonly link: string | null;
  readonly already: boolean;
  /** Whether the reader requested it. */
  readonly mine: boolean;
  /** A reason given now that the card does not show, because the request existed already. */
  readonly reasonUnused: boolean;
};

type StartedView = {
  readonly kind: 'started';
  readonly requestId: RequestId;
  readonly action: FleetAction;
  /** Names of the devices or how many they are, or the name of the group. */
  readonly names: DeviceNames;
  readonly link: string | null;
  /** It was requested before. */
  readonly already?: true;
  /** The requester; absent: the reader. */
  readonly by?: PersonId;
};

/** A press or form arrived too late, so nothing was requested or sent. */
type TooLateView = {
  readonly kind: 'too-late';
  readonly command: string;
  readonly input: unknown;
  /** The name of the device, group or alert; null where there is no single one. */
  readonly subject: string | null;
  readonly askedAt: Instant;
  readonly maxAgeMs: number;
  readonly root: string;
};

/** `block_id` of its buttons, which tells it from the card, where one of them stands too. */
export const REQUEST_ANSWER_BLOCK = 'asked';

/** It names no state: nothing edits it once somebody decides. The card does. */
export function renderRequestWaiting(view: WaitingView): RenderedMessage {
  const { request, mine, already } = view;
  const words = already ? md`Approval was already requested` : md`Approval requested`;
  const where = [
    md`Approvers see it in ${mentionChannel(view.channel)}.`,
    md`Without a decision, it expires ${dateOr(request.expiresAt, '')}.`,
    ...(view.link === null ? [] : [linkTo(view.link, md`Open the request`)]),
  ];
  return buildMessage({
    text: md`${words}: ${actionTitle(request.action, namesOf(request))}`,
    body: [
      section(md`${words}: ${requestTitle(request)}`),
      ...(mine ? [] : [section(requestedBy(request))]),
      ...(view.reasonUnused ? [section(md`Your reason was not added.`)] : []),
      context(md`Nothing is sent without an approval. ${joinMrkdwn(where, ' ')}`),
    ],
    footer: mine
      ? actions(request.reason === null ? addReasonButton(request) : null, withdrawButton(request)).map(
          (block) => ({ ...block, block_id: REQUEST_ANSWER_BLOCK }),
        )
      : [],
  });
}

export function renderOperationStarted(view: StartedView): RenderedMessage {
  const { already = false, by } = view;
  const what = requestFor(view.action, view.names);
  const whose = by === undefined ? md`` : md` by ${mentionPerson(by)}`;
  const text = already ? md`${what} was already requested${whose}.` : md`${what} requested${whose}.`;
  // Slack may be slow: then the card is not posted yet, or its link is not known.
  const follow =
    view.link === null
      ? md`Its progress will appear in a separate message.`
      : md`Follow its progress: ${linkTo(view.link, md`Open the request`)}`;
  return buildMessage({ text: md`${text} ${follow}`, body: [section(md`${text} ${follow}`)] });
}

export function renderTooLate(view: TooLateView): RenderedMessage {
  const { command, input, subject, maxAgeMs, root } = view;
  const what = typedCommand(root, subject === null ? command : `${command} ${subject}`);
  const text = md`${trustedMrkdwn(SIGN.ended)} *Not sent:* ${what}`;
  const again = requestChoiceAgainButton({ command, input });
  const limit = md`Too late: requested ${relativeDate(view.askedAt)}. Changes older than ${trustedMrkdwn(durationText(maxAgeMs))} aren’t sent.`;
  const next = again === null ? md` To request it again, type ${typedCommand(root, command)}.` : md``;
  return buildMessage({
    text: md`${text} ${limit}${next}`,
    body: [section(md`${text}\n${limit}${next}`)],
    footer: actions(again),
  });
}

/** Private answer to a press on Approve, Deny or Withdraw. */
type DecidedView = { readonly kind: 'decided'; readonly outcome: DecisionOutcome };

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
const DECIDED: ReadonlySet<OneOutcome['kind']> = new Set(['approved', 'agreed', 'denied', 'repeated']);

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
  const lines = [...decided.map(decidedLine), ...title, ...others.map(undecidedLine)];
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

/** Others may still have to agree. */
function decidedLine(result: SeveralResult): Mrkdwn {
  const { outcome } = result;
  if (outcome.kind !== 'agreed') return nameOf(result);
  return md`${nameOf(result)}: ${stillNeededText(unmet(outcome.request.rules))}`;
}

function undecidedLine(result: SeveralResult): Mrkdwn {
  const card = result.link === null ? md`` : md` ${linkTo(result.link, md`Open the request`)}`;
  const why = decisionAnswerText(result.outcome);
  // That it was decided before names the request itself.
  return result.outcome.kind === 'already' ? md`• ${why}${card}` : md`${nameOf(result)}: ${why}${card}`;
}

const NOT_DECIDED_YET = md`Nothing is decided yet. Decide in the window.`;

const decisionAnswerText = byKind<OneOutcome, Mrkdwn>({
  approved: ({ request }) =>
    totalOf(request.counts) === 1
      ? md`Approved. If anything has changed, you’ll be asked again.`
      : md`Approved. Each wave is re-checked before it’s sent. Devices that have changed are left out.`,
  denied: ({ request }) => md`You denied the ${thing(request)}. Nothing was sent.`,
  withdrawn: ({ request }) => md`You withdrew the request for the ${thing(request)}. Nothing was sent.`,
  already: (outcome) => {
    const by = outcome.by === null ? md`` : md` by ${mentionPerson(outcome.by)}`;
    const at = outcome.at === null ? md`` : md` ${relativeDate(outcome.at)}`;
    return md`Already ${trustedMrkdwn(outcome.state)}${by}${at}: ${requested(outcome.request)}. Your click changed nothing.`;
  },
  repeated: (outcome) => {
    const at = outcome.at === null ? md`` : md` ${relativeDate(outcome.at)}`;
    return md`You already ${trustedMrkdwn(DECISION_VERBS[outcome.decision])} this${at}: ${requested(outcome.request)}. The request shows its current state.`;
  },
  agreed: ({ request }) => agreedText(request, thing(request)),
  'agreed-before': ({ at, unmet }) => agreedBeforeText(at, unmet),
  'others-decide': ({ unmet }) => othersDecideText(unmet),
  'rule-refuses': ({ rules }) => md`This can’t be approved now.\n${refusingRulesText(rules)}`,
  'own-request': md`You can’t approve or deny your own request. Another approver has to decide.`,
  'not-requester': md`Only the requester can withdraw this request or add a reason.`,
  'reason-given': ({ reason }) =>
    md`This request already has a reason: ${escapeMrkdwn(reason, DISPLAY_LIMIT.label)}. It can’t be changed, because an approver may have read it. To give another reason, withdraw the request and make a new one.`,
  'not-allowed': ({ need, role }) =>
    md`You need the ${escapeMrkdwn(need)} role${roleNow(role)}. Ask a Patchbay admin.`,
  'stale-card': md`This request has changed. Review the updated message, then decide.`,
  'count-not-typed': md`Nothing was approved. Press *Approve* on the request’s card and type the number of devices.`,
  'none-waiting': md`No requests are waiting.`,
  window: NOT_DECIDED_YET,
  'several-window': NOT_DECIDED_YET,
  'window-refused': ({ why }) =>
    md`Nothing was decided: ${WINDOW_REFUSALS[why]} Press the button on the request’s card again.`,
  failed: ({ reference }) =>
    md`Couldn’t be decided: unexpected error (reference ${inlineCode(reference)}). Check its card.`,
  controlled: ({ control, request }) => controlledText(control, request),
  'own-rollout': md`An approver has to let it go on, not its requester.`,
  'others-rollout': ({ control }) =>
    md`Only the requester, approvers and admins can ${trustedMrkdwn(control)} this rollout.`,
  'rollout-is': ({ standing }) => md`Your click changed nothing: ${STANDING_TEXTS[standing]}`,
  'held-by-pause': ({ pause }) =>
    md`All changes are paused ${pausedByText(pause)}. The rollout can go on after the pause.`,
  'window-unopened': md`The window didn’t open, and nothing was decided. Press the button again.`,
  paused: ({ pause }) =>
    md`All changes are paused ${pausedByText(pause)}. The request is still waiting. Approve it after the pause, or deny it now.`,
  absent: md`This request no longer exists. If you still need it, make a new one.`,
});

/** What was sent has no way back, so each halt says how much that is. */
function controlledText(control: ControlKind, request: RequestWithTargets): Mrkdwn {
  const left = countIn(request.counts, ['ready']);
  const sending = countIn(request.counts, ['issuing']);
  const sent = alreadySentText(request.counts);
  const sentText = sent === null ? md`` : md` ${sent}`;
  const queued =
    sending === 0 ? sentText : md`${sentText} The command is being sent to ${countText(sending, 'device')}.`;
  const texts: Readonly<Record<ControlKind, Mrkdwn>> = {
    pause: md`You paused the ${thing(request)}. ${countText(left, 'device')} not sent.${queued} ${RESUMED_BY_OTHERS}`,
    stop: md`You stopped the ${thing(request)}.${queued} What wasn’t sent won’t be sent.`,
    resume: md`You resumed the ${thing(request)}. ${countText(left, 'device')} left.`,
    continue: md`You continued the ${thing(request)}. ${countText(left, 'device')} left.`,
    'continue-without': md`You continued the ${thing(request)} without the offline devices. ${countText(left, 'device')} left. ${WAITING_DEVICES_RUN}`,
    close: md`You closed the ${thing(request)}. ${WAITING_DEVICES_RUN}`,
  };
  return texts[control];
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

/** A reason that differs by nothing but the device; null: it is stated for each. */
const sharedReason = bySomeKinds<Problem, Mrkdwn | null>({
  'nothing-to-install': md`No missing patches`,
  'none-missing': ({ severities }) =>
    severities === undefined
      ? md`Not missing these packages`
      : md`No ${escapeMrkdwn(severities.join(' or '), DISPLAY_LIMIT.label)} packages missing`,
  'device-packages-unread': md`Packages couldn’t be read`,
  // A request has one policy, which its title names.
  'policy-not-for': ({ why }) => (why === 'device' ? md`The policy doesn’t apply` : null),
  'device-gone': md`No longer in the fleet`,
  'unknown-fit': md`Unknown whether they match the filters`,
  'already-so': md`Already have these values`,
});

/** Names listed for each reason. */
const MAX_NAMES = 8;

/** A row for each reason, the most common first. */
export function leftOutRows(leftOut: readonly UnrequestedTarget[]): readonly Mrkdwn[] {
  const byReason = Map.groupBy(leftOut, ({ problem }) => sharedReason(problem));
  return [...byReason]
    .toSorted(([, a], [, b]) => b.length - a.length)
    .flatMap(([reason, devices]) =>
      reason === null || devices.length === 1
        ? devices.map(leftOutRow)
        : [md`${reason} (${devices.length}): ${listTargets(devices, MAX_NAMES)}`],
    );
}

export function leftOutRow(target: UnrequestedTarget): Mrkdwn {
  return md`${targetName(target, [target], bold)}: ${problemText(target.problem, ROOT_COMMAND).what}`;
}

/** Something was requested without the devices in `unrequested`. */
type RequestedAgainView = {
  readonly kind: 'requested-again';
  readonly view: View;
  readonly unrequested: readonly UnrequestedTarget[];
};

const LEFT_OUT_BUDGET = 5_000;

/** Private answer to a request, where some devices could not be requested. */
export function renderRequestedAgain(
  { view, unrequested }: RequestedAgainView,
  { draw }: NestedViews,
): RenderedMessage {
  const requested = draw(view);
  const list = rowBlocks(leftOutRows(unrequested), {
    budget: LEFT_OUT_BUDGET,
    more: (left) => md`${left} more not shown.`,
  });
  const notRequestedNote = section(md`Not requested for ${countText(unrequested.length, 'device')}:`);
  const both = mapBothForms(requested, (blocks) => {
    const more = [...blocks, notRequestedNote, ...list];
    return fitsMessage(more) ? more : [...blocks, notRequestedNote];
  });
  // The first block's words are replaced by the text of the whole answer, so the note is passed twice.
  return {
    ...both,
    text: fallbackText(trustedMrkdwn(requested.text), [notRequestedNote, notRequestedNote, ...list]),
  };
}

/** A button was pressed on an old copy of a card; `link` leads to the card. */
type CardMovedView = { readonly kind: 'card-moved'; readonly link: string | null };

type MovedMessage = RenderedMessage & {
  readonly metadata: {
    readonly event_type: 'patchbay_moved';
    readonly event_payload: { readonly state: 'moved' };
  };
};

/** Without the card's key, so that no search takes it for the card. `url`: of the card; null where Slack does not say. */
export function renderMovedCopy(url: string | null): MovedMessage {
  const text = md`This message moved. ${linkTo(url, md`Open the current message`)}`;
  return {
    ...buildMessage({ text: md`This message moved.`, body: [section(text)] }),
    metadata: { event_type: 'patchbay_moved', event_payload: { state: 'moved' } },
  };
}

/** The card of a request where another organization reads it: nothing of the request, and a link to our Home. */
export function renderSharedCard(isWaiting: boolean, url: string | null): RenderedMessage {
  const what = isWaiting ? md`${trustedMrkdwn(SIGN.waiting)} A request waits.` : md`A request changed.`;
  const text = md`${what} ${linkTo(url, md`Open it in Patchbay’s Home`)}`;
  return buildMessage({ text: what, body: [section(text)] });
}

export function renderCopyPressed({ link }: CardMovedView): RenderedMessage {
  const text = md`This is an old copy. Your click did nothing. ${linkTo(link, md`Open the current message`)}`;
  return buildMessage({
    text: md`This is an old copy. Your click did nothing.`,
    body: [section(text)],
  });
}
