/** The wording of packages that cannot be requested, and of commands that are queued already. */

import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Problem } from '../models/problem-model.ts';
import { actionSentence } from '../text/common-text.ts';
import { nearestText } from './nearest.ts';
import type { ProblemWords } from './problem-parts.ts';

type PackageProblem = Extract<
  Problem,
  {
    kind:
      | 'nothing-to-install'
      | 'already-installed'
      | 'no-such-package'
      | 'unsendable-package'
      | 'already-queued';
  }
>;

export function packageProblemText(problem: PackageProblem, root: string): ProblemWords {
  switch (problem.kind) {
    case 'nothing-to-install':
      return {
        what: md`${escapeMrkdwn(problem.deviceName)} has no missing patches.`,
        next: md`Ignored and deferred packages are excluded. A scan updates the list.`,
      };
    case 'already-installed':
      return {
        what: md`${escapeMrkdwn(problem.name)} is already installed on ${escapeMrkdwn(problem.deviceName)}. No newer version is pending.`,
        next: md`A scan updates the list.`,
      };
    case 'no-such-package':
      return {
        what: md`${escapeMrkdwn(problem.query)} doesn’t match exactly one missing package on ${escapeMrkdwn(problem.deviceName)}.`,
        next: md`${nearestText(problem)}${typedCommand(root, 'packages NAME')} lists missing packages. Ignored and deferred packages can’t be requested.`,
      };
    case 'unsendable-package':
      return {
        what: md`${inlineCode(problem.name)} can’t be installed by itself. Its name contains a space or a quote, and the management service would cut the name there.`,
        next: md`Request all missing patches, or install it in the service’s own console.`,
      };
    case 'already-queued':
      return {
        what: alreadyQueued(problem),
        next: md`It runs when the device picks it up. The device’s queue shows it until then.`,
      };
  }
}

/** Without a time where the service does not state one. */
function alreadyQueued({ command, deviceName, since }: Extract<Problem, { kind: 'already-queued' }>): Mrkdwn {
  const what = actionSentence(command, [deviceName]);
  return since === null
    ? md`The command to ${what} is already in its queue.`
    : md`The command to ${what} is already in its queue, due ${relativeDate(since)}.`;
}
