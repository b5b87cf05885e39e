/** The message for a problem: what happened, whether anything changed, what to do next, and a reference for the log. */
import type { Reference } from '../../lib/ids.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { runButton, typedCommand } from '../kit/command-buttons.ts';
import { inlineCode, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import { SIGN } from '../kit/signs.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Problem } from '../models/problem-model.ts';
import type { Block, RenderedMessage } from '../models/rendered-model.ts';
import { withdrawButton } from '../requests/decision-buttons.ts';
import { namesOf } from '../requests/request-card.ts';
import { actionTitle } from '../text/common-text.ts';
import { offerBlocks } from './offers.ts';
import { sentences } from './problem-parts.ts';
import { problemText } from './problem-text.ts';

export type ProblemView = {
  readonly kind: 'problem';
  readonly problem: Problem;
  /** The slash command that starts the commands it names; absent: the default one. */
  readonly root?: string;
};

export function renderProblem({ problem, root = ROOT_COMMAND }: ProblemView): RenderedMessage {
  const { what, changed, next } = problemText(problem, root);
  const reference = referenceOf(problem);
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
        : [
            context(
              md`Reference ${inlineCode(reference)}. If this keeps happening, give it to whoever runs Patchbay.`,
            ),
          ]),
    ],
    footer: actions(listButton(problem)),
  });
}

/** What was certain needs no “Did you mean”. */
function offersHeading({ kind }: Problem): Mrkdwn | null {
  switch (kind) {
    case 'several-devices':
      return md`You named these devices:`;
    case 'reason-required':
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

/** Without a close match, a button that lists all of them. */
function listButton(problem: Problem): Button | null {
  switch (problem.kind) {
    case 'no-such-group':
      return problem.nearest.length > 0 ? null : showAllButton('Show all groups', 'groups');
    case 'no-such-policy':
      return problem.nearest.length > 0 ? null : showAllButton('Show all policies', 'policies');
    case 'too-many-waiting':
      return problem.waiting.length > MAX_WAITING_ROWS
        ? showAllButton(`Show all ${problem.waiting.length}`, 'approvals', { mine: true })
        : null;
    default:
      return null;
  }
}

function showAllButton(label: string, command: string, input = {}): Button | null {
  return runButton({ action: command, label, command, input });
}

function referenceOf(problem: Problem): Reference | null {
  // The text of an unexpected error contains its reference.
  return 'reference' in problem && problem.kind !== 'unexpected' ? problem.reference : null;
}
