/** The wording of every problem. */

import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { Problem } from '../models/problem-model.ts';
import { serviceErrorText } from '../text/service-error-text.ts';
import { accessProblemText } from './access-problem-text.ts';
import { alertProblemText } from './alert-problem-text.ts';
import { nearestText } from './nearest.ts';
import { packageProblemText } from './package-problem-text.ts';
import { NO_TEXT, type ProblemParts, type ProblemWords, UNCHANGED } from './problem-parts.ts';
import { isRolloutProblem, type ManyDevicesProblem, rolloutProblemText } from './rollout-problem-text.ts';
import { editProblemText, settingProblemText } from './setting-problem-text.ts';
import { slackProblemText } from './slack-problem-text.ts';
import { softwareProblemText } from './software-problem-text.ts';
import { usageFaultMessage } from './usage-text.ts';

/** The three parts of a problem. `root`: the slash command that starts the commands it names, such as `/fleet`. */
export function problemText(problem: Problem, root: string): ProblemParts {
  return { changed: NO_TEXT, ...problemWords(problem, root) };
}

function problemWords(problem: Problem, root: string): ProblemWords {
  switch (problem.kind) {
    case 'unknown-command':
      return {
        what: md`Unknown command ${inlineCode(problem.word)}.`,
        next: md`${nearestText(problem)}${typedCommand(problem.root, 'help')} shows what you can do.`,
      };
    case 'usage':
      return {
        what: usageFaultMessage(problem.fault, problem.offers),
        next: usageProblemText(problem),
      };
    case 'no-such-device':
      return {
        what: md`No device is named ${escapeMrkdwn(problem.query)}.`,
        next: md`${nearestText(problem)}${typedCommand(root, 'devices WORDS')} searches names, addresses, serial numbers and users. A device added in the last minute may not be listed yet.`,
      };
    case 'several-devices':
      return {
        what: md`${escapeMrkdwn(problem.query)} names several devices. A command takes one device at a time.`,
        next: md`Choose one, or run the command for each device.`,
      };
    case 'device-gone':
      return {
        what: md`${escapeMrkdwn(problem.query)} is no longer in the fleet. The management service doesn’t know it.`,
        next: md`If it was reinstalled, it has a new ID. Search for its name.`,
      };
    case 'no-such-group':
      return {
        what: md`No group is named ${escapeMrkdwn(problem.query)}.`,
        next: md`${nearestText(problem)}${noNearestText(problem)}${typedCommand(root, 'groups')} lists all groups. Put a name with spaces in quotes, such as ${inlineCode('group:"Linux servers"')}.`,
      };
    case 'no-such-policy':
      return {
        what: md`No policy is named ${escapeMrkdwn(problem.query)}.`,
        next: md`${nearestText(problem)}${noNearestText(problem)}${typedCommand(root, 'policies')} lists all policies.`,
      };
    default:
      return isRolloutProblem(problem)
        ? rolloutProblemText(problem, root, (one) => problemText(one, root).what)
        : changeProblemText(problem, root);
  }
}

type ChangeProblem = Exclude<
  Problem,
  {
    kind:
      | 'unknown-command'
      | 'usage'
      | 'no-such-device'
      | 'several-devices'
      | 'device-gone'
      | 'no-such-group'
      | 'no-such-policy';
  }
>;
type SingleChangeProblem = Exclude<ChangeProblem, ManyDevicesProblem>;

/** Problems of changes, and those that come from Slack or the management service. */
function changeProblemText(problem: SingleChangeProblem, root: string): ProblemWords {
  switch (problem.kind) {
    case 'no-such-number':
    case 'no-member':
    case 'channel-unread':
    case 'too-many-subscriptions':
    case 'too-many-silences':
      return alertProblemText(problem, root);
    case 'paused':
    case 'names-full':
    case 'no-such-name':
      return settingProblemText(problem, root);
    case 'already-so':
    case 'unreadable-edit':
    case 'group-exists':
    case 'policy-exists':
    case 'name-not-typed':
    case 'default-group':
      return editProblemText(problem, root);
    case 'nothing-to-install':
    case 'already-installed':
    case 'no-such-package':
    case 'unsendable-package':
    case 'already-queued':
      return packageProblemText(problem, root);
    case 'none-missing':
    case 'policy-not-for':
    case 'policy-without-devices':
    case 'no-such-severity':
      return softwareProblemText(problem, root);
    case 'not-allowed':
    case 'personal':
    case 'rights-unknown':
      return accessProblemText(problem, root);
    case 'restarting':
      return {
        what: md`Patchbay is restarting. Try again.`,
        changed: md`If you requested a change, it may have been received.`,
        next: md`Look for its card before you request a change again.`,
      };
    case 'fleet':
      return serviceErrorText(problem.error, problem.changed);
    case 'card-refused':
    case 'card-delayed':
    case 'not-shared':
    case 'not-exported':
    case 'external-channel':
      return slackProblemText(problem);
    case 'not-stored':
      return {
        what: NOT_STORED[problem.why],
        changed: problem.changed === 'nothing' ? UNCHANGED : MAY_HAVE_CHANGED,
        next: md`Tell whoever runs Patchbay. Try again once it’s fixed.`,
      };
    case 'unexpected':
      return {
        what: md`Unexpected error (reference ${inlineCode(problem.reference)}).`,
        changed: problem.changed === 'nothing' ? UNCHANGED : MAY_HAVE_CHANGED,
        next: md`If it happens again, give this reference to whoever runs Patchbay.`,
      };
  }
}

const MAY_HAVE_CHANGED = md`Something may have changed. Check the cards before you try again.`;

const NOT_STORED = {
  'disk-full': md`The disk is full, so Patchbay couldn’t save this.`,
  'read-only': md`Patchbay can’t write to its database, so it couldn’t save this.`,
  'broken-disk': md`Patchbay’s database disk failed, so it couldn’t save this.`,
} as const;

/** A longer usage fills a phone's screen, so its help is named instead. Usages as long as that have filters. */
const MAX_USAGE = 120;

function usageProblemText({ command, usage, fault, root }: Extract<Problem, { kind: 'usage' }>): Mrkdwn {
  if (fault.kind === 'no-saved-target') return md`${typedCommand(root, 'saved')} lists all saved targets.`;
  if (command !== '' && usage.length > MAX_USAGE)
    return md`${typedCommand(root, `help ${command}`)} explains the filters.`;
  return md`Usage: ${inlineCode(`${root} ${usage}`, DISPLAY_LIMIT.sentence)}`;
}

/** An ID has no close match: the next number is another item. */
function noNearestText({
  query,
  nearest: names,
}: {
  readonly query: string;
  readonly nearest: readonly string[];
}) {
  return names.length > 0 || /^#\d+$/.test(query) ? md`` : md`No close match.\n`;
}
