/** What waits for an approver, rollouts that are held first, or one's own requests; one of them also on the Home. */

import { FIELD_LABELS, fieldChanges } from '../../fleet/facts/edit-changes.ts';
import { isEdit } from '../../fleet/model/actions.ts';
import { instant, SECOND } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import { waveOf } from '../../rollout/plan.ts';
import { isHeld, standsStill } from '../../rollout/progress.ts';
import { countIn, RESULT_GROUPS, RESULT_STATES, type ResultGroup } from '../../rollout/results.ts';
import {
  hasFailed,
  missingOf,
  type RequestTarget,
  type RequestWithTargets,
  type TargetCounts,
  totalOf,
  undecidedIn,
} from '../../store/port/request-records.ts';
import { actions, type Button, context, rowBlocks, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { bold, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn, unescapeMrkdwn } from '../kit/escape.ts';
import { type Block, LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import { type CsvTable, csvList, csvTable, utcTimestamp } from '../kit/table.ts';
import { dateOr, isoTime, relativeDate } from '../kit/timestamps.ts';
import type { LinkedRequest, Paging } from '../models/list-model.ts';
import { commandName, countText, identityOf, listMrkdwn, targetName } from '../text/common-text.ts';
import { approvalProgress } from './demands.ts';
import { evidenceText, noteText } from './evidence.ts';
import { factLine } from './facts.ts';
import { noticeLines, sampleText } from './plan-text.ts';
import {
  approverButtons,
  controlButtons,
  decideSeveralButton,
  resultsButton,
  withdrawButton,
} from './request-buttons.ts';
import {
  andReason,
  commentsText,
  deciders,
  lastHourText,
  requestBlocks,
  requestedBy,
  requestHeading,
  stateLine,
} from './request-card.ts';
import {
  countsLine,
  hasOutcome,
  isRollout,
  memberLabel,
  progressLines,
  type RolloutRequest,
  requestLabel,
  resultLine,
} from './request-label.ts';
import { holdLines } from './rollout-card.ts';

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
  const { requesterId, createdAt } = request;
  const card = address === null ? md`` : md` · ${linkTo(address, md`Open the request`)}`;
  const by = md`Requested by ${mentionPerson(requesterId)} ${relativeDate(createdAt)}${andReason(request)}${card}${commentsText(request)}`;
  return joinMrkdwn([decisionStateText(request), ...holdLines(request), by], '\n');
}

/** The state in the words of its card and of `operations`, and who decided. */
function decisionStateText(request: RequestWithTargets): Mrkdwn {
  const { state: now, expiresAt, decidedBy } = request;
  const state = stateLine(requestLabel(request), request);
  const decided = hasOutcome(request) ? md`approved by` : md`by`;
  const by = decidedBy === null ? md`` : md` · ${decided} ${deciders(decidedBy, request)}`;
  switch (now) {
    case 'waiting': {
      const progress = approvalProgress(request);
      return md`${state}${progress === null ? md`` : md` · ${progress}`} · expires ${dateOr(expiresAt, '')}`;
    }
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

const WHAT_COLUMNS = {
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
  const progress = approvalProgress(request);
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
    ...(progress === null ? [] : [progress]),
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

/** Recent commands, those in progress first; and the devices of one with their states: pages, and a file. */
type OperationListView = {
  readonly kind: 'operations';
  readonly rows: readonly LinkedRequest[];
  /** How many of all have not ended. */
  readonly open: number;
  /** How many requests wait for approval; absent: none. */
  readonly waiting?: number;
  readonly paging: Paging;
};

const BUDGET = 8_000;

export function renderOperationList({ rows, open, waiting = 0, paging }: OperationListView): RenderedMessage {
  const total = md`${countText(paging.total, 'command')}, ${open} in progress`;
  const show = { action: 'approvals', label: 'Approvals', command: 'approvals', input: { mine: false } };
  const wait = md`${trustedMrkdwn(SIGN.waiting)} ${countText(waiting, 'request waits', 'requests wait')} for approval.`;
  return buildMessage({
    text: md`Recent commands: ${total}${waiting === 0 ? md`` : md`. ${wait}`}`,
    body: [
      section(md`*Recent commands*`),
      ...(waiting === 0 ? [] : [section(wait, runButton(show))]),
      ...(rows.length === 0 ? [section(md`No commands yet.`)] : rowsBlocks(rows)),
    ],
    footer: [...(rows.some(isStoppable) ? [context(STOP_HINT)] : []), ...pageButtons(paging, total)],
  });
}

const STOP_HINT = md`To stop a rollout, open its request and press *Stop*.`;

function isStoppable({ request }: LinkedRequest): boolean {
  return isRollout(request) && (request.state === 'approved' || request.state === 'running');
}

/** A rollout has a button, and so a block of its own; the lines between them are packed. */
function rowsBlocks(rows: readonly LinkedRequest[]): readonly Block[] {
  const [first, ...others] = rows;
  if (first === undefined) return [];
  if (isRollout(first.request))
    return [section(operationRow(first), resultsButton(first.request)), ...rowsBlocks(others)];
  const next = others.findIndex(({ request }) => isRollout(request));
  const end = next === -1 ? rows.length : next + 1;
  const lines = rows.slice(0, end).map(operationRow);
  return [...rowBlocks(lines, { budget: BUDGET, more: moreOnPage }), ...rowsBlocks(rows.slice(end))];
}

function operationRow({ request, link: address }: OperationListView['rows'][number]): Mrkdwn {
  const card = address === null ? md`` : md` · ${linkTo(address, md`Open the request`)}`;
  if (isRollout(request)) {
    const by = md`${mentionPerson(request.requesterId)} ${relativeDate(request.createdAt)}${card}`;
    const lines = [requestHeading(request), ...progressLines(request), ...holdLines(request), by];
    return joinMrkdwn(lines, '\n');
  }
  return md`${stateLine(requestLabel(request), request)} · ${mentionPerson(request.requesterId)} ${relativeDate(request.createdAt)}${card}`;
}

/** The devices of a rollout are a file of their own. */
export function operationsCsv(view: OperationListView): CsvTable {
  return csvTable(
    view.rows.map(({ request }) => request),
    {
      id: ({ id }) => id,
      ...WHAT_COLUMNS,
      state: (request) =>
        isRollout(request) ? requestLabel(request).words : request.targets.map(stateWord).join(),
      'asked by': ({ requesterId }) => requesterId,
      asked: ({ createdAt }) => utcTimestamp(createdAt),
      ended: ({ endedAt }) => utcTimestamp(endedAt),
      evidence: (request) =>
        isRollout(request)
          ? null
          : plainEvidence(evidenceText(request.targets[0]?.evidence ?? [], request.action)),
    },
  );
}

type ResultsView = {
  readonly kind: 'results';
  readonly request: RequestWithTargets;
  /** Null: all of its devices. */
  readonly group: ResultGroup | null;
  readonly rows: readonly RequestTarget[];
  /** A link to the card; null where it is not posted. */
  readonly link: string | null;
  readonly paging: Paging;
};

/** Packages that are named for each device; the file has all. */
const MAX_PACKAGES = 4;

const WORDS: Readonly<Record<ResultGroup, string>> = {
  failed: 'Failed',
  unknown: 'Outcome unknown',
  'not-sent': 'Not sent',
  open: 'In progress',
  waiting: 'Waiting',
  'not-needed': 'No longer needed',
  verified: 'Verified',
};

export function renderResults({ request, group, rows, link, paging }: ResultsView): RenderedMessage {
  const title = requestHeading(request);
  const what =
    group === null
      ? countText(paging.total, 'device')
      : md`${trustedMrkdwn(WORDS[group])}: ${countText(paging.total, 'device')}`;
  const card = link === null ? [] : [context(linkTo(link, md`Open the request`))];
  return buildMessage({
    text: md`${title}. ${countsLine(request.counts)}`,
    body: [
      section(joinMrkdwn([title, countsLine(request.counts)], '\n')),
      ...rowBlocks(
        rows.map((target) => resultRow(target, rows, request)),
        { budget: BUDGET, more: moreOnPage, none: md`No devices in this state now.` },
      ),
    ],
    footer: [
      ...actions(...groupButtons(request.id, request.counts, group)),
      ...card,
      ...pageButtons(paging, what),
    ],
  });
}

function resultRow(
  target: RequestTarget,
  rows: readonly RequestTarget[],
  request: RequestWithTargets,
): Mrkdwn {
  const { sign, words } = memberLabel(target);
  const why = evidenceText(target.evidence, request.action);
  const wave = waveNumber(target, request);
  const missing = missingOf(target);
  const parts = [
    md`${trustedMrkdwn(sign)} ${targetName(target, rows, bold)}: ${trustedMrkdwn(words)}`,
    ...(wave === null ? [] : [md`Wave ${wave}`]),
    // Afterwards the evidence says what became of them.
    ...(target.state !== 'ready' || missing.length === 0 ? [] : [listMrkdwn(missing, MAX_PACKAGES)]),
  ];
  const row = joinMrkdwn(parts, ' · ');
  return why === null ? row : md`${row}. ${why}`;
}

/** The wave of a device, as people count; null where there is only one. */
function waveNumber({ position }: RequestTarget, { rollout }: RequestWithTargets): number | null {
  return rollout === null || rollout.plan.waves.length === 1 ? null : waveOf(rollout.plan, position) + 1;
}

/** One for each state that some devices are in, and one for all. */
function groupButtons(
  of: RequestWithTargets['id'],
  counts: TargetCounts,
  shown: ResultGroup | null,
): readonly (Button | null)[] {
  const some = RESULT_GROUPS.map((group) => ({ group, devices: countIn(counts, RESULT_STATES[group]) }));
  const present = some.filter(({ devices }) => devices > 0);
  if (present.length < 2) return [];
  const go = (group: ResultGroup | null, label: string) =>
    group === shown
      ? null
      : runButton({ action: `page:${group ?? 'all'}`, label, command: 'operations', input: { of, group } });
  return [go(null, 'All'), ...present.map(({ group, devices }) => go(group, `${WORDS[group]} (${devices})`))];
}

export function resultsCsv({ request, rows }: ResultsView): CsvTable {
  return csvTable(rows, {
    device: ({ displayName }) => displayName,
    hostname: (target) => identityOf(target).hostname,
    id: ({ deviceId }) => deviceId,
    wave: (target) => waveNumber(target, request),
    state: stateWord,
    evidence: ({ evidence }) => plainEvidence(evidenceText(evidence, request.action)),
    accepted: ({ acceptedAt }) => utcTimestamp(acceptedAt),
    ended: ({ endedAt }) => utcTimestamp(endedAt),
    packages: (target) => csvList(missingOf(target)),
    request: () => request.id,
  });
}

/** What failed is not proven either, but every screen says that it failed. */
function stateWord(target: RequestTarget): string {
  return hasFailed(target) ? 'failed' : target.state;
}

/** The words of the card; times that Slack would draw become UTC times. */
function plainEvidence(words: Mrkdwn | null): string | null {
  if (words === null) return null;
  return unescapeMrkdwn(
    words.replaceAll(/<!date\^(\d+)\^[^>]*>/g, (_token, seconds: string) =>
      isoTime(instant(Number(seconds) * SECOND)),
    ),
  );
}
