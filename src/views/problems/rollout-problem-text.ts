/** The wording of problems with changes of many devices. */
import { typedCommand } from '../kit/command-buttons.ts';
import { bold, escapeMrkdwn, inlineCode, joinMrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Problem } from '../models/problem-model.ts';
import type { RolloutProblem } from '../models/rollout-problem-model.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import { NO_TEXT, type ProblemParts } from './problem-parts.ts';

/** Devices named with why they stay out; the others are counted. */
const MAX_LEFT_OUT = 5;

type NoneToChange = Extract<Problem, { kind: 'none-to-change' }>;
/** Problems that only changes of many devices have. */
export type ManyDevicesProblem = RolloutProblem | NoneToChange;

const KINDS = {
  'no-devices-match': true,
  'fleet-unread': true,
  'packages-unread': true,
  'device-packages-unread': true,
  'missing-nowhere': true,
  'rollout-too-large': true,
  'daily-limit': true,
  'reason-required': true,
  'none-to-change': true,
} as const satisfies Readonly<Record<ManyDevicesProblem['kind'], true>>;

/** Whether only changes of many devices have it. */
export function isRolloutProblem<P extends Pick<Problem, 'kind'>>(
  problem: P,
): problem is Extract<P, ManyDevicesProblem> {
  return Object.hasOwn(KINDS, problem.kind);
}

/** `what`: the first part of any problem. */
export function rolloutProblemText(
  problem: ManyDevicesProblem,
  root: string,
  what: (problem: Problem) => ProblemParts['what'],
): ProblemParts {
  switch (problem.kind) {
    case 'no-devices-match':
      return {
        what: md`No devices match ${inlineCode(problem.filters, DISPLAY_LIMIT.sentence)}.`,
        changed: NO_TEXT,
        next: md`${typedCommand(root, 'devices')} lists what other filters match.`,
      };
    case 'fleet-unread': {
      const all = problem.of === null ? md`` : md` of ${problem.of}`;
      return {
        what: md`Patchbay is still reading the fleet: ${problem.read}${all} devices so far. Filters could leave devices out.`,
        changed: NO_TEXT,
        next: md`Try again in a minute, or name the devices.`,
      };
    }
    case 'packages-unread': {
      const { known, of, oldest, isGoing } = problem;
      const devices = md`${countText(of, 'device')} with missing patches`;
      return {
        what:
          known === of && oldest !== null
            ? md`The packages of ${devices} were read too long ago to select devices by them: some ${relativeDate(oldest)}.`
            : md`Patchbay has read the packages of ${known} of ${devices} so far.`,
        changed: NO_TEXT,
        next: isGoing
          ? md`The rest is being read in the background. Try again in a minute.`
          : md`Try again in a minute. With a filter such as ${inlineCode('group:')} fewer devices have to be read.`,
      };
    }
    case 'device-packages-unread':
      return {
        what: md`The packages of ${escapeMrkdwn(problem.deviceName)} couldn’t be read.`,
        changed: NO_TEXT,
        next: md`Try again in a minute.`,
      };
    case 'missing-nowhere': {
      const { query, devices, nearest, offers = [] } = problem;
      const near =
        nearest.length === 0 || offers.length > 0 ? md`` : md`Similar names: ${listMrkdwn(nearest)}.\n`;
      return {
        what: md`None of the ${countText(devices, 'device')} checked is missing ${inlineCode(query, DISPLAY_LIMIT.sentence)}.`,
        changed: NO_TEXT,
        next: md`${near}${typedCommand(root, 'missing PACKAGE')} lists the devices missing a package.`,
      };
    }
    case 'none-to-change':
      return {
        what: noneText(problem, what),
        changed: NO_TEXT,
        next: md`Check the devices, then try again.`,
      };
    default:
      return limitText(problem);
  }
}

type LimitProblem = Extract<
  RolloutProblem,
  { kind: 'rollout-too-large' | 'daily-limit' | 'reason-required' }
>;

function limitText(problem: LimitProblem): ProblemParts {
  switch (problem.kind) {
    case 'rollout-too-large':
      return {
        what: md`These are ${countText(problem.devices, 'device')}. One request takes at most ${problem.most}.`,
        changed: NO_TEXT,
        next: md`Use more filters to select fewer devices. Admins set the limit in the configuration file.`,
      };
    case 'daily-limit': {
      const { devices, used, most } = problem;
      return {
        what: md`These are ${countText(devices, 'device')}. You requested changes of ${used} in the last 24 hours, and the limit is ${most}.`,
        changed: NO_TEXT,
        next: md`Select fewer devices, or ask somebody else to request it. Admins set the limit in the configuration file.`,
      };
    }
    case 'reason-required':
      return {
        what: md`A change of ${countText(problem.devices, 'device')} needs a reason. It is required from ${problem.from} devices on.`,
        changed: NO_TEXT,
        next: md`Add ${inlineCode('because REASON')} at the end of the line.`,
      };
  }
}

function noneText({ leftOut }: NoneToChange, what: (problem: Problem) => ProblemParts['what']) {
  const named = leftOut
    .slice(0, MAX_LEFT_OUT)
    .map(({ name, problem }) => md`${bold(name)}: ${what(problem)}`);
  const more = leftOut.length > named.length ? [md`${leftOut.length - named.length} more`] : [];
  return joinMrkdwn(
    [md`None of the ${countText(leftOut.length, 'device')} would change.`, ...named, ...more],
    '\n',
  );
}
