import { SEVERITIES } from '../../fleet/model/derived-fields.ts';
import type { NotDone } from '../../lib/not-done.ts';
import { byKind } from '../../lib/record-fields.ts';
import { planRollout } from '../../rollout/plan.ts';
import { undecidedIn } from '../../store/port/request-records.ts';
import { NAMED_LINE_NOUNS } from '../answers/named-line-list.ts';
import { doubtText } from '../fleet/completeness.ts';
import { typedCommand } from '../kit/buttons.ts';
import { bold, escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { linkTo, mentionChannel, mentionPeople } from '../kit/mentions.ts';
import { relativeDate } from '../kit/timestamps.ts';
import type { Problem } from '../models/problem-model.ts';
import { neededReasonText, refusingRulesText } from '../requests/demands.ts';
import { planDifferenceText } from '../requests/plan-text.ts';
import { pausedByText } from '../status/pause-card.ts';
import {
  actionSentence,
  countText,
  listMrkdwn,
  policyNameText,
  policyTypeText,
  severityCountsText,
  withRest,
} from '../text/common-text.ts';
import { changeFaultText, serviceErrorText } from '../text/error-text.ts';
import {
  MAX_OFFERS,
  NO_TEXT,
  nearestText,
  type ProblemOf,
  type ProblemParts,
  type ProblemWords,
  usageFaultMessage,
} from './problem-parts.ts';

/** The three parts of a problem. `root`: the slash command that starts the commands it names, such as `/fleet`. */
export function problemText(problem: Problem, root: string): ProblemParts {
  return { changed: NO_TEXT, ...problemWords(problem, root) };
}

/** What was asked for in other words is offered with its form. */
function isChange({ offers: [first] = [] }: ProblemOf<'unknown-command'>): boolean {
  return first?.kind === 'line' && first.does !== 'run';
}

export const NOT_DONE_TEXTS: Record<NotDone, (root: string) => Mrkdwn> = {
  'remove-software': () => md`Patchbay installs patches. It removes no software.`,
  installed: (root) =>
    md`What is installed is known for one device at a time: ${inlineCode(`${root} packages NAME WORD`)}. For all of them, it is known which patches are missing.`,
  lock: () => md`Patchbay can’t lock, wipe or locate devices.`,
  remind: () => md`There are no reminders.`,
  'request-alerts': () =>
    md`Requests are posted in the channel for approvals and shown on the Home tab. There are no alerts for them.`,
  repeat: (root) =>
    md`There are no schedules yet, so nothing repeats. ${inlineCode(`${root} silence`)} holds alerts for a while, once.`,
  'test-alert': (root) =>
    md`There are no test alerts. ${inlineCode(`${root} subscribe`)} chooses what a channel gets, and says what it chose.`,
  'own-settings': () =>
    md`Patchbay’s own settings are in environment variables and its configuration file. Whoever runs it changes them there; roles and rules of the file take effect within ten seconds, everything else after a restart.`,
  'stand-ins': () =>
    md`There are no stand-ins, and approvals can’t be delegated. Whoever may approve can decide. An approval rule in the configuration file names the people, and with ${inlineCode('escalate')} asks others after a while.`,
  protect: () =>
    md`Patchbay can’t exempt a device from patches or reboots, or hold a patch back. A rule with ${inlineCode('refuse')} in the configuration file refuses requests made here. The management service’s own policies still run.`,
  exclusion: () =>
    md`Nothing has been done: Patchbay doesn’t know how to leave that out. A filter with “-” leaves devices out, such as ${inlineCode('-group:Kiosks')} or ${inlineCode('-device:db-01')}. Nothing else can be left out of a change.`,
  'patch-age': () => md`Patchbay can’t tell how old a patch is, or how long it has been missing.`,
  'reboot-times': () =>
    md`When devices were last rebooted isn’t known. It is known which of them need a reboot.`,
  users: (root) =>
    md`Only the last user of each device is known, where the management service names one. ${inlineCode(`${root} device NAME`)} shows it, and ${inlineCode(`${root} devices user:NAME`)} lists the devices of one user.`,
  beyond: (root) =>
    md`Patchbay doesn’t handle that. It looks up devices and packages, and scans, patches and reboots devices. A policy can run a script that does more: ${inlineCode(`${root} policies`)}.`,
  speed: () => md`Patchbay doesn’t measure speed or load.`,
  stale: () =>
    md`Stale means not seen for 30 days, and no filter takes another time. ${inlineCode('devices is:offline sort:seen')} shows when each was last seen.`,
  'audit-person': () => md`The audit shows what everybody did. It can’t be narrowed to a person.`,
  'approval-rules': (root) =>
    md`Everything that changes devices, groups or policies needs somebody else’s approval, unless a rule in the configuration file says otherwise. A scan, a policy test and a device’s display name don’t. ${inlineCode(`${root} explain COMMAND`)} says more about one.`,
};

const problemWords = byKind<Problem, ProblemWords, [root: string]>({
  'unknown-command': (problem) => ({
    what: problem.notDone
      ? NOT_DONE_TEXTS[problem.notDone](problem.root)
      : problem.unknownFilter
        ? md`No filter of devices means “${escapeMrkdwn(problem.unknownFilter)}”. ${typedCommand(problem.root, 'help filters')} lists those there are.`
        : problem.word.includes(' ')
          ? trustedMrkdwn(
              isChange(problem) ? 'Nothing has been done yet.' : 'There’s no command for exactly that.',
            )
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
  // Of changes: which devices, packages and policies, limits, edits and the pause.
  'no-devices-match': ({ filters, unknown = 0 }, root) => ({
    what: md`No devices match ${inlineCode(filters, DISPLAY_LIMIT.sentence)}${unknown === 0 ? md`` : md` (${unknown} unknown)`}.`,
    next: md`${typedCommand(root, 'devices')} lists what other filters match.`,
  }),
  'no-schedules': ({ when, needsApproval }) => ({
    what: md`${needsApproval === null ? md`` : needsApproval ? md`This would run as soon as it’s approved. ` : md`This would run right away. `}There are no schedules yet.`,
    next: md`To run it ${inlineCode(when, DISPLAY_LIMIT.sentence)}, request it then.`,
  }),
  'unknown-fit': ({ deviceName }) => ({
    what: md`Unknown whether ${escapeMrkdwn(deviceName)} matches the filters.`,
    next: md`To change it, use its name.`,
  }),
  'fleet-unread': ({ read, of }) => ({
    what: md`Patchbay is still reading the fleet: ${read}${of === null ? md`` : md` of ${of}`} devices so far. Filters could leave devices out.`,
    next: md`Try again in a minute, or name the devices.`,
  }),
  'list-doubted': ({ doubt }, root) => ({
    what: md`${doubtText(doubt)} Filters could select the wrong devices.`,
    next: md`Name the devices, or wait: Patchbay checks the missing ones. If they were removed, an admin can confirm it with ${typedCommand(root, 'accept-removals')}.`,
  }),
  'packages-unread': ({ known, of, oldest, isGoing }) => {
    const devices = md`${countText(of, 'device')} with missing patches`;
    return {
      what:
        known === of && oldest !== null
          ? md`The packages of ${devices} were read too long ago to select devices by them: some ${relativeDate(oldest)}.`
          : md`Patchbay has read the packages of ${known} of ${devices} so far.`,
      next: isGoing
        ? md`The rest is being read in the background. Try again in a minute.`
        : md`Try again in a minute. With a filter such as ${inlineCode('group:')} fewer devices have to be read.`,
    };
  },
  'device-packages-unread': ({ deviceName }) => ({
    what: md`The packages of ${escapeMrkdwn(deviceName)} couldn’t be read.`,
    next: md`Try again in a minute.`,
  }),
  'missing-nowhere': ({ query, devices, nearest, offers = [] }, root) => {
    const near =
      nearest.length === 0 || offers.length > 0 ? md`` : md`Similar names: ${listMrkdwn(nearest)}.\n`;
    return {
      what: md`None of the ${countText(devices, 'device')} checked is missing ${inlineCode(query, DISPLAY_LIMIT.sentence)}.`,
      next: md`${near}${typedCommand(root, 'missing PACKAGE')} lists the devices missing a package.`,
    };
  },
  'rollout-too-large': ({ devices, most }) => ({
    what: md`These are ${countText(devices, 'device')}. One request takes at most ${most}.`,
    next: md`Use more filters to select fewer devices. Admins set the limit in the configuration file.`,
  }),
  'daily-limit': ({ devices, used, most }) => ({
    what: md`${devices === 1 ? md`This is 1 device` : md`These are ${devices} devices`}. You requested changes of ${used} in the last 24 hours, and the limit is ${most}.`,
    next: md`Select fewer devices, or ask somebody else to request it. Admins set the limit in the configuration file.`,
  }),
  'too-many-waiting': ({ most }, root) => ({
    what: md`${countText(most, 'request')} of yours already ${trustedMrkdwn(most === 1 ? 'waits' : 'wait')} for approval, the maximum.`,
    next: md`Withdraw one to request another. ${typedCommand(root, 'approvals mine')} lists them too.`,
  }),
  'request-differs': ({ request, link, plan, devices, mine }) => ({
    what: md`A request for the same change is already waiting, but it’s not the same: ${differenceText(request, plan, devices)}.`,
    next: md`${link === null ? md`` : md`${linkTo(link, md`Open the request`)}. `}${mine ? md`Withdraw it to request this instead.` : md`Its requester can withdraw it. Otherwise wait until it’s decided.`}`,
  }),
  'reason-required': ({ devices, lastHour, from }) => ({
    what: md`${
      lastHour > devices
        ? md`With this, you asked for changes of ${countText(lastHour, 'device')} in the last hour, so it needs a reason.`
        : md`A change of ${countText(devices, 'device')} needs a reason.`
    } It’s required from ${countText(from, 'device')} on.`,
    next: md`In a command line, the reason comes last: ${inlineCode('because REASON')}.`,
  }),
  'rule-refuses': ({ rules, names, devices, total }) => ({
    what: md`This can’t be requested now. ${refusingRulesText(rules)}${
      total === 1
        ? md``
        : md`\nIt applies to ${devices} of the ${countText(total, 'device')}: ${withRest(listMrkdwn(names), devices - names.length)}.`
    }`,
    next:
      devices === total
        ? md`The rule stands in the configuration file of Patchbay.`
        : md`Leave ${devices === 1 ? md`it` : md`them`} out, then request the others.`,
  }),
  'reason-unfit': ({ rule, pattern }) => ({
    what: neededReasonText(rule, pattern),
    next: md`In a command line, the reason comes last: ${inlineCode('because REASON')}.`,
  }),
  'none-missing': ({ deviceName, severities }) => ({
    what:
      severities === undefined
        ? md`${escapeMrkdwn(deviceName)} isn’t missing any of the requested packages.`
        : md`${escapeMrkdwn(deviceName)} isn’t missing any ${oneOfText(severities)} packages.`,
    next: md`Ignored and deferred packages aren’t counted. Scan the device to refresh the list.`,
  }),
  'policy-not-for': (problem, root) => ({
    what: problem.why === 'kind' ? wrongPolicyKind(problem) : policyElsewhere(problem),
    next: alternativesText(problem, root),
  }),
  'policy-without-devices': ({ policy: { id, name } }, root) => ({
    what: md`${policyNameText(id, name)} applies to no devices.`,
    next: md`To see its groups, use ${typedCommand(root, 'policy NAME')}.`,
  }),
  'no-such-severity': ({ deviceName, asked, there }) => ({
    what: md`${escapeMrkdwn(deviceName)} has no missing patches with severity ${oneOfText(asked)}.`,
    next: md`${statedSeverities(there)}Name packages, or leave the severity out to request all missing patches.`,
  }),
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
    what: md`${escapeMrkdwn(problem.deviceName)} has no missing package named ${escapeMrkdwn(problem.query)}. Patchbay installs patches, not new software.`,
    next: md`${nearestText(problem)}${typedCommand(root, 'packages NAME')} lists missing packages. Ignored and deferred packages can’t be requested.`,
  }),
  'several-packages': ({ query, deviceName, names, offers = [] }) => ({
    what: md`${escapeMrkdwn(deviceName)} has ${names.length} missing packages named ${escapeMrkdwn(query)}.`,
    next:
      offers.length === 0
        ? md`Choose by package name: ${listMrkdwn(names)}.`
        : md`Choose one by its package name.`,
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
  paused: ({ pause }) => ({
    what: md`All changes are paused ${pausedByText(pause)}.`,
    changed: md`Nothing was requested or started.`,
    next: md`Try again when changes are resumed. You can still look at the fleet.`,
  }),
  'names-full': ({ shared, most, of }) => {
    const things = escapeMrkdwn(NAMED_LINE_NOUNS[of].many);
    return {
      what: shared
        ? md`There are already ${most} shared ${things}, the maximum.`
        : md`You already have ${most} ${things}, the maximum.`,
      next: md`Remove one, or reuse one of the names to replace it.`,
    };
  },
  'alias-is-device': ({ name }) => ({
    what: md`There’s a device named ${inlineCode(name)}.`,
    next: md`Choose another name.`,
  }),
  'no-such-name': (problem, root) => {
    const what = escapeMrkdwn(NAMED_LINE_NOUNS[problem.of].one);
    const whose = problem.shared ? md`There’s no shared` : md`You have no`;
    return {
      what: md`${whose} ${what} ${inlineCode(problem.name)}.`,
      next: md`${typedCommand(root, problem.of)} lists all of them.`,
    };
  },
  'already-so': ({ name }) => ({
    what: md`${escapeMrkdwn(name)} already has these values.`,
    next: md`There’s nothing to request.`,
  }),
  'unsendable-change': ({ fault }) => ({
    what: md`This change can’t be sent: ${escapeMrkdwn(changeFaultText(fault), 200)}.`,
    next: md`Correct it, then try again.`,
  }),
  'unreadable-edit': ({ most }) => ({
    what: md`Too long for one approval card: new values can have up to ${most} characters.`,
    next: md`Split it into smaller requests, or use shorter values.`,
  }),
  'policy-not-shown': ({ policies }) => ({
    what: md`The management service doesn’t show what ${listMrkdwn(policies, 5)} would run, so nobody can approve it.`,
    next: md`Check the policy and the rights of the API key in the management service.`,
  }),
  'group-exists': ({ parent, name, id }, root) => ({
    what: md`${escapeMrkdwn(parent)} already has a subgroup ${escapeMrkdwn(name)} (#${id}).`,
    next: md`Use another name or parent, or edit that group: ${typedCommand(root, `group-edit #${id}`)}`,
  }),
  'policy-exists': ({ name, id }, root) => ({
    what: md`Policy #${id} is already named ${escapeMrkdwn(name)}.`,
    next: md`Use another name, or edit that policy: ${typedCommand(root, `policy-edit #${id}`)}`,
  }),
  'name-not-typed': ({ name }) => ({
    what: md`The name doesn’t match.`,
    changed: md`Nothing was requested.`,
    next: md`Type ${escapeMrkdwn(name)} to confirm.`,
  }),
  'default-group': () => ({
    what: md`The Default Group can’t be removed.`,
    next: md`The devices of removed groups go there.`,
  }),
});

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

/** In what the request that was asked for now is another than the waiting one. */
function differenceText(
  { rollout, counts }: ProblemOf<'request-differs'>['request'],
  plan: ProblemOf<'request-differs'>['plan'],
  devices: number,
): Mrkdwn {
  const left = undecidedIn(counts);
  if (left !== devices)
    return md`yours is for ${countText(devices, 'device')}, the waiting one for the ${left} that are left`;
  const byItself = planRollout(devices);
  return planDifferenceText(plan ?? byItself, rollout?.plan ?? byItself);
}

type WrongPolicyProblem = ProblemOf<'policy-not-for'>;

/** What the interface runs by hand (§4.3). */
function wrongPolicyKind({ action, policy: { id, name, type } }: WrongPolicyProblem): Mrkdwn {
  const what = md`${policyNameText(id, name)} is ${policyKindText(type)}`;
  return action === 'test'
    ? md`Only Worklets can be tested on a device: ${what}.`
    : md`Only Worklets and required software can be remediated manually: ${what}.`;
}

function policyKindText(type: string | null): Mrkdwn {
  if (type === null) return md`of an unknown type`;
  return type === 'required_software' ? policyTypeText(type) : md`a ${policyTypeText(type)}`;
}

function policyElsewhere({ policy: { id, name }, deviceName }: WrongPolicyProblem): Mrkdwn {
  return md`The management service doesn’t list ${policyNameText(id, name)} among the policies of ${deviceName === undefined ? md`the devices` : escapeMrkdwn(deviceName)}.`;
}

function alternativesText(
  { action, policy, deviceName, others, offers }: WrongPolicyProblem,
  root: string,
): Mrkdwn {
  const verb = action === 'test' ? md`tested` : md`remediated`;
  const on = deviceName === undefined ? md`` : md` on ${escapeMrkdwn(deviceName)}`;
  const some =
    others.length === 0
      ? md`${deviceName === undefined ? md`The devices have` : md`${escapeMrkdwn(deviceName)} has`} no policy that can be ${verb}.`
      : offers === undefined || others.length > MAX_OFFERS
        ? md`Policies that can be ${verb}${on}: ${listMrkdwn(others)}.`
        : md`These policies can be ${verb}${on}.`;
  return policy.type === 'patch'
    ? md`${some}\nTo install missing patches, use ${typedCommand(root, 'patch NAME')}.`
    : md`${some}\nTo see the groups of a policy, use ${typedCommand(root, 'policy NAME')}.`;
}

function oneOfText(severities: readonly string[]): Mrkdwn {
  return joinMrkdwn(
    severities.slice(0, SEVERITIES.length).map((severity) => escapeMrkdwn(severity, DISPLAY_LIMIT.label)),
    ' or ',
  );
}

/** The service may state a severity of some packages, of all or of none. */
function statedSeverities(there: ProblemOf<'no-such-severity'>['there']): Mrkdwn {
  return there.every(({ severity }) => severity === null)
    ? md`The management service gives no severity for these packages.\n`
    : md`Missing: ${severityCountsText(there)}.\n`;
}
