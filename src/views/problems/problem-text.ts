/** The wording of every problem. */

import { typedCommand } from '../kit/command-buttons.ts';
import { bold, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import type { Problem } from '../models/problem-model.ts';
import { countText } from '../text/common-text.ts';
import { serviceErrorText } from '../text/service-error-text.ts';
import { ACCESS_PROBLEMS } from './access-problem-text.ts';
import { ALERT_PROBLEMS } from './alert-problem-text.ts';
import { nearestText } from './nearest.ts';
import { PACKAGE_PROBLEMS } from './package-problem-text.ts';
import {
  NO_TEXT,
  type ProblemOf,
  type ProblemParts,
  type ProblemTable,
  type SharedKeys,
} from './problem-parts.ts';
import { ROLLOUT_PROBLEMS } from './rollout-problem-text.ts';
import { EDIT_PROBLEMS, SETTING_PROBLEMS } from './setting-problem-text.ts';
import { SLACK_PROBLEMS } from './slack-problem-text.ts';
import { SOFTWARE_PROBLEMS } from './software-problem-text.ts';
import { usageFaultMessage } from './usage-text.ts';

/** The three parts of a problem. `root`: the slash command that starts the commands it names, such as `/fleet`. */
export function problemText<K extends Problem['kind']>(problem: ProblemOf<K>, root: string): ProblemParts {
  // TypeScript cannot tie the key of a table to its value by itself.
  const kind: K = problem.kind;
  return { changed: NO_TEXT, ...PROBLEMS[kind](problem, root) };
}

const GENERAL_PROBLEMS = {
  'unknown-command': (problem) => ({
    what: md`Unknown command ${inlineCode(problem.word)}.`,
    next: md`${nearestText(problem)}${helpText(problem.root)}`,
  }),
  usage: (problem) => ({
    what: usageFaultMessage(problem.fault, problem.offers),
    next: usageProblemText(problem),
  }),
  'no-such-device': (problem, root) => ({
    what: md`No device is named ${escapeMrkdwn(problem.query)}.`,
    next: md`${nearestText(problem)}${typedCommand(root, 'devices WORDS')} searches names, addresses, serial numbers and users. A device added in the last minute may not be listed yet.`,
  }),
  'several-devices': ({ query }) => ({
    what: md`${escapeMrkdwn(query)} names several devices. A command takes one device at a time.`,
    next: md`Choose one, or run the command for each device.`,
  }),
  'device-gone': ({ query }) => ({
    what: md`${escapeMrkdwn(query)} is no longer in the fleet. The management service doesn’t know it.`,
    next: md`If it was reinstalled, it has a new ID. Search for its name.`,
  }),
  'no-such-group': (problem, root) => ({
    what: md`No group is named ${escapeMrkdwn(problem.query)}.`,
    next: md`${nearestText(problem)}${noNearestText(problem)}${typedCommand(root, 'groups')} lists all groups. Put a name with spaces in quotes, such as ${inlineCode('group:"Linux servers"')}.`,
  }),
  'no-such-policy': (problem, root) => ({
    what: md`No policy is named ${escapeMrkdwn(problem.query)}.`,
    next: md`${nearestText(problem)}${noNearestText(problem)}${typedCommand(root, 'policies')} lists all policies.`,
  }),
  'none-to-change': ({ leftOut }, root) => ({
    what: noneText(leftOut, root),
    next: md`Check the devices, then try again.`,
  }),
  restarting: () => ({
    what: md`Patchbay is restarting. Try again.`,
    changed: md`If you requested a change, it may have been received.`,
    next: md`Look for its card before you request a change again.`,
  }),
  fleet: ({ error, changed }) => serviceErrorText(error, changed),
  'not-stored': ({ why, changed }) => ({
    what: NOT_STORED[why],
    ...(changed === null ? {} : { changed: CHANGED[changed] }),
    next: md`Tell whoever runs Patchbay. Try again once it’s fixed.`,
  }),
  unexpected: ({ reference, changed }) => ({
    what: md`Unexpected error (reference ${inlineCode(reference)}).`,
    ...(changed === null ? {} : { changed: CHANGED[changed] }),
    next: md`If it happens again, give this reference to whoever runs Patchbay.`,
  }),
} satisfies Partial<ProblemTable>;

/** Of two tables with the same kind the later one would win, so none may share one. */
type Tables = [
  typeof ACCESS_PROBLEMS,
  typeof ALERT_PROBLEMS,
  typeof EDIT_PROBLEMS,
  typeof GENERAL_PROBLEMS,
  typeof PACKAGE_PROBLEMS,
  typeof ROLLOUT_PROBLEMS,
  typeof SETTING_PROBLEMS,
  typeof SLACK_PROBLEMS,
  typeof SOFTWARE_PROBLEMS,
];
const PROBLEMS: ProblemTable = {
  ...ACCESS_PROBLEMS,
  ...ALERT_PROBLEMS,
  ...EDIT_PROBLEMS,
  ...GENERAL_PROBLEMS,
  ...PACKAGE_PROBLEMS,
  ...ROLLOUT_PROBLEMS,
  ...SETTING_PROBLEMS,
  ...SLACK_PROBLEMS,
  ...SOFTWARE_PROBLEMS,
} satisfies Readonly<Record<SharedKeys<Tables>, never>>;

const CHANGED = {
  nothing: md`Nothing was changed.`,
  unknown: md`Something may have changed. Check the cards before you try again.`,
} as const;

const NOT_STORED = {
  'disk-full': md`The disk is full, so Patchbay couldn’t save this.`,
  'read-only': md`Patchbay can’t write to its database, so it couldn’t save this.`,
  'broken-disk': md`Patchbay’s database disk failed, so it couldn’t save this.`,
} as const;

/** A longer usage fills a phone's screen, so its help is named instead. */
const MAX_USAGE = 120;

function usageProblemText({ command, usage, fault, root }: ProblemOf<'usage'>): Mrkdwn {
  if (fault.kind === 'no-saved-target') return md`${typedCommand(root, 'saved')} lists all saved targets.`;
  if (command === '') return helpText(root);
  if (usage.length > MAX_USAGE) return md`${typedCommand(root, `help ${command}`)} explains the command.`;
  return md`Usage: ${inlineCode(`${root} ${usage}`, DISPLAY_LIMIT.sentence)}`;
}

function helpText(root: string): Mrkdwn {
  return md`${typedCommand(root, 'help')} shows what you can do.`;
}

/** An ID has no close match: the next number is another item. */
function noNearestText({ query, nearest }: ProblemOf<'no-such-group' | 'no-such-policy'>): Mrkdwn {
  return nearest.length > 0 || /^#\d+$/.test(query) ? md`` : md`No close match.\n`;
}

/** Devices named with why they stay out; the others are counted. */
const MAX_LEFT_OUT = 5;

function noneText(leftOut: ProblemOf<'none-to-change'>['leftOut'], root: string): Mrkdwn {
  const named = leftOut
    .slice(0, MAX_LEFT_OUT)
    .map(({ name, problem }) => md`${bold(name)}: ${problemText(problem, root).what}`);
  const left = leftOut.length - named.length;
  return joinMrkdwn(
    [
      md`None of the ${countText(leftOut.length, 'device')} would change.`,
      ...named,
      ...(left > 0 ? [md`${left} more`] : []),
    ],
    '\n',
  );
}
