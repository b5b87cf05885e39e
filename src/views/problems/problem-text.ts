/** The wording of every problem. */

import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionPeople } from '../kit/mentions.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Problem } from '../model.ts';
import { actionSentence } from '../text/common-text.ts';
import { serviceErrorText } from '../text/service-error-text.ts';
import { alertProblemText } from './alert-problem-text.ts';
import { nearestText } from './nearest.ts';
import { NO_TEXT, type ProblemParts, UNCHANGED } from './problem-parts.ts';
import { editProblemText, settingProblemText } from './setting-problem-text.ts';
import { slackProblemText } from './slack-problem-text.ts';
import { softwareProblemText } from './software-problem-text.ts';
import { usageFaultMessage } from './usage-text.ts';

/** The three parts of a problem. `root`: the slash command that starts the commands it names, such as `/fleet`. */
export function problemText(problem: Problem, root: string): ProblemParts {
  switch (problem.kind) {
    case 'unknown-command':
      return {
        what: md`Unknown command ${inlineCode(problem.word)}.`,
        changed: NO_TEXT,
        next: md`${nearestText(problem)}${typedCommand(problem.root, 'help')} shows what you can do.`,
      };
    case 'usage':
      return {
        what: usageFaultMessage(problem.fault, problem.offers),
        changed: NO_TEXT,
        next: usageProblemText(problem),
      };
    case 'no-such-device':
      return {
        what: md`No device is named ${escapeMrkdwn(problem.query)}.`,
        changed: NO_TEXT,
        next: md`${nearestText(problem)}${typedCommand(root, 'devices WORDS')} searches names, addresses, serial numbers and users. A device added in the last minute may not be listed yet.`,
      };
    case 'several-devices':
      return {
        what: md`${escapeMrkdwn(problem.query)} names several devices. A command takes one device at a time.`,
        changed: NO_TEXT,
        next: md`Choose one, or run the command for each device.`,
      };
    case 'device-gone':
      return {
        what: md`${escapeMrkdwn(problem.query)} is no longer in the fleet. The management service doesn’t know it.`,
        changed: NO_TEXT,
        next: md`If it was reinstalled, it has a new ID. Search for its name.`,
      };
    case 'no-such-group':
      return {
        what: md`No group is named ${escapeMrkdwn(problem.query)}.`,
        changed: NO_TEXT,
        next: md`${nearestText(problem)}${noNearestText(problem)}${typedCommand(root, 'groups')} lists all groups. Put a name with spaces in quotes, such as ${inlineCode('group:"Linux servers"')}.`,
      };
    case 'no-such-policy':
      return {
        what: md`No policy is named ${escapeMrkdwn(problem.query)}.`,
        changed: NO_TEXT,
        next: md`${nearestText(problem)}${noNearestText(problem)}${typedCommand(root, 'policies')} lists all policies.`,
      };
    default:
      return changeProblemText(problem, root);
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

/** Problems of changes, and those that come from Slack or the management service. */
function changeProblemText(problem: ChangeProblem, root: string): ProblemParts {
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
      return editProblemText(problem, root);
    case 'nothing-to-install':
      return {
        what: md`${escapeMrkdwn(problem.deviceName)} has no missing patches.`,
        changed: NO_TEXT,
        next: md`Ignored and deferred packages are excluded. A scan updates the list.`,
      };
    case 'already-installed':
      return {
        what: md`${escapeMrkdwn(problem.name)} is already installed on ${escapeMrkdwn(problem.deviceName)}. No newer version is pending.`,
        changed: NO_TEXT,
        next: md`A scan updates the list.`,
      };
    case 'no-such-package':
      return {
        what: md`${escapeMrkdwn(problem.query)} doesn’t match exactly one missing package on ${escapeMrkdwn(problem.deviceName)}.`,
        changed: NO_TEXT,
        next: md`${nearestText(problem)}${typedCommand(root, 'packages NAME')} lists missing packages. Ignored and deferred packages can’t be requested.`,
      };
    case 'unsendable-package':
      return {
        what: md`${inlineCode(problem.name)} can’t be installed by itself. Its name contains a space or a quote, and the management service would cut the name there.`,
        changed: NO_TEXT,
        next: md`Request all missing patches, or install it in the service’s own console.`,
      };
    case 'none-missing':
    case 'policy-not-for':
    case 'no-such-severity':
      return softwareProblemText(problem, root);
    case 'already-queued':
      return {
        what: alreadyQueued(problem),
        changed: NO_TEXT,
        next: md`It runs when the device picks it up. The device’s queue shows it until then.`,
      };
    case 'not-allowed':
      return {
        what: roleNeeded(problem, root),
        changed: NO_TEXT,
        next:
          problem.command === undefined
            ? md`Ask ${mentionPeople(problem.ask ?? [])} for this role.`
            : md`Ask ${mentionPeople(problem.ask ?? [])} for it.`,
      };
    case 'personal':
      return {
        what: md`${inlineCode(problem.what)} searches personal data. Users, serial numbers and addresses need the ${escapeMrkdwn(problem.needed)} role or higher.`,
        changed: NO_TEXT,
        next: md`Search by name, group or tag instead.`,
      };
    case 'rights-unknown':
      return {
        what: md`Slack didn’t say which user groups you’re in, so your role is unknown.`,
        changed: NO_TEXT,
        next: md`Try again in a minute.`,
      };
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
  const line = usage.startsWith(root) ? usage : `${root} ${usage}`;
  return md`Usage: ${inlineCode(line, DISPLAY_LIMIT.sentence)}`;
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

/** Without a time where the service does not state one. */
function alreadyQueued({ command, deviceName, since }: Extract<Problem, { kind: 'already-queued' }>): Mrkdwn {
  const what = actionSentence(command, [deviceName]);
  return since === null
    ? md`The command to ${what} is already in its queue.`
    : md`The command to ${what} is already in its queue, due ${relativeDate(since)}.`;
}

function roleNeeded(
  { need, role, command }: Extract<Problem, { kind: 'not-allowed' }>,
  root: string,
): Mrkdwn {
  const yours = role === null ? md`you have no role` : md`you’re ${article(role)} ${escapeMrkdwn(role)}`;
  return command === undefined
    ? md`You need the ${escapeMrkdwn(need)} role (${yours}).`
    : md`${typedCommand(root, command)} needs the ${escapeMrkdwn(need)} role (${yours}).`;
}

function article(role: string): Mrkdwn {
  return /^[aeiou]/.test(role) ? md`an` : md`a`;
}
