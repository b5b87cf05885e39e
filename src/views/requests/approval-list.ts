/** What waits for an approver, rollouts that are held first, or one's own requests; one of them also on the Home. */
import { FIELD_LABELS, fieldChanges } from '../../fleet/facts/edit-changes.ts';
import { isEdit } from '../../fleet/model/actions.ts';
import type { PersonId } from '../../lib/ids.ts';
import { isHeld, standsStill } from '../../rollout/progress.ts';
import {
  missingOf,
  type RequestTarget,
  type RequestWithTargets,
  totalOf,
  undecidedIn,
} from '../../store/port/request-records.ts';
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
import { commandName, countText, listMrkdwn } from '../text/common-text.ts';
import { identityOf } from '../text/target-name.ts';
import { hasOutcome } from './card-state.ts';
import { approverButtons, decideSeveralButton, withdrawButton } from './decision-buttons.ts';
import { noteText } from './evidence.ts';
import { factLine } from './facts.ts';
import {
  andReason,
  commentText,
  lastHourText,
  requestBlocks,
  requestedBy,
  requestHeading,
  stateLine,
} from './request-card.ts';
import { requestLabel } from './request-label.ts';
import { controlButtons } from './rollout/control-buttons.ts';
import { noticeLines, sampleText } from './rollout/plan-text.ts';
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
  const requests = rows.flatMap(({ request }) => (request.requesterId === view.decider ? [] : [request]));
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
  if (decider === undefined || request.requesterId === decider || !standsStill(request))
    return [section(approvalRow(row))];
  const card = link === null ? null : linkTo(link, md`Open the request`);
  return pendingRequestBlocks(request, { shared: shared === true, card });
}

function approvalRow({ request, link: address }: ApprovalListView['rows'][number]): Mrkdwn {
  const { requesterId, createdAt, comment } = request;
  const card = address === null ? md`` : md` · ${linkTo(address, md`Open the request`)}`;
  const by = md`Requested by ${mentionPerson(requesterId)} ${relativeDate(createdAt)}${andReason(request)}${card}${commentText(comment)}`;
  return joinMrkdwn([decisionStateText(request), ...holdLines(request), by], '\n');
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
      ...WHAT_COLUMNS,
      'asked by': (request) => request.requesterId,
      asked: (request) => utcTimestamp(request.createdAt),
      'decided by': (request) => request.decidedBy,
      decided: (request) => utcTimestamp(request.decidedAt),
      reason: (request) => request.reason,
      comment: (request) => request.comment,
    },
  );
}

/** The first targets, as many as were read, and how many more there are. */
function csvTargets({ targets, counts }: RequestWithTargets, textOf: (one: RequestTarget) => string): string {
  const left = totalOf(counts) - targets.length;
  return `${csvList(targets.map(textOf))}${left > 0 ? `; and ${left} more` : ''}`;
}

export const WHAT_COLUMNS = {
  command: ({ action }: RequestWithTargets) => commandName(action),
  devices: (request: RequestWithTargets) => csvTargets(request, ({ displayName }) => displayName),
  hostnames: (request: RequestWithTargets) => csvTargets(request, (one) => identityOf(one).hostname ?? ''),
  'device ids': (request: RequestWithTargets) =>
    csvTargets(request, ({ deviceId }) => String(deviceId ?? '')),
};

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
  if (isRollout(request)) return rolloutBlocks(request, card);
  return [...requestBlocks(request, { shared, card }), ...decideBlocks(request)];
}

/** Of one that is held: how far it came, what stopped it, and who can let it go on. */
function rolloutBlocks(request: RolloutRequest, card: Mrkdwn | null): readonly Block[] {
  const held = isHeld(request);
  const about = held
    ? [requestedBy(request), ...progressLines(request), ...holdLines(request)]
    : briefLines(request);
  const lines = [requestHeading(request), ...about, ...(card === null ? [] : [card])];
  const buttons = held ? controlButtons(request, false) : approverButtons(request);
  return [section(joinMrkdwn(lines, '\n')), ...decideBlocks(request, buttons)];
}

/** By what it is decided where several are listed, below its title: without personal data. */
export function briefLines(request: RequestWithTargets): readonly Mrkdwn[] {
  const { action, note, reach, counts, targets, expiresAt } = request;
  const rollout = isRollout(request) ? request.rollout : null;
  const [devices, ready] = [undecidedIn(counts), targets.filter(({ state }) => state === 'ready')];
  const packages = rollout === null ? ready.flatMap(missingOf) : [];
  // New values may be others on each device of a rollout, and addresses are personal.
  const edited = isEdit(action) ? ready.slice(0, 1).flatMap(({ facts }) => fieldChanges(action, facts)) : [];
  const fields = edited.map(({ field: of, after }) =>
    rollout !== null || of === 'addresses' ? FIELD_LABELS[of] : `${FIELD_LABELS[of]}: ${after}`,
  );
  return [
    ...(note === null ? [] : [noteText(note, action)]),
    md`${requestedBy(request)}${lastHourText(request)}`,
    ...(devices * reach === totalOf(counts) ? [] : [countText(devices * reach, 'device')]),
    ...(fields.length === 0 ? [] : [md`*Changes*: ${listMrkdwn(fields)}`]),
    ...(packages.length === 0 ? [] : [md`*Packages*: ${listMrkdwn(packages, 4)}`]),
    ...(rollout === null ? ready.flatMap(({ facts }) => factLine(facts, true, action) ?? []) : []),
    ...(rollout === null || ready.length === 0 ? [] : [sampleText(ready, devices)]),
    ...(rollout === null ? [] : noticeLines(rollout, action, devices)),
    md`Expires ${dateOr(expiresAt, '')}`,
  ];
}

/** Rows have buttons with the same action, so their blocks need ids of their own. */
function decideBlocks(request: RequestWithTargets, buttons = approverButtons(request)): readonly Block[] {
  return actions(...buttons).map((block) => ({
    ...block,
    block_id: `decide:${request.id}`.slice(0, LIMIT.blockId),
  }));
}
