/** The wording of every problem. */
import { typedCommand } from '../kit/command-buttons.ts';
import { bold, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { mentionChannel, mentionPeople } from '../kit/mentions.ts';
import type { Problem } from '../models/problem-model.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import { serviceErrorText } from '../text/service-error-text.ts';
import { CHANGE_PROBLEMS } from './change-problem-text.ts';
import {
  NO_TEXT,
  nearestText,
  type ProblemOf,
  type ProblemParts,
  type ProblemTable,
  type ProblemWords,
  usageFaultMessage,
} from './problem-parts.ts';

/** The three parts of a problem. `root`: the slash command that starts the commands it names, such as `/fleet`. */
export function problemText<K extends Problem['kind']>(problem: ProblemOf<K>, root: string): ProblemParts {
  // TypeScript cannot tie the key of a table to its value by itself.
  const kind: K = problem.kind;
  return { changed: NO_TEXT, ...PROBLEMS[kind](problem, root) };
}

/** No kind stands in both tables: of two the later one would win. */
const GENERAL_PROBLEMS: Omit<ProblemTable, keyof typeof CHANGE_PROBLEMS> = {
  'unknown-command': (problem) => ({
    what: problem.word.includes(' ')
      ? md`There’s no command for exactly that.`
      : md`No command${trustedMrkdwn(problem.noDevice ? ' or device' : '')} is named ${inlineCode(problem.word)}.`,
    next: md`${nearestText(problem)}${helpText(problem.root)} ${devicesSearchText(problem.root)}`,
  }),
  usage: (problem) => ({
    what: usageFaultMessage(problem.fault, problem.offers),
    next: usageProblemText(problem),
  }),
  'no-such-device': (problem, root) => ({
    what: md`No device is named ${escapeMrkdwn(problem.query)}.`,
    next: md`${nearestText(problem)}${devicesSearchText(root)} A device added in the last minute may not be listed yet.`,
  }),
  'several-devices': ({ query }) => ({
    what: md`${escapeMrkdwn(query)} names several devices. This command takes one.`,
    next: md`Choose one, or run the command for each device.`,
  }),
  'not-all-devices': ({ query, unknown }) => ({
    what:
      unknown.length === 0
        ? md`${escapeMrkdwn(query)} isn’t the name of one device.`
        : md`No device is named ${listMrkdwn(unknown, 5)}.`,
    next: md`To name several devices, put spaces or commas between them.`,
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
  'none-to-change': ({ leftOut }, root) =>
    leftOut.every(({ problem }) => HAVE_IT.includes(problem.kind))
      ? {
          what: md`Nothing to do: all ${countText(leftOut.length, 'device')} have it now.`,
          next: md`Ignored and deferred packages aren’t counted.`,
        }
      : { what: noneText(leftOut, root), next: md`Check the devices, then try again.` },
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
  'not-allowed': (problem, root) => {
    const people = mentionPeople(problem.ask ?? []);
    return {
      what: roleNeeded(problem, root),
      next: problem.command === undefined ? md`Ask ${people} for this role.` : md`Ask ${people} for it.`,
    };
  },
  personal: ({ what, needed }) => ({
    what: md`${inlineCode(what)} searches personal data. Users, serial numbers and addresses need the ${escapeMrkdwn(needed)} role or higher.`,
    next: md`Search by name, group or tag instead.`,
  }),
  'rights-unknown': () => ({
    what: md`Slack didn’t say which user groups you’re in, so your role is unknown.`,
    next: md`Try again in a minute.`,
  }),
  'no-such-number': ({ what, number }, root) => ({
    what:
      what === 'alert'
        ? md`There’s no alert ${number}.`
        : md`There’s no active ${escapeMrkdwn(what)} ${number}.`,
    next: md`${typedCommand(root, what === 'alert' ? 'alerts' : 'subscriptions all')} lists them with their numbers.`,
  }),
  'no-member': ({ channel }, root) => ({
    what:
      channel === 'here'
        ? md`Patchbay isn’t a member of this channel, so it can’t post here.`
        : md`Patchbay isn’t a member of ${escapeMrkdwn(channel)}, or the channel doesn’t exist. For a private channel, you must be a member too.`,
    next: md`Type ${inlineCode('/invite @Patchbay')} in the channel, then subscribe again. To get the alerts yourself: ${typedCommand(root, 'subscribe me …')}`,
  }),
  'channel-unread': ({ channel }) => ({
    what: md`Slack didn’t say whether Patchbay can post in ${channel === 'here' ? md`this channel` : escapeMrkdwn(channel)}.`,
    next: md`Try again in a minute.`,
  }),
  'too-many-subscriptions': ({ own, most }, root) => ({
    what: own
      ? md`You have ${most} subscriptions of your own, the maximum.`
      : md`Channels have ${most} subscriptions in total, the maximum.`,
    next: md`End one that nobody needs. ${typedCommand(root, 'subscriptions all')} lists them.`,
  }),
  'too-many-silences': ({ own, most }, root) => ({
    what: md`${own ? md`You have` : md`There are`} ${most} active silences, the maximum.`,
    next: md`End one with ${typedCommand(root, 'silence off N')}. ${typedCommand(root, 'subscriptions all')} lists them. One broader silence can replace several.`,
  }),
  'card-refused': ({ channel, slackError }) => ({
    ...refusedText(mentionChannel(channel), slackError),
    changed: md`Nothing was requested or started.`,
  }),
  'card-delayed': ({ channel }) => ({
    what: md`The card for ${mentionChannel(channel)} isn’t posted yet.`,
    changed: md`Your request is saved. The card will be posted.`,
    next: md`You don’t need to request it again.`,
  }),
  'not-shared': ({ channel, slackError }) => notSharedText(mentionChannel(channel), slackError),
  'not-exported': ({ slackError }) => notExportedText(slackError),
  'external-channel': ({ channel, isKnown }) =>
    isKnown
      ? {
          what: md`${mentionChannel(channel)} is shared with another organization, so no fleet data is posted there.`,
          next: md`Use an internal channel. An admin can allow this one with ${inlineCode('externalChannels')} in the configuration file.`,
        }
      : {
          what: md`Slack didn’t say whether ${mentionChannel(channel)} is shared with another organization, so Patchbay treats it as shared.`,
          next: md`Try again in a minute, or use another channel.`,
        },
};

const PROBLEMS: ProblemTable = { ...GENERAL_PROBLEMS, ...CHANGE_PROBLEMS };

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
  if (fault.kind === 'unknown-word' && fault.of === 'saved target')
    return md`${typedCommand(root, 'saved')} lists all saved targets.`;
  if (command === '') return helpText(root);
  if (usage.length > MAX_USAGE) return md`${typedCommand(root, `help ${command}`)} explains the command.`;
  return md`Usage: ${inlineCode(`${root} ${usage}`, DISPLAY_LIMIT.sentence)}`;
}

function helpText(root: string): Mrkdwn {
  return md`${typedCommand(root, 'help')} shows what you can do.`;
}

function devicesSearchText(root: string): Mrkdwn {
  return md`${typedCommand(root, 'devices WORDS')} searches names, addresses, serial numbers and users.`;
}

/** An ID has no close match: the next number is another item. */
function noNearestText({ query, nearest }: ProblemOf<'no-such-group' | 'no-such-policy'>): Mrkdwn {
  return nearest.length > 0 || /^#\d+$/.test(query) ? md`` : md`No close match.\n`;
}

/** Devices named with why they stay out; the others are counted. */
const MAX_LEFT_OUT = 5;

/** What was to be done is done on the device. */
const HAVE_IT: readonly Problem['kind'][] = ['nothing-to-install', 'none-missing', 'already-so'];

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

function roleNeeded({ need, role, command }: ProblemOf<'not-allowed'>, root: string): Mrkdwn {
  const yours = role === null ? md`you have no role` : md`you’re ${article(role)} ${escapeMrkdwn(role)}`;
  return command === undefined
    ? md`You need the ${escapeMrkdwn(need)} role (${yours}).`
    : md`${typedCommand(root, command)} needs the ${escapeMrkdwn(need)} role (${yours}).`;
}

export function article(role: string): Mrkdwn {
  return /^[aeiou]/.test(role) ? md`an` : md`a`;
}

function notExportedText(slackError: string | null): ProblemWords {
  if (slackError === null) {
    return {
      what: md`Slack didn’t say whether the file arrived.`,
      next: md`Check your direct messages with Patchbay before you export again.`,
    };
  }
  const next =
    slackError === 'missing_scope'
      ? md`The app can’t send files yet. Ask an admin to reinstall it from its manifest.`
      : md`Try again in a moment.`;
  return { what: md`Slack rejected the file: ${inlineCode(slackError)}.`, next };
}

function notSharedText(where: Mrkdwn, slackError: string | null): ProblemWords {
  switch (slackError) {
    case null:
      return {
        what: md`Slack didn’t say whether it was posted in ${where}.`,
        next: md`Check the channel before you share it again.`,
      };
    case 'not_in_channel':
    case 'channel_not_found':
      return {
        what: md`Patchbay isn’t a member of this channel, so it can’t post here.`,
        next: md`Invite Patchbay to the channel, then share again.`,
      };
    default:
      return {
        what: md`Slack rejected the post in ${where}: ${inlineCode(slackError)}.`,
        next: md`Share it in another channel.`,
      };
  }
}

/** What to do about the most frequent errors (docs.slack.dev, chat.postMessage errors). */
function refusedText(where: Mrkdwn, slackError: string): ProblemWords {
  switch (slackError) {
    case 'not_in_channel':
    case 'channel_not_found':
      return {
        what: md`Patchbay isn’t a member of ${where}, so it can’t post the card there.`,
        next: md`Invite Patchbay to the channel, or set another one in the configuration file. Then try again.`,
      };
    case 'is_archived':
      return {
        what: md`${where} is archived, so the card can’t be posted there.`,
        next: md`Set another channel in the configuration file. Then try again.`,
      };
    default:
      return {
        what: md`Slack rejected the card for ${where}: ${inlineCode(slackError)}.`,
        next: md`Tell whoever runs Patchbay. They can check it with ${inlineCode('npm run doctor')}.`,
      };
  }
}
