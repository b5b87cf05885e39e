/** How a request ended, in a direct message to the requester: the state, the evidence, and where the card is. */
import { lowerFirst } from '../../lib/text.ts';
import { isHeld } from '../../rollout/progress.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block, RenderedMessage } from '../kit/limits.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage, type Labelled, SIGN } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { RolloutDetails } from '../models/request-model.ts';
import { actionTitle } from '../text/common-text.ts';
import { noteText } from './evidence.ts';
import { outcomeBlocks } from './outcome.ts';
import { controlButtons, requestAgainButton, retryButtons } from './request-buttons.ts';
import {
  cardTitle,
  decisionBlocks,
  decisionNoteBlocks,
  namesOf,
  requestedBy,
  requestTitle,
  stateLine,
} from './request-card.ts';
import {
  countsLine,
  hasOutcome,
  isRollout,
  mayRunLines,
  NEEDS_APPROVAL_AGAIN,
  outcomeState,
  problemCount,
  progressLines,
  requestLabel,
} from './request-label.ts';
import { holdLines, problemBlocks, stoppedText } from './rollout-card.ts';

export type CompletionView = {
  readonly kind: 'completion';
  readonly request: RequestWithTargets;
  /** A link to the card; null where it is not posted. */
  readonly link: string | null;
  readonly details?: RolloutDetails;
  /** Those that expired with it, itself among them. */
  readonly expired?: readonly RequestWithTargets[];
};

type InvolvedMessage = {
  /** `approvers`: all of them, because nobody approved it. */
  readonly to: 'requester' | 'approver' | 'approvers';
  readonly request: RequestWithTargets;
  readonly link: string | null;
};
/** The direct message to requester or approver when an approved request returns for re-approval or ends unsent. */
export type ReturnedView = InvolvedMessage & { readonly kind: 'returned' };
export type HeldView = InvolvedMessage & { readonly kind: 'held' };

export function renderCompletionMessage(view: CompletionView): RenderedMessage {
  const { request, link: url, details, expired = [] } = view;
  if (expired.length > 1) return expiredTogether(expired);
  const { sign, words } = requestLabel(request);
  const plain = md`Your request: ${actionTitle(request.action, namesOf(request))}`;
  const title = md`Your request: ${requestTitle(request)}`;
  return buildMessage({
    text: md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}. ${plain}`,
    body: [
      section(md`${trustedMrkdwn(sign)} *${trustedMrkdwn(words)}.* ${title}`),
      ...endedBlocks(request),
      ...rolloutBlocks(request, details),
    ],
    footer: [...actions(...againButtons(request)), ...cardLink(url)],
  });
}

/** Several that nobody decided in time. */
function expiredTogether(requests: readonly RequestWithTargets[]): RenderedMessage {
  const text = md`${trustedMrkdwn(SIGN.ended)} *${requests.length} of your requests expired.* Nobody decided them in time. Nothing was sent.`;
  const rows = requests.slice(0, MAX_EXPIRED).map((request) => {
    const asked = md`${requestTitle(request)}\nRequested ${relativeDate(request.createdAt)}`;
    return section(asked, requestAgainButton(request));
  });
  const left = requests.length - rows.length;
  const footer = left === 0 ? [] : [context(md`And ${left} more.`)];
  return buildMessage({ text, body: [section(text), ...rows], footer });
}

/** More would not fit a message. */
const MAX_EXPIRED = 20;

/** What worked, and the devices on which it did not or that got nothing, grouped by cause. */
function rolloutBlocks(request: RequestWithTargets, details: RolloutDetails | undefined): readonly Block[] {
  if (!isRollout(request) || !hasOutcome(request)) return [];
  const { counts } = request;
  const counted = joinMrkdwn([countsLine(counts), ...mayRunLines(counts)], '\n');
  return [section(counted), ...problemBlocks(details?.problems ?? [], problemCount(counts))];
}

function againButtons(request: RequestWithTargets): readonly (Button | null)[] {
  if (!hasOutcome(request) && request.state !== 'expired') return [];
  return isRollout(request) && request.state !== 'expired'
    ? retryButtons(request)
    : [requestAgainButton(request)];
}

function cardLink(url: string | null): readonly Block[] {
  return url === null ? [] : [context(linkTo(url, md`Open the request`))];
}

export function renderReturnedForReapproval(view: ReturnedView): RenderedMessage {
  const { note, action } = view.request;
  const why = note === null ? [] : [section(noteText(note, action))];
  const isEnded = isNotSent(view.request) && !isRollout(view.request);
  return messageToInvolved(view, returnedLabel(view.request), isEnded ? outcomeBlocks(view.request) : why);
}

/** Tells them how far the rollout came, why it stands still and who can let it go on; later who decided what. */
export function renderHeldMessage(view: HeldView): RenderedMessage {
  const { request, to } = view;
  if (!isRollout(request) || !isHeld(request))
    return messageToInvolved(view, NO_LONGER_HELD, [section(noLongerHeldText(request))]);
  const lines = section(joinMrkdwn([...progressLines(request), ...holdLines(request)], '\n'));
  const buttons = to === 'requester' ? [] : actions(...controlButtons(request, false));
  return messageToInvolved(view, requestLabel(request), [lines, ...buttons]);
}

const NO_LONGER_HELD = { sign: SIGN.ended, words: 'No longer waiting' };

/** Without the progress, which comes after the message. */
function noLongerHeldText(request: RequestWithTargets): Mrkdwn {
  const { hold, resumedBy } = request.rollout ?? { hold: null, resumedBy: null };
  if (hold?.kind === 'stopped') return stoppedText(hold);
  const { words } = requestLabel(request);
  return resumedBy === null || request.state === 'waiting'
    ? md`${trustedMrkdwn(words)}.`
    : md`${mentionPerson(resumedBy)} let it continue.`;
}

function messageToInvolved(
  { to, request, link }: InvolvedMessage,
  label: Labelled,
  why: readonly Block[],
): RenderedMessage {
  return buildMessage({
    text: stateLine(label, request),
    body: [
      section(cardTitle(label, request)),
      section(to === 'approvers' ? requestedBy(request) : INVOLVED[to]),
      ...why,
    ],
    footer: cardLink(link),
  });
}

const INVOLVED = { requester: md`You requested this.`, approver: md`You approved this.` };

/** A delayed message names the state that the request has by then. */
function returnedLabel(request: RequestWithTargets): Labelled {
  const { sign, words } = requestLabel(request);
  if (request.state === 'waiting') return NEEDS_APPROVAL_AGAIN;
  if (isNotSent(request) || request.rollout?.hold?.kind === 'stopped') return { sign, words };
  return { sign, words: `Needed approval again, now ${lowerFirst(words)}` };
}

function isNotSent(request: RequestWithTargets): boolean {
  const state = outcomeState(request);
  return hasOutcome(request) && (state === 'not_sent' || state === 'not_needed');
}

function endedBlocks(request: RequestWithTargets) {
  if (request.expiresAt === null) return isRollout(request) ? [] : outcomeBlocks(request);
  // Patchbay ended it, so the message says why: its card may never have been posted.
  const isUnasked = request.state === 'expired' || request.state === 'withdrawn';
  const why = isUnasked && request.decidedBy === null ? decisionNoteBlocks(request) : [];
  return [...decisionBlocks(request), ...why];
}
