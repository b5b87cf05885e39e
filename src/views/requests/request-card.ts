/** The card of a request: its state, what is requested, by whom and why, and what an approver decides by; then who decided and the outcome. */

import type { TargetFacts } from '../../fleet/facts/facts.ts';
import { recordKindOf } from '../../fleet/model/actions.ts';
import type { PersonId } from '../../lib/ids.ts';
import { lowerFirst, upperFirst } from '../../lib/text.ts';
import { isHeld } from '../../rollout/progress.ts';
import {
  isFollowed,
  type RequestRecord,
  type RequestWithTargets,
  totalOf,
} from '../../store/port/request-records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { boldHeading, escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { linkTo, mentionPerson, withTicketLinks } from '../kit/mentions.ts';
import { buildMessage, type Labelled, stateTitle } from '../kit/message.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { LinkedRequest } from '../models/list-model.ts';
import type { RolloutDetails } from '../models/request-model.ts';
import {
  actionTitle,
  commandName,
  commandPhrase,
  type DeviceNames,
  identityOf,
  identitySuffix,
  type NamedTarget,
  STATE_LABELS,
} from '../text/common-text.ts';
import { demandBlocks, demandLines, listed } from './demands.ts';
import { evidenceText, noteText } from './evidence.ts';
import {
  editChangeBlocks,
  factLine,
  installBlocks,
  packageBlocks,
  removalBlocks,
  targetFactBlocks,
  warningText,
} from './facts.ts';
import { delayText, nextStepButtons, outcomeBlocks } from './outcome.ts';
import { decisionButtons } from './request-buttons.ts';
import { hasOutcome, isRollout, memberLabel, requestLabel, wentBack } from './request-label.ts';

export type RequestCardView = {
  readonly kind: 'request';
  readonly request: RequestWithTargets;
  /** For a channel, so without personal data. */
  readonly shared?: boolean;
  readonly details?: RolloutDetails;
};

/** Of one device, group or policy. */
export function renderRequestCard({ request, shared = false }: RequestCardView): RenderedMessage {
  if (request.expiresAt === null) return immediateCard(request);
  return request.state === 'waiting' ? waitingCard(request, shared) : decidedCard(request, shared);
}

function immediateCard(request: RequestWithTargets): RenderedMessage {
  const label = requestLabel(request);
  const by = md`Requested by ${mentionPerson(request.requesterId)} ${relativeDate(request.createdAt)}${andReason(request)}`;
  return buildMessage({
    text: stateLine(label, request),
    body: [section(cardTitle(label, request)), section(by), ...outcomeBlocks(request)],
    footer: nextStepButtons(request),
  });
}

/** An approver decides by what the card shows, so only the note may be cut. */
function waitingCard(request: RequestWithTargets, shared: boolean): RenderedMessage {
  const { text, top } = cardHead(request);
  return buildMessage({
    text,
    body: top,
    footer: [...requestFactsToApprove(request, shared), ...actions(...decisionButtons(request))],
  });
}

/** What an approver decides by, below who requested it. */
export function requestFactsToApprove(request: RequestWithTargets, shared: boolean): readonly Block[] {
  return [
    ...demandBlocks(request),
    ...changes(request, shared),
    ...targetFactBlocks(factsOf(request), shared, request.action),
    context(deadline(request)),
  ];
}

function decidedCard(request: RequestWithTargets, shared: boolean): RenderedMessage {
  const { text, top } = cardHead(request);
  return buildMessage({
    text,
    body: [...top, ...decided(request, shared)],
    footer: hasOutcome(request) || request.state === 'expired' ? nextStepButtons(request) : [],
  });
}

/** How each card begins that somebody had to approve, and its notification. */
export function cardHead(request: RequestWithTargets) {
  const label = requestLabel(request);
  const top = [
    section(cardTitle(label, request)),
    section(requestedBy(request)),
    ...decisionBlocks(request),
    ...decisionNoteBlocks(request),
  ];
  return { text: stateLine(label, request), top };
}

/** A waiting request for one thing as the Home shows it: title, requester, facts and deadline, and the changes of an edit. */
export function requestBlocks(
  request: RequestWithTargets,
  { shared, card }: { readonly shared: boolean; readonly card: Mrkdwn | null },
): readonly Block[] {
  const [only] = factsOf(request);
  const top = md`${requestHeading(request)}\n${requestedBy(request)}`;
  const known = only === undefined ? null : factLine(only, shared, request.action);
  const between = [...decisionNoteBlocks(request), ...demandBlocks(request), ...changes(request, shared)];
  const end = context(deadline(request), ...(card === null ? [] : [card]));
  if (known === null) return [section(top), ...between, end];
  return between.length === 0
    ? [section(md`${top}\n${known}`), end]
    : [section(top), ...between, section(known), end];
}

export function factsOf({ targets }: Pick<RequestWithTargets, 'targets'>): readonly TargetFacts[] {
  return targets.map(({ facts }) => facts);
}

function deadline(request: RequestWithTargets): Mrkdwn {
  return md`${warningText(request.action, factsOf(request))} ${expiryText(request)}`;
}

/** What the approver decided on: shown below the outcome. */
function decided(request: RequestWithTargets, shared: boolean): readonly Block[] {
  const [only] = factsOf(request);
  if (only === undefined) return [];
  // Dated, because older facts would seem to contradict the outcome.
  const line = factLine(only, shared, request.action);
  const then = line === null ? [] : [context(md`State as of ${relativeDate(only.asOf)}: ${line}`)];
  return [...changes(request, shared), ...then];
}

/** What is to be installed, or changed field by field, or goes with what is removed. */
function changes(request: RequestWithTargets, shared: boolean): readonly Block[] {
  const { action, state } = request;
  const facts = factsOf(request);
  return [
    ...packageBlocks(action),
    ...installBlocks(facts, action, state !== 'waiting'),
    ...editChangeBlocks(action, facts, shared),
    ...removalBlocks(action, facts),
  ];
}

/** What is requested, and of what: as many names as there are, or as `counts` say. */
type Requested = Pick<RequestRecord, 'action'> & {
  readonly targets: readonly NamedTarget[];
  readonly counts?: RequestRecord['counts'];
};

export function cardTitle(label: Labelled, requested: Requested): Mrkdwn {
  const { name, others } = subjectOf(requested);
  return md`${stateTitle(label, commandPhrase(requested.action), name)}${others}`;
}

/** The same with the state as it is. */
export function requestHeading(request: RequestWithTargets): Mrkdwn {
  return cardTitle(requestLabel(request), request);
}

/** The same for notifications. */
export function stateLine({ sign, words }: Labelled, requested: Requested): Mrkdwn {
  const what = actionTitle(requested.action, namesOf(requested));
  return md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}: ${what}`;
}

/** The names of its targets, or their number where not all are loaded. */
export function namesOf({ targets, counts }: Pick<Requested, 'targets' | 'counts'>): DeviceNames {
  const total = counts === undefined ? targets.length : totalOf(counts);
  return total > targets.length ? total : targets;
}

export function requestedBy(request: WithReason & Pick<RequestRecord, 'requesterId'>): Mrkdwn {
  return md`Requested by ${mentionPerson(request.requesterId)}${andReason(request)}`;
}

/** After who requested it; nothing where no reason was given. */
export function andReason(request: WithReason): Mrkdwn {
  return request.reason === null || request.reason === '' ? md`` : md` · ${reasonText(request)}`;
}

/** Several small requests of one person are one large one. */
export function lastHourText({ askedLastHour, counts, reach }: RequestWithTargets): Mrkdwn {
  if (askedLastHour === null || askedLastHour <= totalOf(counts) * reach) return md``;
  return md`\nThe requester asked for changes of ${askedLastHour} devices in the hour up to this request.`;
}

/** What is requested and of which device, in bold. */
export function requestTitle(requested: Requested): Mrkdwn {
  const { name, others } = subjectOf(requested);
  return md`${boldHeading(commandPhrase(requested.action), name)}${others}`;
}

/** The name of the only device with what else tells it from others, or their number. */
function subjectOf({ targets, counts }: Requested): { readonly name: string; readonly others: Mrkdwn } {
  const [only] = targets;
  const total = counts === undefined ? targets.length : totalOf(counts);
  return only !== undefined && total === 1
    ? { name: identityOf(only).displayName, others: identitySuffix(only) }
    : { name: `${total} devices`, others: md`` };
}

export function reasonText({ reason, ticketUrl }: WithReason): Mrkdwn {
  return reason === null || reason === ''
    ? md`No reason given.`
    : md`Reason: ${withTicketLinks(escapeMrkdwn(reason, DISPLAY_LIMIT.sentence), ticketUrl)}`;
}

type WithReason = Pick<RequestWithTargets, 'reason' | 'ticketUrl'>;

/** What whoever decided it said, on a line of its own. */
export function commentText(comment: string | null = null): Mrkdwn {
  return comment === null ? md`` : md`\nComment: ${escapeMrkdwn(comment, DISPLAY_LIMIT.sentence)}`;
}

/** Why the request went back, who had approved it before, or what it waits for. Left out once it is approved again. */
export function decisionNoteBlocks(request: RequestRecord): readonly Block[] {
  const { note, state, action, rollout, approvedBy, approvedAt } = request;
  const isAwaited = note?.kind === 'rights-unread' && state !== 'ended' && (rollout?.hold ?? null) === null;
  const wasApproved = state === 'approved' || state === 'running' || state === 'ended';
  if (note === null || (wasApproved && !isAwaited)) return [];
  const why = noteText(note, action);
  if (approvedBy === null) return [section(why)];
  const at = approvedAt === null ? md`` : md` ${relativeDate(approvedAt)}`;
  return [section(md`${why} The request had been approved by ${mentionPerson(approvedBy)}${at}.`)];
}

function expiryText(request: RequestWithTargets): Mrkdwn {
  const [first] = factsOf(request);
  const read =
    first === undefined
      ? md``
      : md` ${trustedMrkdwn(upperFirst(recordKindOf(request.action)))} data as of ${relativeDate(first.asOf)}.`;
  return md`The request expires ${dateOr(request.expiresAt, '')}.${read}`;
}

/** A decided request: who decided and when, and the outcome after an approval; a rollout draws its own. */
export function decisionBlocks(request: RequestWithTargets): readonly Block[] {
  // Nobody had to approve it.
  if (request.expiresAt === null) return [];
  const said = commentsText(request);
  const by = request.decidedBy === null ? md`` : md` by ${deciders(request.decidedBy, request)}`;
  const at = dateOr(request.decidedAt, '');
  switch (request.state) {
    case 'waiting':
      return [];
    case 'approved':
      return [
        section(
          hasOutcome(request)
            ? md`Approved${by} ${at}.${said}`
            : md`Approved${by} ${at}. ${rechecking(request)}${said}`,
        ),
      ];
    case 'running':
    case 'ended':
      return [
        section(md`Approved${by} ${at}.${said}`),
        ...(isRollout(request) ? [] : outcomeBlocks(request)),
      ];
    case 'denied':
      return [section(md`Denied${by} ${at}. Nothing was sent.${said}`)];
    case 'withdrawn': {
      const whose = request.decidedBy === null ? md` by Patchbay` : by;
      return [section(md`Withdrawn${whose} ${at}. Nothing was sent.`)];
    }
    case 'expired': {
      const who = wentBack(request)
        ? md`Nobody decided again before it expired`
        : md`Nobody decided before it expired`;
      const { approvals } = request.rules;
      const lines = approvals.length === 0 ? null : demandLines(request.rules);
      const why = lines === null ? who : md`Not enough people approved it before it expired`;
      return [
        section(
          md`${why} ${dateOr(request.expiresAt, '')}. Nothing was sent.${lines === null ? md`` : md`\n${lines}`}`,
        ),
      ];
    }
  }
}

/** What each said who approved it, or who decided otherwise. */
export function commentsText(request: RequestRecord): Mrkdwn {
  const { approvals } = request.rules;
  const said = approvals.filter((one) => one.comment !== undefined);
  if (!hasOutcome(request) || approvals.length < 2 || said.length === 0) return commentText(request.comment);
  const lines = said.map(
    (one) =>
      md`Comment of ${mentionPerson(one.by)}: ${escapeMrkdwn(one.comment ?? '', DISPLAY_LIMIT.sentence)}`,
  );
  return md`\n${listed(lines, '\n')}`;
}

/** Whoever agreed before, and whose approval was the last one that it needed. */
export function deciders(last: PersonId, request: RequestRecord): Mrkdwn {
  const agreed = hasOutcome(request) ? request.rules.approvals : [];
  const before = agreed.map(({ by }) => by).filter((by) => by !== last);
  return joinMrkdwn([...before, last].map(mentionPerson), ', ');
}

/** What follows an approval. It never says that nothing was sent yet, because the card may be read later. */
function rechecking({ action, counts, targets }: RequestWithTargets): Mrkdwn {
  const [delay] = targets.flatMap((target) => delayText(target, action) ?? []);
  if (delay !== undefined) return delay;
  const thing = totalOf(counts) === 1 ? recordKindOf(action) : 'devices';
  return md`Re-checking the ${trustedMrkdwn(thing)}, then sending.`;
}

/** A request whose only target is the device, on the device's card and in its timeline. */
export function deviceRequestText({ request, link }: LinkedRequest): Mrkdwn {
  const parts = [
    stateText(request),
    requestedBy(request),
    ...(link === null ? [] : [linkTo(link, md`Open the request`)]),
    ...decisionText(request),
  ];
  return joinMrkdwn(parts, ' · ');
}

function stateText(request: RequestWithTargets): Mrkdwn {
  const { action, targets } = request;
  const [target] = targets;
  const title = commandName(action);
  const what = escapeMrkdwn(title, DISPLAY_LIMIT.name * 2);
  // A device whose turn has not come stands still with its rollout.
  const isNext = target?.state === 'ready' && isHeld(request);
  const sent = hasOutcome(request) && !isNext ? target : undefined;
  const { sign, words } = sent === undefined ? requestLabel(request) : memberLabel(sent);
  if (sent !== undefined && isFollowed(sent) && sent.state !== 'unknown')
    return md`${trustedMrkdwn(sign)} ${what} under way since ${relativeDate(sent.issuedAt)} (${trustedMrkdwn(lowerFirst(words))})`;
  const why = sent === undefined || sent.state === 'verified' ? null : evidenceText(sent.evidence, action);
  // What a person decided says when in its own words.
  const endedAt = sent?.endedAt ?? (request.decidedBy === null ? request.decidedAt : null);
  const at = endedAt === null ? md`` : md` ${relativeDate(endedAt)}`;
  const state = md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}${at}: ${what}`;
  if (isNext) return md`${state}. Nothing was sent to this device. It waits with the rollout.`;
  return why === null ? state : md`${state}. ${why}`;
}

function decisionText(request: RequestWithTargets): readonly Mrkdwn[] {
  const { decidedBy, decidedAt, state } = request;
  if (decidedBy === null) return [];
  const words = trustedMrkdwn(
    state === 'denied' || state === 'withdrawn' ? STATE_LABELS[state].words : 'Approved',
  );
  const by = deciders(decidedBy, request);
  return [md`${words} by ${by} ${dateOr(decidedAt, '')}${commentsText(request)}`];
}
