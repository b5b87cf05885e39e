/** What waits for an approver, rollouts that are held first, or one's own requests; one of them also on the Home. */
import type { PersonId } from '../../lib/ids.ts';
import { isHeld } from '../../rollout/progress.ts';
import { type RequestWithTargets, undecidedIn } from '../../store/port/request-records.ts';
import { actions, section } from '../kit/blocks.ts';
import { type CsvTable, csvList, csvTable, utcTimestamp } from '../kit/csv.ts';
import { joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { dateOr, relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import type { LinkedRequest } from '../models/records-model.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import { commandPhrase, countText } from '../text/common-text.ts';
import { identityOf } from '../text/target-name.ts';
import { hasOutcome } from './card-state.ts';
import { approverButtons, decideSeveralButton, withdrawButton } from './decision-buttons.ts';
import {
  commentText,
  reasonText,
  requestBlocks,
  requestedBy,
  requestHeading,
  stateLine,
} from './request-card.ts';
import { requestLabel } from './request-label.ts';
import { controlButtons } from './rollout/control-buttons.ts';
import { planText, unusualText } from './rollout/plan-text.ts';
import { holdLines } from './rollout/rollout-card.ts';
import { isRollout, progressLines, type RolloutRequest, resultLine } from './rollout/rollout-label.ts';

type ApprovalListView = {
  readonly kind: 'approvals';
  /** True: the reader's own requests in any state. False: all that wait for approval. */
  readonly mine: boolean;
  readonly rows: readonly LinkedRequest[];
  /** Who may decide the requests of others; absent: the reader may decide none. */
  readonly decider?: PersonId;
  /** Without personal data. */
  readonly shared?: true;
  readonly paging: Paging;
};

export function renderApprovalList(view: ApprovalListView): RenderedMessage {
  const { mine, rows, paging } = view;
  const waiting = rows.some(({ request }) => isHeld(request))
    ? md`Rollouts and requests waiting for an approver`
    : md`Requests waiting for approval`;
  const title = mine ? md`Your requests` : waiting;
  const none = mine ? md`You have no requests that need approval.` : md`No requests are waiting.`;
  const total = countText(paging.total, 'request');
  const requests = rows.map(({ request }) => request);
  const several =
    view.decider === undefined ? null : decideSeveralButton(requests, paging.total - rows.length);
  return buildMessage({
    text: md`${title}: ${paging.total}.`,
    body: [
      section(md`*${title}*`, several),
      ...(rows.length === 0 ? [section(none)] : []),
      ...(mine ? rows.map((row) => ownRow(row, view)) : rows.flatMap((row) => decidableBlocks(row, view))),
    ],
    footer: pageButtons(paging, total),
  });
}

function ownRow(row: LinkedRequest, { shared }: ApprovalListView): Block {
  const mayWithdraw = row.request.state === 'waiting' && shared !== true;
  return section(approvalRow(row), mayWithdraw ? withdrawButton(row.request) : null);
}

/** As on the Home. Nobody decides a request of their own. */
function decidableBlocks(row: LinkedRequest, { decider, shared }: ApprovalListView): readonly Block[] {
  const { request, link } = row;
  const isOpen = request.state === 'waiting' || isHeld(request);
  if (decider === undefined || request.requesterId === decider || !isOpen) return [section(approvalRow(row))];
  const card = link === null ? null : linkTo(link, md`Open the request`);
  return pendingRequestBlocks(request, { shared: shared === true, card });
}

function approvalRow({ request, link: address }: ApprovalListView['rows'][number]): Mrkdwn {
  const { requesterId, createdAt, reason, comment } = request;
  const card = address === null ? md`` : md` · ${linkTo(address, md`Open the request`)}`;
  const why = reason === null || reason === '' ? md`` : md` · ${reasonText(request)}`;
  const held = holdLines(request).map((line) => md`\n${line}`);
  return md`${decisionStateText(request)}${joinMrkdwn(held, '')}\nRequested by ${mentionPerson(requesterId)} ${relativeDate(createdAt)}${why}${card}${commentText(comment)}`;
}

/** The state in the words of its card and of `operations`, and who decided. */
function decisionStateText(request: RequestWithTargets): Mrkdwn {
  const { state: now, expiresAt, decidedBy } = request;
  const state = stateLine(requestLabel(request), request);
  const decided = hasOutcome(request) ? md`approved by` : md`by`;
  const by = decidedBy === null ? md`` : md` · ${decided} ${mentionPerson(decidedBy)}`;
  switch (now) {
    case 'waiting':
      return md`${state} · expires ${dateOr(expiresAt, '')}`;
    case 'approved':
    case 'running':
    case 'ended':
      return md`${state}${by}${isRollout(request) ? md` · ${resultLine(request)}` : md``}`;
    case 'denied':
    case 'withdrawn':
      return md`${state}${by}`;
    case 'expired':
      return md`${state} · ${dateOr(expiresAt, '')}`;
  }
}

export function approvalsCsv(view: ApprovalListView): CsvTable {
  return csvTable(
    view.rows.map(({ request }) => request),
    {
      id: (request) => request.id,
      state: (request) => request.state,
      command: (request) => commandPhrase(request.action),
      devices: (request) => csvList(request.targets.map(({ displayName }) => displayName)),
      hostnames: (request) => csvList(request.targets.map((one) => identityOf(one).hostname ?? '')),
      'device ids': (request) => request.targets.map(({ deviceId }) => deviceId ?? '').join('; '),
      'asked by': (request) => request.requesterId,
      asked: (request) => utcTimestamp(request.createdAt),
      'decided by': (request) => request.decidedBy,
      decided: (request) => utcTimestamp(request.decidedAt),
      reason: (request) => request.reason,
      comment: (request) => request.comment,
    },
  );
}

type PendingOptions = {
  /** Without personal data. */
  readonly shared: boolean;
  /** A link to the card; null where it is not known. */
  readonly card: Mrkdwn | null;
};

/** Approvers decide what they saw: one device has the facts and buttons of its card. */
export function pendingRequestBlocks(
  request: RequestWithTargets,
  { shared, card }: PendingOptions,
): readonly Block[] {
  if (isRollout(request))
    return isHeld(request) ? heldRolloutBlocks(request, card) : pendingRolloutBlocks(request, card);
  return [...requestBlocks(request, { shared, card }), ...decideBlocks(request)];
}

/** What is unusual, and the plan; its devices are in the request. */
function pendingRolloutBlocks(request: RolloutRequest, card: Mrkdwn | null): readonly Block[] {
  const { action, rollout, counts, expiresAt } = request;
  const { plan, summary } = rollout;
  const link = card === null ? md`` : md` · ${card}`;
  const lines = [
    requestHeading(request),
    requestedBy(request),
    ...unusualText(summary, { action, devices: undecidedIn(counts), plan }),
    planText(plan),
    md`Expires ${dateOr(expiresAt, '')}${link}`,
  ];
  return [section(joinMrkdwn(lines, '\n')), ...decideBlocks(request)];
}

/** How far it came, what stopped it, and who can let it go on. */
function heldRolloutBlocks(request: RolloutRequest, card: Mrkdwn | null): readonly Block[] {
  const lines = [
    requestHeading(request),
    requestedBy(request),
    ...progressLines(request),
    ...holdLines(request),
    ...(card === null ? [] : [card]),
  ];
  return [section(joinMrkdwn(lines, '\n')), ...decideBlocks(request, controlButtons(request, false))];
}

/** Rows have buttons with the same action, so their blocks need ids of their own. */
function decideBlocks(request: RequestWithTargets, buttons = approverButtons(request)): readonly Block[] {
  return actions(...buttons).map((block) => ({
    ...block,
    block_id: `decide:${request.id}`.slice(0, LIMIT.blockId),
  }));
}
