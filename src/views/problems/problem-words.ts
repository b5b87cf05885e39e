/** The wording of every problem. */

import { fleetWords } from '../fleet-words.ts';
import { code, literal, type Mrkdwn, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { whom } from '../kit/mentions.ts';
import { typed } from '../kit/typed.ts';
import { whenOr } from '../kit/when.ts';
import type { Problem } from '../model.ts';
import type { Offer } from '../models/offer-model.ts';
import { deed, listed } from '../words.ts';
import { alertProblemWords } from './alert-problem-words.ts';
import { editProblemWords } from './edit-problem-words.ts';
import { settingProblemWords } from './setting-problem-words.ts';
import { slackProblemWords } from './slack-problem-words.ts';
import { softwareProblemWords } from './software-problem-words.ts';
import { usageWords } from './usage-words.ts';
import { NOTHING, type Wording } from './wording.ts';

/** `root`: of the commands that are named. */
export function problemWords(problem: Problem, root: string): Wording {
  switch (problem.kind) {
    case 'unknown-command':
      return {
        what: md`There is no command ${literal(problem.word)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}Type ${typed(problem.root, 'help')} to see every command.`,
      };
    case 'usage':
      return {
        what: usageWords(problem.fault, problem.offers),
        changed: NOTHING,
        next: howToWrite(problem),
      };
    case 'no-such-device':
      return {
        what: md`There is no device called ${literal(problem.query)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${typed(root, 'devices WORDS')} finds by any part of a name, address, serial number or user. A device added in the last minute may not be listed yet.`,
      };
    case 'several-devices':
      return {
        what: md`${literal(problem.query)} names several devices. A command shows or changes one device at a time.`,
        changed: NOTHING,
        next: md`Take one, or ask for each by itself.`,
      };
    case 'device-gone':
      return {
        what: md`${literal(problem.query)} is not in the fleet any more: the management service does not know it.`,
        changed: NOTHING,
        next: md`If it was set up anew it has a new id: look for it by its name.`,
      };
    case 'no-such-group':
      return {
        what: md`There is no group called ${literal(problem.query)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${noneNear(problem)}${typed(root, 'groups')} shows all of them. A name with spaces goes in quotes, such as ${code('group:"Linux servers"')}.`,
      };
    case 'no-such-policy':
      return {
        what: md`There is no policy called ${literal(problem.query)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${noneNear(problem)}${typed(root, 'policies')} shows all of them.`,
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
        what: md`Nothing is missing on ${literal(problem.deviceName)}: no package waits to be installed.`,
        changed: NOTHING,
        next: md`Ignored and deferred packages do not count. A scan brings the list up to date.`,
      };
    case 'already-installed':
      return {
        what: md`${literal(problem.name)} is installed on ${literal(problem.deviceName)} already, and no newer version waits.`,
        changed: NOTHING,
        next: md`A scan brings the list up to date.`,
      };
    case 'no-such-package':
      return {
        what: md`${literal(problem.query)} is not one package that is missing on ${literal(problem.deviceName)}.`,
        changed: NOTHING,
        next: md`${nearest(problem)}${typed(root, 'packages NAME')} lists what is missing. What is ignored or deferred cannot be asked for.`,
      };
    case 'unsendable-package':
      return {
        what: md`The package ${code(problem.name)} cannot be named to the management service: its name holds a space or a quote, which the service would take for the end of the name.`,
        changed: NOTHING,
        next: md`Ask for everything that is missing, or install it in the service’s own console.`,
      };
    case 'none-missing':
    case 'policy-not-for':
    case 'no-such-severity':
      return softwareProblemWords(problem, root);
    case 'already-queued':
      return {
        what: md`The command to ${deed(problem.command, [problem.deviceName])} already waits in its queue, due ${whenOr(problem.since, 'at no stated time')}.`,
        changed: NOTHING,
        next: md`It runs when the device takes it. Look at the queue of the device to follow it.`,
      };
    case 'not-allowed':
      return {
        what: md`This needs the role ${code(problem.need)}; ${problem.role === null ? md`you have none` : md`yours is ${code(problem.role)}`}.`,
        changed: NOTHING,
        next: md`Ask ${whom(problem.ask ?? [])} for the role.`,
      };
    case 'personal':
      return {
        what: md`${code(problem.what)} asks about personal data: who is logged in, serial numbers and addresses are shown from the role ${code(problem.needed)} on.`,
        changed: NOTHING,
        next: md`Leave it out, and ask by names, groups or tags.`,
      };
    case 'rights-unknown':
      return {
        what: md`Slack did not say which groups you are in, so your rights are not known.`,
        changed: NOTHING,
        next: md`Try again in a minute.`,
      };
    case 'restarting':
      return {
        what: md`Restarting, please ask again.`,
        changed: md`Reading changed nothing; a request for a change may have been taken.`,
        next: md`Look for its card before you ask for a change again.`,
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
            ? NOTHING
            : md`Whether anything was changed is not known: look at the cards before you ask again.`,
        next: md`Tell whoever runs Patchbay; when it is fixed, try again.`,
      };
    case 'unexpected':
      return {
        what: md`Something went wrong that should not.`,
        changed:
          problem.changed === 'nothing'
            ? NOTHING
            : md`Whether anything was changed is not known: look at the cards before you ask again.`,
        next: md`Tell whoever runs Patchbay the reference below.`,
      };
  }
}

const NOT_STORED = {
  'disk-full': md`The disk is full: Patchbay could not store this.`,
  'read-only': md`Patchbay’s database cannot be written: it could not store this.`,
  'broken-disk': md`The disk of Patchbay’s database failed: it could not store this.`,
} as const;

/** A usage of many lines is a wall on a phone, and no answer: it is shown to those who ask for it. */
const LONGEST_USAGE = 120;

function howToWrite({ command, usage, fault, root }: Extract<Problem, { kind: 'usage' }>): Mrkdwn {
  if (fault.kind === 'no-saved-target') return md`${typed(root, 'saved')} shows all of them.`;
  if (command !== '' && usage.length > LONGEST_USAGE)
    return md`${typed(root, `help ${command}`)} says how to write it.`;
  const line = usage.startsWith(root) ? usage : `${root} ${usage}`;
  return md`How to write it: ${code(line, SHOWN.sentence)}`;
}

/** A number comes near to none: one more or less is another thing. */
function noneNear({
  query,
  nearest: names,
}: {
  readonly query: string;
  readonly nearest: readonly string[];
}) {
  return names.length > 0 || /^#\d+$/.test(query) ? md`` : md`No name comes near to it.\n`;
}

/** In words where no buttons offer them. */
function nearest({
  nearest: names,
  offers = [],
}: {
  readonly nearest: readonly string[];
  readonly offers?: readonly Offer[];
}): Mrkdwn {
  return names.length === 0 || offers.length > 0 ? md`` : md`Nearest: ${listed(names)}.\n`;
}
