/** Recent commands, those in progress first. */

import { type RequestTarget, type RequestWithTargets, totalOf } from '../../store/port/request-records.ts';
import { rowBlocks, section } from '../kit/blocks.ts';
import { type CsvTable, csvTable, utcTimestamp } from '../kit/csv.ts';
import { joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { linkTo, mentionPerson } from '../kit/mentions.ts';
import { buildMessage } from '../kit/message.ts';
import { moreOnPage, pageButtons } from '../kit/pager.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Paging } from '../models/list-model.ts';
import type { LinkedRequest } from '../models/records-model.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import { actionTitle, commandPhrase, countText } from '../text/common-text.ts';
import { identityOf } from '../text/target-name.ts';
import { evidenceText } from './evidence/evidence-text.ts';
import { targetLabel } from './outcome.ts';
import { namesOf, requestHeading } from './request-card.ts';
import { requestLabel } from './request-label.ts';
import { resultsButton } from './rollout/control-buttons.ts';
import { plainEvidence } from './rollout/result-list.ts';
import { isRollout, progressLines } from './rollout/rollout-label.ts';

export type OperationListView = {
  readonly kind: 'operations';
  readonly rows: readonly LinkedRequest[];
  /** How many of all have not ended. */
  readonly open: number;
  readonly paging: Paging;
};

const BUDGET = 8_000;

export function renderOperationList({ rows, open, paging }: OperationListView): RenderedMessage {
  const total = md`${countText(paging.total, 'command')}, ${open} in progress`;
  return buildMessage({
    text: md`Recent commands: ${total}`,
    body: [
      section(md`*Recent commands*`),
      ...(rows.length === 0 ? [section(md`No commands yet.`)] : rowsBlocks(rows)),
    ],
    footer: pageButtons(paging, total),
  });
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
    return joinMrkdwn([requestHeading(request), ...progressLines(request), by], '\n');
  }
  const [only] = request.targets;
  // Nobody decides any more: what waits here was requested, or is being sent.
  const { sign, words } = only === undefined ? requestLabel(request) : targetLabel(only);
  return md`${trustedMrkdwn(sign)} ${trustedMrkdwn(words)}: ${actionTitle(request.action, namesOf(request))} · ${mentionPerson(request.requesterId)} ${relativeDate(request.createdAt)}${card}`;
}

/** A row for each device of each request, and one for a rollout, whose devices are a file of their own. */
export function operationsCsv(view: OperationListView): CsvTable {
  return csvTable(
    view.rows.flatMap(({ request }) => csvTargets(request).map((target) => ({ request, target }))),
    {
      id: ({ request }) => request.id,
      command: ({ request }) => commandPhrase(request.action),
      device: ({ target }) => target.displayName,
      hostname: ({ target }) => target.hostname,
      'device id': ({ target }) => target.deviceId,
      state: ({ target }) => target.state,
      'asked by': ({ request }) => request.requesterId,
      asked: ({ request }) => utcTimestamp(request.createdAt),
      ended: ({ target }) => utcTimestamp(target.endedAt),
      evidence: ({ request, target }) => plainEvidence(evidenceText(target.evidence, request.action)),
    },
  );
}

/** Of a rollout: all of its devices as if they were one. */
function csvTargets(request: RequestWithTargets): readonly CsvTarget[] {
  if (!isRollout(request))
    return request.targets.map((target) => ({ ...target, hostname: identityOf(target).hostname }));
  const displayName = `${totalOf(request.counts)} devices`;
  return [
    {
      displayName,
      deviceId: null,
      hostname: null,
      state: requestLabel(request).words,
      endedAt: request.endedAt,
      evidence: [],
    },
  ];
}

type CsvTarget = Pick<RequestTarget, 'displayName' | 'deviceId' | 'endedAt' | 'evidence'> & {
  readonly hostname: string | null;
  readonly state: string;
};
