/**
 * The card of a rollout: what an approver decides by, then how far it is, then what came of it. Drawn from the request,
 * its counts and its summary, never from all of its devices.
 */

import { changesRecord } from '../../../fleet/model/actions.ts';
import { durationText } from '../../../lib/text.ts';
import { estimateRollout } from '../../../rollout/estimate.ts';
import type { RolloutPlan } from '../../../rollout/plan.ts';
import { isHeld, type RolloutHold } from '../../../rollout/progress.ts';
import { countIn } from '../../../rollout/results.ts';
import {
  type RequestWithTargets,
  type TargetCounts,
  totalOf,
  undecidedIn,
} from '../../../store/port/request-records.ts';
import { actions, type Button, context, section } from '../../kit/blocks.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../../kit/escape.ts';
import { mentionPerson } from '../../kit/mentions.ts';
import { buildMessage } from '../../kit/message.ts';
import { SIGN } from '../../kit/signs.ts';
import { dateOr, relativeDate } from '../../kit/timestamps.ts';
import type { Block, RenderedMessage } from '../../models/rendered-model.ts';
import type { RolloutDetails } from '../../models/request-model.ts';
import { selectedByText } from '../../software/package-reading.ts';
import { countText, listTargets } from '../../text/common-text.ts';
import { hasOutcome } from '../card-state.ts';
import { decisionButtons } from '../decision-buttons.ts';
import { editChangeBlocks } from '../edit-changes.ts';
import { packageBlocks, targetFactBlocks } from '../facts.ts';
import { outcomeBlocks } from '../outcome.ts';
import { requestAgainButton } from '../request-again.ts';
import {
  cardHead,
  commentText,
  factsOf,
  type RequestCardView,
  renderRequestCard,
  requestFactsToApprove,
} from '../request-card.ts';
import { finalityWarning } from '../request-warning.ts';
import { brakedText, controlButtons, resultsButton, retryButtons } from './control-buttons.ts';
import { offlineText } from './offline-devices.ts';
import {
  brakeText,
  costText,
  lastsText,
  leastDuration,
  planText,
  sampleText,
  summaryBlocks,
  unusualText,
} from './plan-text.ts';
import { problemBlocks } from './problem-devices.ts';
import {
  alreadySentText,
  CONTINUED_BY_OTHERS,
  countsLine,
  doneText,
  isRollout,
  mayRunLines,
  problemCount,
  progressLines,
  RESUMED_BY_OTHERS,
  type RolloutRequest,
  resultLine,
  unansweredText,
} from './rollout-label.ts';

/** Up to so many devices are listed one by one, as if each had a card. */
export const MAX_LISTED = 10;
/** Devices of a larger rollout whose changes are listed. */
const MAX_CHANGES = 5;
const NONE = { top: [], more: 0 };
const NO_DETAILS: RolloutDetails = {
  waves: [],
  problems: [],
  offline: [],
  onlyOffline: false,
  least: null,
};

export function renderAnyRequestCard(view: RequestCardView): RenderedMessage {
  const { request, details = NO_DETAILS, shared = false } = view;
  if (!isRollout(request)) return renderRequestCard(view);
  return request.state === 'waiting' ? waitingCard(request, shared) : startedCard(request, details, shared);
}

function waitingCard(request: RolloutRequest, shared: boolean): RenderedMessage {
  const { text, top } = cardHead(request);
  return buildMessage({
    text,
    body: [...top, ...alreadyRunText(request), ...whatBlocks(request, shared)],
    footer: [
      ...finalBlocks(request),
      ...actions(...decisionButtons(request), resultsButton(request, `Show all ${totalOf(request.counts)}`)),
    ],
  });
}

/** What an approver decides by, without what the card begins with. */
export function approvalBlocks(request: RequestWithTargets, shared: boolean): readonly Block[] {
  if (!isRollout(request)) return requestFactsToApprove(request, shared);
  return [...alreadyRunText(request), ...whatBlocks(request, shared), ...finalBlocks(request)];
}

/** What cannot be undone, until when it waits, and what the approval is bound to. */
function finalBlocks(request: RolloutRequest): readonly Block[] {
  const expiry = md`The request expires ${dateOr(request.expiresAt, '')}.`;
  return [context(md`${finalityWarning(request.action)} ${expiry}`), context(frozenText(request))];
}

/** Of a rollout that was returned: the approval is about the others. */
function alreadyRunText({ counts }: RolloutRequest): readonly Block[] {
  const { ready = 0, ...others } = counts;
  if (ready === totalOf(counts)) return [];
  return [
    section(
      md`Already run: ${countsLine(others)}. This approval is for the other ${countText(ready, 'device')}.`,
    ),
  ];
}

/** What is to be decided while it waits, and else all of it. */
function devicesOf({ state, counts }: RolloutRequest): number {
  return state === 'waiting' ? undecidedIn(counts) : totalOf(counts);
}

/** What an approver decides by: what is to notice, the devices and the plan. */
function whatBlocks(request: RolloutRequest, shared: boolean): readonly Block[] {
  const { action, rollout } = request;
  const { plan, summary } = rollout;
  const { devices: out = 0, some = [] } = summary.unknownFit ?? {};
  const unknown =
    out === 0
      ? []
      : [
          md`Left out, because it’s unknown whether they match the filters (${out}): ${listTargets(some, some.length, out)}`,
        ];
  const devices = devicesOf(request);
  const facts = factsOf(request);
  const cost = estimateRollout({ kind: action.kind, plan });
  const isListed = devices <= MAX_LISTED;
  return [
    ...unusualText(summary, { action, devices, plan }).map((text) => section(text)),
    ...packageBlocks(action),
    ...(isListed ? editChangeBlocks(action, facts, shared) : firstChanges(request, shared)),
    ...(isListed ? summaryBlocks({ ...summary, groups: NONE, systems: NONE }) : []),
    ...(isListed ? targetFactBlocks(facts, shared, action) : summaryBlocks(summary)),
    section(joinMrkdwn([...unknown, planText(plan), ...ageText(request), costText(cost)], '\n')),
    ...(isListed ? [] : [section(sampleText(request.targets, devices))]),
  ];
}

/** Until when it may go on unasked; before it is approved, for how long. What nobody approved is never sent. */
function ageText({ rollout, expiresAt, state }: RolloutRequest): readonly Mrkdwn[] {
  if (state === 'waiting') return [lastsText(rollout.plan, expiresAt !== null)];
  if (state !== 'approved' && state !== 'running') return [];
  return [md`Anything not sent by ${relativeDate(rollout.endsAt)} waits for an approver.`];
}

/** Most edits change every device in the same way. */
function firstChanges(request: RolloutRequest, shared: boolean): readonly Block[] {
  const first = factsOf(request).slice(0, MAX_CHANGES);
  const changes = editChangeBlocks(request.action, first, shared);
  const left = devicesOf(request) - first.length;
  return changes.length === 0 || left <= 0
    ? changes
    : [...changes, context(md`Changes of ${countText(left, 'more device')} not shown.`)];
}

/** The devices and facts that the approval is bound to. */
function frozenText(request: RolloutRequest): Mrkdwn {
  const { rollout } = request;
  const devices = devicesOf(request);
  const frozen = md`Devices read from ${relativeDate(rollout.summary.frozenAt)} on · ${countText(devices, 'device')}`;
  return joinMrkdwn([frozen, ...selectedByText(rollout.summary)], '\n');
}

function startedCard(request: RolloutRequest, details: RolloutDetails, shared: boolean): RenderedMessage {
  const { text, top } = cardHead(request);
  const wasSent = hasOutcome(request);
  return buildMessage({
    text: wasSent ? md`${text}. ${resultLine(request)}` : text,
    body: [
      ...top,
      ...(wasSent ? progressBlocks(request, details) : whatBlocks(request, shared)),
      context(frozenText(request)),
    ],
    footer: actions(...nextButtons(request, details)),
  });
}

function nextButtons(request: RolloutRequest, { onlyOffline }: RolloutDetails): readonly (Button | null)[] {
  const { state } = request;
  if (state === 'expired') return [requestAgainButton(request)];
  if (state === 'denied' || state === 'withdrawn') return [];
  const after = state === 'ended' ? retryButtons(request) : controlButtons(request, onlyOffline);
  return [...after, resultsButton(request)];
}

/** How far it is, and why it does not go on. */
function progressBlocks(request: RolloutRequest, details: RolloutDetails): readonly Block[] {
  const { counts, rollout, action } = request;
  const total = totalOf(counts);
  const goesOn = rollout.hold === null && countIn(counts, ['ready']) > 0;
  const progress = [
    ...progressLines({ counts, rollout, state: request.state === 'ended' ? 'ended' : 'running' }),
    ...waveText(request, details.waves),
    ...(details.least === null || countIn(counts, ['ready']) === 0 ? [] : [leastText(details.least)]),
    ...(goesOn ? ageText(request) : []),
    ...(request.state === 'ended' ? mayRunLines(counts) : []),
  ];
  const listed = total <= MAX_LISTED && request.targets.length === total;
  return [
    section(joinMrkdwn(progress, '\n')),
    ...(rollout.hold === null ? [] : [section(holdText(rollout.hold, request))]),
    ...(listed && !details.onlyOffline ? [] : offlineText(details)),
    ...(listed ? outcomeBlocks(request) : problemBlocks(details.problems, problemCount(counts))),
    ...(changesRecord(action) ? [] : queuedText(request)),
  ];
}

/** The card may be read long after it was drawn, so it names no end that could pass meanwhile. */
function leastText({ from, ms }: NonNullable<RolloutDetails['least']>): Mrkdwn {
  return md`Takes at least ${leastDuration(ms)} from ${relativeDate(from)} on`;
}

function waveText({ rollout, state }: RolloutRequest, waves: readonly TargetCounts[]): readonly Mrkdwn[] {
  const { plan, wave } = rollout;
  if (plan.waves.length === 1 || state === 'ended') return [];
  const counts = waves[wave];
  const progress = counts === undefined ? md`` : md`: ${doneText(counts)}`;
  return [md`Wave ${wave + 1} of ${plan.waves.length}${progress} · ${brakeText(plan.brake)}`];
}

/** In a list: why it stands still and who can let it go on; none where nothing holds it. */
export function holdLines(request: RequestWithTargets): readonly Mrkdwn[] {
  return isRollout(request) && isHeld(request) && request.rollout.hold !== null
    ? [holdText(request.rollout.hold, request)]
    : [];
}

/** Why no further device is sent, and what goes on. */
export function holdText(hold: RolloutHold, { action, rollout }: RolloutRequest): Mrkdwn {
  switch (hold.kind) {
    case 'paused':
      return md`Paused ${pauseCause(hold)} ${relativeDate(hold.at)}. ${RESUMED_BY_OTHERS}`;
    case 'braked':
      return md`${brakedText({ ...hold, kind: hold.why ?? hold.kind, wave: rollout.wave })} ${RESUMED_BY_OTHERS} Waiting since ${relativeDate(hold.at)}.`;
    case 'expired':
      return md`Paused ${relativeDate(hold.at)}: the approval ended before everything was sent. ${continueText(rollout.plan)}`;
    case 'away':
      return md`Paused ${relativeDate(hold.at)}: Patchbay wasn’t running since ${relativeDate(hold.from)}. ${continueText(null)}`;
    case 'unanswered':
      return md`${unansweredText(action, hold.sends)} ${RESUMED_BY_OTHERS} Waiting since ${relativeDate(hold.at)}.`;
    case 'gate':
      return md`Wave ${rollout.wave} ended ${relativeDate(hold.at)}. ${CONTINUED_BY_OTHERS}`;
    case 'stopped':
      return stoppedText(hold);
  }
}

/** `plan`: whose time begins again. */
function continueText(plan: Pick<RolloutPlan, 'lastsMs'> | null): Mrkdwn {
  const again =
    plan === null ? md`` : md` and there are ${trustedMrkdwn(durationText(plan.lastsMs))} for the rest`;
  return md`${CONTINUED_BY_OTHERS} The devices are re-checked first${again}.`;
}

export function stoppedText({ by, at, why, comment }: Extract<RolloutHold, { kind: 'stopped' }>): Mrkdwn {
  if (by !== null)
    return md`${trustedMrkdwn(why === 'closed' ? 'Closed' : 'Stopped')} by ${mentionPerson(by)} ${relativeDate(at)}.${commentText(comment)}`;
  if (why === 'rights')
    return md`Stopped ${relativeDate(at)}: the requester no longer has the role to request it.`;
  return why === 'unresumed'
    ? md`Stopped ${relativeDate(at)}: nobody continued it for 7 days.`
    : md`Stopped ${relativeDate(at)}: nobody approved the rest in time.`;
}

function pauseCause({ by, since }: Extract<RolloutHold, { kind: 'paused' }>): Mrkdwn {
  if (by !== null) return md`by ${mentionPerson(by)}`;
  return since === undefined
    ? md`because all changes were paused`
    : md`by Patchbay, because it could not go on since ${relativeDate(since)},`;
}

/** A command in a queue has no way back, whatever holds the rest. */
function queuedText({ counts, rollout, state }: RolloutRequest): readonly Block[] {
  const sent = alreadySentText(counts);
  if (rollout.hold === null || sent === null || state === 'ended') return [];
  return [context(md`${trustedMrkdwn(SIGN.running)} ${sent} Patchbay keeps checking.`)];
}
