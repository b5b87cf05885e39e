/** The wording of problems that only changes have: which devices, packages and policies, limits, edits and the pause. */
import { SEVERITIES } from '../../fleet/model/derived-fields.ts';
import { planRollout } from '../../rollout/plan.ts';
import { undecidedIn } from '../../store/port/request-records.ts';
import { NAMED_LINE_NOUNS } from '../answers/named-line-list.ts';
import { doubtText } from '../fleet/completeness.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { linkTo } from '../kit/mentions.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { planDifferenceText } from '../requests/rollout/plan-text.ts';
import { pausedByText } from '../status/pause-card.ts';
import { changeFaultText } from '../text/change-fault-text.ts';
import {
  actionSentence,
  countText,
  listMrkdwn,
  policyNameText,
  policyTypeText,
} from '../text/common-text.ts';
import { severityCountsText } from '../text/quantities.ts';
import { MAX_OFFERS, nearestText, type ProblemOf, type ProblemTable } from './problem-parts.ts';

export const CHANGE_PROBLEMS = {
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
    what: md`${escapeMrkdwn(problem.deviceName)} has no missing package named ${escapeMrkdwn(problem.query)}.`,
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
} satisfies Partial<ProblemTable>;

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
