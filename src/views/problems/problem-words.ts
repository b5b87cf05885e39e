/** The wording of every problem. */

import { fleetWords } from '../fleet-words.ts';
import { code, literal, type Mrkdwn, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { whom } from '../kit/mentions.ts';
import { typed } from '../kit/typed.ts';
import { when } from '../kit/when.ts';
import type { Problem } from '../model.ts';
import { deed } from '../words.ts';
import { alertProblemWords } from './alert-problem-words.ts';
import { editProblemWords } from './edit-problem-words.ts';
import { nearest } from './nearest.ts';
import { settingProblemWords } from './setting-problem-words.ts';
import { slackProblemWords } from './slack-problem-words.ts';
import { softwareProblemWords } from './software-problem-words.ts';
import { usageWords } from './usage-words.ts';
import { NOTHING, UNCHANGED, type Wording } from './wording.ts';

/** `root`: of the commands that are named. */
export function problemWords(problem: Problem, root: string): Wording {
  switch (problem.kind) {
    case 'unknown-command':
      return {
        what: md`Unknown command ${code(problem.word)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${typed(problem.root, 'help')} shows what you can do.`,
      };
    case 'usage':
      return {
        what: usageWords(problem.fault, problem.offers),
        changed: NOTHING,
        next: howToWrite(problem),
      };
    case 'no-such-device':
      return {
        what: md`No device is named ${literal(problem.query)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${typed(root, 'devices WORDS')} searches names, addresses, serial numbers and users. A device added in the last minute may not be listed yet.`,
      };
    case 'several-devices':
      return {
        what: md`${literal(problem.query)} names several devices. A command takes one device at a time.`,
        changed: NOTHING,
        next: md`Choose one, or run the command for each device.`,
      };
    case 'device-gone':
      return {
        what: md`${literal(problem.query)} is no longer in the fleet. The management service doesn’t know it.`,
        changed: NOTHING,
        next: md`If it was reinstalled, it has a new ID. Search for its name.`,
      };
    case 'no-such-group':
      return {
        what: md`No group is named ${literal(problem.query)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${noneNear(problem)}${typed(root, 'groups')} lists all groups. Put a name with spaces in quotes, such as ${code('group:"Linux servers"')}.`,
      };
    case 'no-such-policy':
      return {
        what: md`No policy is named ${literal(problem.query)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${noneNear(problem)}${typed(root, 'policies')} lists all policies.`,
      };
    default:
      return changeWords(problem, root);
  }
}

type Changing = Exclude<
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

/** Those that only somebody who wants a change can meet, or that come from outside. */
function changeWords(problem: Changing, root: string): Wording {
  switch (problem.kind) {
    case 'no-such-number':
    case 'no-member':
    case 'channel-unread':
    case 'too-many-subscriptions':
    case 'too-many-silences':
      return alertProblemWords(problem, root);
    case 'paused':
    case 'names-full':
    case 'no-such-name':
      return settingProblemWords(problem, root);
    case 'already-so':
    case 'unreadable-edit':
    case 'group-exists':
      return editProblemWords(problem, root);
    case 'nothing-to-install':
      return {
        what: md`${literal(problem.deviceName)} has no missing patches.`,
        changed: NOTHING,
        next: md`Ignored and deferred packages are excluded. A scan updates the list.`,
      };
    case 'already-installed':
      return {
        what: md`${literal(problem.name)} is already installed on ${literal(problem.deviceName)}. No newer version is pending.`,
        changed: NOTHING,
        next: md`A scan updates the list.`,
      };
    case 'no-such-package':
      return {
        what: md`${literal(problem.query)} doesn’t match exactly one missing package on ${literal(problem.deviceName)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${typed(root, 'packages NAME')} lists missing packages. Ignored and deferred packages can’t be requested.`,
      };
    case 'unsendable-package':
      return {
        what: md`${code(problem.name)} can’t be installed by itself. Its name contains a space or a quote, and the management service would cut the name there.`,
        changed: NOTHING,
        next: md`Request all missing patches, or install it in the service’s own console.`,
      };
    case 'none-missing':
    case 'policy-not-for':
    case 'no-such-severity':
      return softwareProblemWords(problem, root);
    case 'already-queued':
      return {
        what: alreadyQueued(problem),
        changed: NOTHING,
        next: md`It runs when the device picks it up. The device’s queue shows it until then.`,
      };
    case 'not-allowed':
      return {
        what: roleNeeded(problem),
        changed: NOTHING,
        next: md`Ask ${whom(problem.ask ?? [])} for this role.`,
      };
    case 'personal':
      return {
        what: md`${code(problem.what)} searches personal data. Users, serial numbers and addresses need the ${literal(problem.needed)} role or higher.`,
        changed: NOTHING,
        next: md`Search by name, group or tag instead.`,
      };
    case 'rights-unknown':
      return {
        what: md`Slack didn’t say which user groups you’re in, so your role is unknown.`,
        changed: NOTHING,
        next: md`Try again in a minute.`,
      };
    case 'restarting':
      return {
        what: md`Patchbay is restarting. Try again.`,
        changed: md`If you requested a change, it may have been received.`,
        next: md`Look for its card before you request a change again.`,
      };
    case 'fleet':
      return fleetWords(problem.error, problem.changed);
    case 'card-refused':
    case 'card-delayed':
    case 'not-shared':
    case 'not-exported':
    case 'external-channel':
      return slackProblemWords(problem);
    case 'not-stored':
      return {
        what: NOT_STORED[problem.why],
        changed:
          problem.changed === 'nothing'
            ? UNCHANGED
            : md`Something may have changed. Check the cards before you try again.`,
        next: md`Tell whoever runs Patchbay. Try again once it’s fixed.`,
      };
    case 'unexpected':
      return {
        what: md`Unexpected error (reference ${code(problem.reference)}).`,
        changed:
          problem.changed === 'nothing'
            ? UNCHANGED
            : md`Something may have changed. Check the cards before you try again.`,
        next: md`Give this reference to whoever runs Patchbay. The log has the details.`,
      };
  }
}

const NOT_STORED = {
  'disk-full': md`The disk is full, so Patchbay couldn’t save this.`,
  'read-only': md`Patchbay can’t write to its database, so it couldn’t save this.`,
  'broken-disk': md`Patchbay’s database disk failed, so it couldn’t save this.`,
} as const;

/** A usage of many lines is a wall on a phone, and no answer: it is shown to those who ask for it. */
const LONGEST_USAGE = 120;

function howToWrite({ command, usage, fault, root }: Extract<Problem, { kind: 'usage' }>): Mrkdwn {
  if (fault.kind === 'no-saved-target') return md`${typed(root, 'saved')} lists all saved targets.`;
  if (command !== '' && usage.length > LONGEST_USAGE) return md`Usage: ${typed(root, `help ${command}`)}`;
  const line = usage.startsWith(root) ? usage : `${root} ${usage}`;
  return md`Usage: ${code(line, SHOWN.sentence)}`;
}

/** A number comes near to none: one more or less is another thing. */
function noneNear({
  query,
  nearest: names,
}: {
  readonly query: string;
  readonly nearest: readonly string[];
}) {
  return names.length > 0 || /^#\d+$/.test(query) ? md`` : md`No close match.\n`;
}

/** The service may not say when it is due. */
function alreadyQueued({ command, deviceName, since }: Extract<Problem, { kind: 'already-queued' }>): Mrkdwn {
  const what = deed(command, [deviceName]);
  return since === null
    ? md`The command to ${what} is already in its queue.`
    : md`The command to ${what} is already in its queue, due ${when(since)}.`;
}

function roleNeeded({ need, role }: Extract<Problem, { kind: 'not-allowed' }>): Mrkdwn {
  return role === null
    ? md`You need the ${literal(need)} role (you have no role).`
    : md`You need the ${literal(need)} role (you’re ${article(role)} ${literal(role)}).`;
}

function article(role: string): Mrkdwn {
  return /^[aeiou]/.test(role) ? md`an` : md`a`;
}
