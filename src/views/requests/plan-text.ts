/** The plan of a rollout, and what is unusual about its devices, in words. */
import type { FleetAction } from '../../fleet/model/actions.ts';
import { MINUTE } from '../../lib/clock.ts';
import { durationText } from '../../lib/text.ts';
import type { Brake, RolloutCost, RolloutPlan } from '../../rollout/plan.ts';
import type { Rollout } from '../../rollout/progress.ts';
import type { RolloutSummary, TopCounts } from '../../rollout/summary.ts';
import { rowBlocks } from '../kit/blocks.ts';
import { escapeMrkdwn, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT } from '../kit/limits.ts';
import { countText, listTargets, type NamedTarget, severityText, withRest } from '../text/common-text.ts';

const BUDGET = 2_500;
const MAX_WAVES = 8;

/** In how many waves, when it stops by itself, and what happens on devices that are offline. */
export function planText(plan: RolloutPlan): Mrkdwn {
  return md`*Plan*: ${joinMrkdwn(planParts(plan), ' · ')}`;
}

function planParts({ waves, waitMs, brake, gate, offline }: RolloutPlan): readonly Mrkdwn[] {
  const [first = 0] = waves;
  const all = first === 1 ? md`one device` : md`all ${first} devices`;
  return [
    waves.length === 1 ? all : md`${waves.length} waves (${wavesText(waves)})`,
    ...(waves.length > 1 && waitMs > 0 ? [md`${trustedMrkdwn(durationText(waitMs))} between waves`] : []),
    ...(waves.length > 1 && gate === 'manual' ? [md`an approver continues after each wave`] : []),
    brakeText(brake),
    ...(waves.length > 1 ? [md`stops after a wave in which no device is verified`] : []),
    ...(offline === 'skip' ? [md`offline devices are left out`] : []),
  ];
}

/** How long it may go on unasked; `isApproved`: by an approval, else by the request. */
export function lastsText({ lastsMs }: Pick<RolloutPlan, 'lastsMs'>, needsApproval: boolean): Mrkdwn {
  const since = trustedMrkdwn(needsApproval ? 'the approval' : 'the request');
  return md`Anything not sent within ${trustedMrkdwn(durationText(lastsMs))} of ${since} waits for an approver.`;
}

/** In what the plan of a waiting request is another than the one that was asked for. */
export function planDifferenceText(asked: RolloutPlan, waiting: RolloutPlan): Mrkdwn {
  const [yours, theirs] = [planParts(asked), planParts(waiting)];
  const onlyIn = (parts: readonly Mrkdwn[], others: readonly Mrkdwn[]) =>
    parts.filter((part) => !others.includes(part)).map((part) => md`“${part}”`);
  const sides = [
    [md`only yours has`, onlyIn(yours, theirs)],
    [md`only the waiting one has`, onlyIn(theirs, yours)],
  ] as const;
  const said = sides.filter(([, parts]) => parts.length > 0);
  // Such as a gate after the only wave.
  if (said.length === 0) return md`its options are others`;
  return joinMrkdwn(
    said.map(([whose, parts]) => md`${whose} ${joinMrkdwn(parts, ' and ')}`),
    ', and ',
  );
}

export function costText({ requests, ms }: RolloutCost): Mrkdwn {
  return md`About ${requests} requests to the management service; at least ${leastDuration(ms)} at the permitted rate.`;
}

export function leastDuration(ms: number): Mrkdwn {
  return trustedMrkdwn(durationText(Math.ceil(ms / MINUTE) * MINUTE));
}

function wavesText(waves: readonly number[]): Mrkdwn {
  const left = waves.length - MAX_WAVES;
  const listed = trustedMrkdwn(waves.slice(0, MAX_WAVES).join(', '));
  return left > 0 ? md`${listed} and ${left} more` : md`${listed} devices`;
}

export function brakeText(brake: Brake): Mrkdwn {
  return brake.kind === 'devices'
    ? md`stops at ${countText(brake.devices, 'failure')} in a wave`
    : md`stops when ${brake.percent}% of a wave’s finished devices fail`;
}

/** What an approver should notice; empty where nothing is unusual. */
export function unusualText(
  summary: RolloutSummary,
  {
    action,
    devices,
    plan,
  }: { readonly action: FleetAction; readonly devices: number; readonly plan: RolloutPlan },
): readonly Mrkdwn[] {
  const { offline, loggedIn, deferred, rebootPending, rebootFor, excluded, servers } = summary;
  const [are, back] = offline === 1 ? ['is', 'it’s'] : ['are', 'they’re'];
  const late = plan.offline === 'skip' ? 'left out' : `will run it when ${back} back`;
  const parts = [
    offline === 0
      ? null
      : md`${offline} ${trustedMrkdwn(`${are} offline${reachesDevices(action) ? ` and ${late}` : ''}`)}`,
    loggedIn === 0 ? null : md`${loggedIn} with a logged-in user`,
    deferred === 0
      ? null
      : md`${deferred} ${trustedMrkdwn(deferred === 1 ? 'has patches or a restart its' : 'have patches or a restart their')} users postponed`,
    excluded === 0 ? null : md`${excluded} excluded from reports`,
    rebootPending === 0
      ? null
      : md`${rebootPending} already ${trustedMrkdwn(rebootPending === 1 ? 'needs' : 'need')} a reboot`,
    rebootFor.top.length === 0 ? null : md`reboot required by ${countsText(rebootFor, 'no name')}`,
    servers === 0 || servers === devices ? null : md`${servers} with “server” in the system or group name`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? [] : [md`*Note*: ${joinMrkdwn(parts, ' · ')}`];
}

/** The packages, what is unusual, and the plan: what a list of requests has room for. */
export function noticeLines(
  { summary, plan }: Pick<Rollout, 'summary' | 'plan'>,
  action: FleetAction,
  devices: number,
): readonly Mrkdwn[] {
  const packages = topText('Packages', countsText(summary.packages, 'no name'));
  return [...packages, ...unusualText(summary, { action, devices, plan }), planText(plan)];
}

/** A command waits in the device's queue; an edit changes only its record. */
function reachesDevices({ kind }: FleetAction): boolean {
  return kind !== 'device-edit' && kind !== 'device-remove';
}

export function summaryBlocks(summary: RolloutSummary): readonly Block[] {
  const { packages, severities, cves, groups, systems } = summary;
  const rows = [
    ...topText('Packages', countsText(packages, 'no name')),
    ...topText('Severity', countsText(severities, 'no severity', severityText)),
    ...topText('CVEs', countsText(cves, 'no known CVEs')),
    ...topText('Groups', countsText(groups, 'no group')),
    ...topText('Systems', countsText(systems, 'an unknown system')),
  ];
  return rowBlocks(rows, { budget: BUDGET, more: (left) => md`${left} more facts not shown.` });
}

function topText(title: string, counts: Mrkdwn): readonly Mrkdwn[] {
  return counts === '' ? [] : [md`*${trustedMrkdwn(title)}*: ${counts}`];
}

/** Empty where there are none. */
function countsText({ top, more }: TopCounts, unnamed: string, textOf = labelText): Mrkdwn {
  const listed = top.map(({ name, devices }) =>
    name === null ? md`${devices} with ${trustedMrkdwn(unnamed)}` : md`${textOf(name)} (${devices})`,
  );
  return withRest(joinMrkdwn(listed, ', '), more);
}

function labelText(name: string): Mrkdwn {
  return escapeMrkdwn(name, DISPLAY_LIMIT.label);
}

const MAX_SAMPLE = 8;

/** The first names; all of them are in the list. */
export function sampleText(targets: readonly NamedTarget[], devices: number): Mrkdwn {
  return md`*Devices*: ${listTargets(targets, MAX_SAMPLE, devices)}`;
}
