/** The message for a problem: what happened, whether anything changed, what to do next, and a reference for the log. */

import { displayName } from '../../fleet/model/resources.ts';
import { bySomeKinds } from '../../lib/record-fields.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { deviceSummary, identifiedSummary } from '../device/device-list.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { formButton, runButton, typedCommand } from '../kit/buttons.ts';
import { bold, escapeMrkdwn, inlineCode, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { CommandChoice, PickLine } from '../models/list-model.ts';
import type { Offer, Problem } from '../models/problem-model.ts';
import { withdrawButton } from '../requests/request-buttons.ts';
import { namesOf } from '../requests/request-card.ts';
import { actionTitle, policyTypeText } from '../text/common-text.ts';
import { MAX_OFFERS, sentences } from './problem-parts.ts';
import { problemText } from './problem-text.ts';

type ProblemView = {
  readonly kind: 'problem';
  readonly problem: Problem;
  /** The slash command that starts the commands it names; absent: the default one. */
  readonly root?: string;
};

export function renderProblem({ problem, root = ROOT_COMMAND }: ProblemView): RenderedMessage {
  const { what, changed, next } = problemText(problem, root);
  const reference = 'reference' in problem && problem.kind !== 'unexpected' ? problem.reference : null;
  return buildMessage({
    text: sentences([what, changed]),
    body: [
      section(sentences([what, changed], '\n')),
      ...offerBlocks(
        'offers' in problem && problem.offers !== undefined ? problem.offers : [],
        offersHeading(problem),
      ),
      ...devicesButton(problem, root),
      ...waitingBlocks(problem),
      section(next),
      ...(reference === null
        ? []
        : [context(md`Reference ${inlineCode(reference)}. Include it when you report this.`)]),
    ],
    footer: actions(nextButton(problem)),
  });
}

/** What was certain needs no “Did you mean”. */
function offersHeading({ kind }: Problem): Mrkdwn | null {
  switch (kind) {
    case 'several-devices':
      return md`You named these devices:`;
    case 'reason-required':
    case 'reason-unfit':
      return md`Complete this line, or enter the reason in the form:`;
    default:
      return null;
  }
}

/** The person's own requests that wait, each with its button. */
function waitingBlocks(problem: Problem): readonly Block[] {
  if (problem.kind === 'request-differs') return problem.mine ? [waitingRow(problem.request)] : [];
  if (problem.kind !== 'too-many-waiting') return [];
  return problem.waiting.slice(0, MAX_WAITING_ROWS).map(waitingRow);
}

/** Questions before a press are long, too. */
const MAX_WAITING_ROWS = 10;

function waitingRow(request: RequestWithTargets): Block {
  const what = actionTitle(request.action, namesOf(request));
  return section(
    md`${trustedMrkdwn(SIGN.waiting)} ${what}\nRequested ${relativeDate(request.createdAt)}`,
    withdrawButton(request),
  );
}

/** For a command that named several devices: a button that lists them, since each is changed by itself. */
function devicesButton(problem: Problem, root: string) {
  if (problem.kind !== 'usage' || problem.fault.kind !== 'one-device') return [];
  const { filters, choice } = problem.fault;
  const list = choice && runButton({ action: 'devices', label: 'Show list', page: 0, ...choice });
  return [
    section(md`${typedCommand(root, `devices ${filters}`)} lists them. Open one to use its buttons.`, list),
  ];
}

/** What the whole problem leads to; for a name without a close match, a list of all. */
const nextButton = bySomeKinds<Problem, Button | null>({
  'no-schedules': (problem) => lineButton(problem, 0, problem.does === 'run' ? 'Explain' : 'Request now'),
  'no-such-group': ({ nearest }) => (nearest.length > 0 ? null : showAllButton('Show all groups', 'groups')),
  'no-such-policy': ({ nearest }) =>
    nearest.length > 0 ? null : showAllButton('Show all policies', 'policies'),
  'too-many-waiting': ({ waiting }) =>
    waiting.length > MAX_WAITING_ROWS
      ? showAllButton(`Show all ${waiting.length}`, 'approvals', { mine: true })
      : null,
});

function showAllButton(label: string, command: string, input = {}): Button | null {
  return runButton({ action: command, label, command, input });
}

/** Empty without offers. `asking` replaces the question above the rows where the person named them, so they are no guess. */
export function offerBlocks(offers: readonly Offer[], asking: Mrkdwn | null = null): readonly Block[] {
  if (offers.length === 0) return [];
  const listed = offers.slice(0, MAX_OFFERS);
  const question = listed.length === 1 ? md`Did you mean this?` : md`Did you mean one of these?`;
  return [
    section(asking ?? question),
    ...listed.map((offer, at) => section(offerText(offer, listed), offerButton(offer, at))),
  ];
}

function offerText(offer: Offer, listed: readonly Offer[]): Mrkdwn {
  switch (offer.kind) {
    case 'device': {
      const summary = hasNamesake(offer.line, listed)
        ? identifiedSummary(offer.line)
        : deviceSummary(offer.line);
      return offer.page === undefined ? summary : md`${summary}\nPage ${inlineCode(offer.page)}`;
    }
    case 'named': {
      const { name, id, what, detail } = offer;
      return md`${bold(name)} · #${id}${offerDetailText(what, detail)}`;
    }
    case 'line':
      return inlineCode(offer.line, DISPLAY_LIMIT.sentence);
  }
}

/** Only devices of one name need their addresses and serial numbers to be told apart. */
function hasNamesake({ device }: PickLine, listed: readonly Offer[]): boolean {
  return listed.some(
    (other) =>
      other.kind === 'device' &&
      other.line.device.id !== device.id &&
      displayName(other.line.device) === displayName(device),
  );
}

/** Tells items of one name apart: by the parents of a group, or the type of a policy. */
function offerDetailText(what: 'group' | 'policy', detail: string | null): Mrkdwn {
  if (detail === null || detail === '') return md``;
  return md` · ${what === 'policy' ? policyTypeText(detail) : escapeMrkdwn(detail, DISPLAY_LIMIT.sentence / 2)}`;
}

function offerButton(offer: Offer, at: number): Button | null {
  const { choice } = offer;
  switch (offer.kind) {
    case 'device':
    case 'named':
      return runButton({
        action: `pick:${at}`,
        label: SHOW_LABELS.includes(choice.command) ? 'Show' : 'Choose',
        ...choice,
      });
    case 'line':
      return lineButton(offer, at);
  }
}

/** A button with a page only reads. What changes something has none: its press is stored, or opens a form that says it. */
function lineButton(
  { does, choice }: Pick<Extract<Offer, { kind: 'line' }>, 'does' | 'choice'>,
  at: number,
  label = 'Run',
): Button | null {
  const run = { action: `pick:${at}`, label, ...choice };
  switch (does) {
    case 'run':
      return runButton({ ...run, page: 0 });
    case 'set':
      return runButton(run);
    case 'form':
      return formButton({ action: `form:${at}`, label: 'Open form', ...choice });
  }
}

const SHOW_LABELS: readonly string[] = ['device', 'group', 'policy'];

/** Several groups or policies have the name: one button for each. */
type ChoicesView = {
  readonly kind: 'choices';
  readonly what: 'group' | 'policy';
  readonly query: string;
  readonly rows: readonly {
    readonly id: number;
    readonly name: string;
    /** Tells it from the others of its name. */
    readonly detail: string | null;
    readonly choice: CommandChoice;
  }[];
  readonly total: number;
};

const PLURALS = { group: md`groups`, policy: md`policies` } as const;

/** One button for each choice. IDs are offered where more match than fit. */
export function renderNameChoices({ what, query, rows, total }: ChoicesView): RenderedMessage {
  const question = md`${total} ${PLURALS[what]} are named ${escapeMrkdwn(query)}. Which one?`;
  const listed = rows.map(({ id, name, detail, choice }, at) => ({
    words: md`${bold(name)} · #${id}${offerDetailText(what, detail)}`,
    pick: runButton({ action: `pick:${at}`, label: 'Select', ...choice }),
  }));
  const unsaid = total > rows.length ? md`${total - rows.length} more match. ` : md``;
  return buildMessage({
    text: question,
    body: [section(question), ...listed.map(({ words, pick }) => section(words, pick))],
    footer:
      total > rows.length
        ? [section(md`${unsaid}Use the ID instead of the name, such as ${inlineCode('#1042')}.`)]
        : [],
  });
}
