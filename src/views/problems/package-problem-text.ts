/** The wording of packages that cannot be requested, and of commands that are queued already. */

import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, md } from '../kit/escape.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { actionSentence, listMrkdwn } from '../text/common-text.ts';
import { nearestText } from './nearest.ts';
import type { ProblemTable } from './problem-parts.ts';

export const PACKAGE_PROBLEMS = {
  'nothing-to-install': ({ deviceName, unlisted }) =>
    unlisted === true
      ? {
          what: md`The management service lists no packages for ${escapeMrkdwn(deviceName)}.`,
          next: md`Its missing patches are unknown. Scan the device first.`,
        }
      : {
          what: md`${escapeMrkdwn(deviceName)} has no missing patches.`,
          next: md`Ignored and deferred packages are excluded. A scan updates the list.`,
        },
  'already-installed': ({ name, deviceName }) => ({
    what: md`${escapeMrkdwn(name)} is already installed on ${escapeMrkdwn(deviceName)}. No newer version is pending.`,
    next: md`A scan updates the list.`,
  }),
  'no-such-package': (problem, root) => ({
    what: md`${escapeMrkdwn(problem.deviceName)} has no missing package named ${escapeMrkdwn(problem.query)}.`,
    next: md`${nearestText(problem)}${typedCommand(root, 'packages NAME')} lists missing packages. Ignored and deferred packages can’t be requested.`,
  }),
  'several-packages': ({ query, deviceName, names }) => ({
    what: md`${escapeMrkdwn(deviceName)} has ${names.length} missing packages named ${escapeMrkdwn(query)}.`,
    next: md`Choose by package name: ${listMrkdwn(names)}.`,
  }),
  'unsendable-package': ({ name }) => ({
    what: md`${inlineCode(name)} can’t be installed by itself. Its name contains a space or a quote, and the management service would cut the name there.`,
    next: md`Request all missing patches, or install it in the service’s own console.`,
  }),
  'already-queued': ({ command, deviceName, since }) => {
    // Without a time where the service does not state one.
    const due = since === null ? md`` : md`, due ${relativeDate(since)}`;
    return {
      what: md`The command to ${actionSentence(command, [deviceName])} is already in its queue${due}.`,
      next: md`It runs when the device picks it up. The device’s queue shows it until then.`,
    };
  },
} satisfies Partial<ProblemTable>;
