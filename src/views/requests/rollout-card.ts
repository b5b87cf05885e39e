/** The card of a rollout, drawn from the request, its counts and its summary, never from all of its devices. */

import { changesRecord } from '../../fleet/model/actions.ts';
import { bySomeKinds } from '../../lib/record-fields.ts';
import { durationText } from '../../lib/text.ts';
import type { RolloutIncident } from '../../rollout/incidents.ts';
import { estimateRollout, type RolloutPlan } from '../../rollout/plan.ts';
import { isHeld, type RolloutHold } from '../../rollout/progress.ts';
import { countIn } from '../../rollout/results.ts';
import type { ErrorFacts, Evidence } from '../../store/port/evidence.ts';
import {
  hasFailed,
  type RequestRecord,
  type RequestTarget,
  type RequestWithTargets,
  type TargetCounts,
  totalOf,
  undecidedIn,
} from '../../store/port/request-records.ts';
import { selectedByText } from '../fleet/completeness.ts';
import { actions, type Button, context, rowBlocks, section } from '../kit/blocks.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block, RenderedMessage } from '../kit/limits.ts';
import { mentionPerson } from '../kit/mentions.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { RolloutDetails } from '../models/request-model.ts';
import { countText, listTargets, STATE_LABELS } from '../text/common-text.ts';
import { demandBlocks } from './demands.ts';
import { errorText } from './evidence.ts';
import { editChangeBlocks, finalityWarning, packageBlocks, targetFactBlocks } from './facts.ts';
import { outcomeBlocks } from './outcome.ts';
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
import {
  brakedText,
  controlButtons,
  decisionButtons,
  requestAgainButton,
  resultsButton,
  retryButtons,
} from './request-buttons.ts';
import {
  cardHead,
  commentText,
  factsOf,
  type RequestCardView,
  renderRequestCard,
  requestFactsToApprove,
} from './request-card.ts';
import {
  alreadySentText,
  CONTINUED_BY_OTHERS,
  countsLine,
  doneText,
  hasOutcome,
  isRollout,
  mayRunLines,
  offlineText,
  problemCount,
  progressLines,
  RESUMED_BY_OTHERS,
  type RolloutRequest,
  resultLine,
  stateText,
  targetState,
  unansweredText,
  waveWaits,
} from './request-label.ts';

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
    ...demandBlocks(request),
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

const BUDGET = 3_000;
/** Names listed for each cause. */
const MAX_NAMES = 5;

/** `total`: how many there are, loaded or not. */
export function problemBlocks(targets: readonly RequestTarget[], total: number): readonly Block[] {
  const groups = Map.groupBy(targets, causeText);
  const rows = [...groups]
    .toSorted(([, a], [, b]) => Number(isUnsent(a)) - Number(isUnsent(b)) || b.length - a.length)
    .map(([cause, devices]) => causeRow(cause, devices));
  const unread = total - targets.length;
  const rest = unread > 0 ? [md`${countText(unread, 'more device')} not shown here.`] : [];
  return rowBlocks([...rows, ...rest], {
    budget: BUDGET,
    more: (left) => md`${countText(left, 'more cause')} not shown.`,
  });
}

function causeRow(cause: Mrkdwn, devices: readonly RequestTarget[]): Mrkdwn {
  const listed = listTargets(devices, MAX_NAMES);
  return devices.length === 1
    ? md`${cause}: ${listed}`
    : md`${cause}, ${countText(devices.length, 'device')}: ${listed}`;
}

/** Where it did not work is more urgent than where nothing was sent. */
function isUnsent([first]: readonly RequestTarget[]): boolean {
  return first?.state === 'not_sent';
}

/** Sign, state and why, in words that several devices share. */
function causeText(target: RequestTarget): Mrkdwn {
  const isFailed = hasFailed(target);
  const sign = isFailed ? SIGN.failed : STATE_LABELS[targetState(target.state)].sign;
  const state = isFailed ? md`Failed` : stateText(target);
  const [why] = target.evidence.flatMap((one) => sharedWords(one) ?? []);
  return why === undefined
    ? md`${trustedMrkdwn(sign)} ${state}`
    : md`${trustedMrkdwn(sign)} ${state} (${why})`;
}

/** Without what differs from device to device, such as times and packages. */
const sharedWords = bySomeKinds<Evidence, Mrkdwn>({
  refused: errorWords,
  unsent: errorWords,
  unread: errorWords,
  'not-read-yet': errorWords,
  'unread-to-the-end': errorWords,
  'answer-lost': errorWords,
  'install-failed': ({ words }) => reasonWords(words, md`installation failed`),
  'not-installed': ({ nameless }) => reasonWords(nameless?.words ?? null, md`packages still missing`),
  'policy-failed': ({ exitCode }) => (exitCode === null ? md`the policy failed` : md`exit code ${exitCode}`),
  'rights-lost': ({ who }) => md`the ${trustedMrkdwn(who)} lost the role`,
  'not-back': md`went offline and did not come back`,
  'not-restarted': md`did not restart`,
  'not-refreshed': md`did not refresh`,
  'still-queued': md`still in the device’s queue when Patchbay stopped checking`,
  'left-queue': md`left the queue without an answer`,
  gone: md`no longer in the management service`,
  unverifiable: md`no longer in the management service`,
  'already-queued': md`already in the device’s queue`,
  'under-way': md`the same command is in progress`,
  offline: md`offline`,
  stopped: md`the rollout was stopped`,
  'rights-unread': md`roles could not be checked`,
  paused: md`changes were paused`,
  'pause-unread': md`a pause could not be checked`,
  'too-late': md`too late`,
  delayed: md`too late`,
  'request-waiting': md`another request was waiting`,
  drifted: md`changed since the request`,
});

function errorWords({ error }: { readonly error: ErrorFacts }): Mrkdwn {
  return errorText(error);
}

function reasonWords(words: string | null, otherwise: Mrkdwn): Mrkdwn {
  return words === null || words === '' ? otherwise : escapeMrkdwn(words, 120);
}

/** A line in the thread of a rollout's card: a wave ended, or something happened that people should know. */
type RolloutLineView = {
  readonly kind: 'rollout-line';
  readonly request: RequestRecord;
  readonly incident: RolloutIncident;
  readonly waves: readonly TargetCounts[];
};

export function renderRolloutLine(view: RolloutLineView): RenderedMessage {
  const text = lineText(view);
  return buildMessage({ text, body: [section(text)] });
}

function lineText({ request, incident, waves }: RolloutLineView): Mrkdwn {
  const all = request.rollout?.plan.waves.length ?? 1;
  switch (incident.kind) {
    case 'wave-ended': {
      const counts = waves[incident.wave] ?? {};
      const results = totalOf(counts) === 0 ? md`` : md`: ${countsLine(counts)}`;
      const next =
        request.rollout?.wave === incident.wave + 1 ? waveWaits(request.rollout, request.counts) : [];
      const done = md`${trustedMrkdwn(SIGN.running)} Wave ${incident.wave + 1} of ${all} done${results}.`;
      return joinMrkdwn([done, ...next], ' ');
    }
    // Returned for a new approval, or held where another request waits for the same.
    case 'drifted':
      return md`${trustedMrkdwn(SIGN.warning)} Stopped automatically before wave ${incident.wave + 1} of ${all}: ${incident.bad} of ${incident.ended} devices changed since the request, or rules ask for more by now. An approver has to decide on the rest.`;
    case 'braked':
    case 'unproven':
      return md`${trustedMrkdwn(SIGN.warning)} ${brakedText(incident)} ${RESUMED_BY_OTHERS}`;
    case 'unanswered':
      return md`${trustedMrkdwn(SIGN.warning)} ${unansweredText(request.action, incident.sends)} ${RESUMED_BY_OTHERS}`;
    case 'expired':
      return md`${trustedMrkdwn(SIGN.warning)} Paused: the approval ended. ${CONTINUED_BY_OTHERS}`;
    case 'away':
      return md`${trustedMrkdwn(SIGN.warning)} Paused: Patchbay wasn’t running since ${relativeDate(incident.from)}. ${CONTINUED_BY_OTHERS}`;
    case 'unresumed':
      return md`${trustedMrkdwn(SIGN.ended)} Stopped: nobody continued it for 7 days. What was sent can’t be canceled.`;
    case 'paused':
      return incident.by === null
        ? md`${trustedMrkdwn(SIGN.warning)} Paused by Patchbay. The card says why.`
        : md`${trustedMrkdwn(SIGN.warning)} Paused by ${mentionPerson(incident.by)}.`;
    case 'resumed':
      return md`${trustedMrkdwn(SIGN.running)} Resumed${byText(incident.by)}.`;
    case 'continued':
      return md`${trustedMrkdwn(SIGN.running)} Continued${byText(incident.by)}.`;
    case 'continued-without':
      return md`${trustedMrkdwn(SIGN.running)} Continued${byText(incident.by)} without the offline devices. They run the command once they’re back online.`;
    case 'closed':
      return md`${trustedMrkdwn(SIGN.ended)} Closed${byText(incident.by)}. Offline devices that already have the command may still run it.`;
    case 'stopped':
      return md`${trustedMrkdwn(SIGN.ended)} Stopped${byText(incident.by)}. What was sent can’t be canceled.`;
  }
}

function byText(by: Parameters<typeof mentionPerson>[0] | null): Mrkdwn {
  return by === null ? md`` : md` by ${mentionPerson(by)}`;
}
