/** The wording of problems that only changes of many devices have. */
import { planRollout } from '../../rollout/plan.ts';
import { undecidedIn } from '../../store/port/request-records.ts';
import { doubtText } from '../fleet/completeness.ts';
import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { linkTo } from '../kit/mentions.ts';
import { relativeDate } from '../kit/timestamps.ts';
import { planDifferenceText } from '../requests/rollout/plan-text.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import type { ProblemOf, ProblemTable } from './problem-parts.ts';

export const ROLLOUT_PROBLEMS = {
  'no-devices-match': ({ filters }, root) => ({
    what: md`No devices match ${inlineCode(filters, DISPLAY_LIMIT.sentence)}.`,
    next: md`${typedCommand(root, 'devices')} lists what other filters match.`,
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
