/** What went wrong: what happened, whether anything changed, what to do next, and where the log has more. */
import type { Reference } from '../../ids.ts';
import { ROOT } from '../../root-command.ts';
import { actions, type Button, context, section } from '../kit/blocks.ts';
import { code, md } from '../kit/escape.ts';
import { message } from '../kit/message.ts';
import { runButton } from '../kit/run-button.ts';
import { typed } from '../kit/typed.ts';
import type { Problem, RenderedMessage } from '../model.ts';
import { offersOf } from './offers.ts';
import { problemWords } from './problem-words.ts';
import { sentences } from './wording.ts';

/** `root`: of the commands that are named. */
export function renderProblem(problem: Problem, root = ROOT): RenderedMessage {
  const { what, changed, next } = problemWords(problem, root);
  const reference = referenceOf(problem);
  return message({
    text: sentences([what, changed]),
    body: [
      section(sentences([what, changed], '\n')),
      ...offersOf(
        'offers' in problem && problem.offers !== undefined ? problem.offers : [],
        problem.kind === 'several-devices' ? md`You named these devices:` : null,
      ),
      ...devicesList(problem, root),
      section(next),
      ...(reference === null ? [] : [context(md`Reference ${code(reference)}. The log has the details.`)]),
    ],
    end: actions(listButton(problem)),
  });
}

/** Many devices are looked at as a list; what changes one is asked for at it. */
function devicesList(problem: Problem, root: string) {
  if (problem.kind !== 'usage' || problem.fault.kind !== 'one-device') return [];
  const { filters, choice } = problem.fault;
  const list = choice && runButton({ action: 'devices', label: 'Show list', page: 0, ...choice });
  return [section(md`${typed(root, `devices ${filters}`)} lists them. Open one to use its buttons.`, list)];
}

/** Where nothing is near it is looked for among all of them. */
function listButton(problem: Problem): Button | null {
  switch (problem.kind) {
    case 'no-such-group':
      return problem.nearest.length > 0 ? null : allButton('Show all groups', 'groups');
    case 'no-such-policy':
      return problem.nearest.length > 0 ? null : allButton('Show all policies', 'policies');
    default:
      return null;
  }
}

function allButton(label: string, command: string): Button | null {
  return runButton({ action: command, label, command, input: {} });
}

function referenceOf(problem: Problem): Reference | null {
  // The words of an unexpected error name it themselves.
  return 'reference' in problem && problem.kind !== 'unexpected' ? problem.reference : null;
}
