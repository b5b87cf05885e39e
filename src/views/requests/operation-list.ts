/** Recent commands, those in progress first; and the devices of one with their states: pages, and a file. */

import { instant, SECOND } from '../../lib/clock.ts';
import { waveOf } from '../../rollout/plan.ts';
import { countIn, RESULT_GROUPS, RESULT_STATES, type ResultGroup } from '../../rollout/results.ts';
import {
  hasFailed,
  missingOf,
  type RequestTarget,
  type RequestWithTargets,
  type TargetCounts,
} from '../../store/port/request-records.ts';
import { actions, type Button, context, rowBlocks, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { type CsvTable, csvList, csvTable, utcTimestamp } from '../kit/csv.ts';
import { bold, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn, unescapeMrkdwn } from '../kit/escape.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import { SIGN } from '../kit/signs.ts';
import { isoTime, relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import type { LinkedRequest } from '../models/records-model.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import { identityOf, targetName } from '../text/target-name.ts';
import { WHAT_COLUMNS } from './approval-list.ts';
import { evidenceText } from './evidence.ts';
import { memberLabel } from './card-state.ts';
import { requestHeading, stateLine } from './request-card.ts';
import { requestLabel } from './request-label.ts';
import { resultsButton } from './rollout/control-buttons.ts';
import { holdLines } from './rollout/rollout-card.ts';
import { countsLine, isRollout, progressLines } from './rollout/rollout-label.ts';

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
