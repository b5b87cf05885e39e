/** The plan of a change of many devices in words: waves, options, and what it costs at least. */
import { MINUTE } from '../../lib/clock.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { durationText } from '../../lib/text.ts';
import type { RolloutCost } from '../../rollout/estimate.ts';
import type { Brake, RolloutPlan } from '../../rollout/plan.ts';
import { context, rowBlocks, section } from '../kit/blocks.ts';
import { bold, joinMrkdwn, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block } from '../models/rendered-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { problemText } from '../problems/problem-text.ts';
import { countText } from '../text/common-text.ts';

type PlannedRollout = {
  readonly rollout?: { readonly plan: RolloutPlan; readonly cost: RolloutCost };
  readonly leftOut?: readonly UnrequestedTarget[];
  readonly reasonFrom?: number;
};

/** Room for the devices that stay out; the others are counted. */
const BUDGET = 1_200;

/** Empty for a single device. */
export function rolloutPlanBlocks({ rollout, leftOut = [], reasonFrom }: PlannedRollout): readonly Block[] {
  const plan =
    rollout === undefined ? [] : [section(planText(rollout.plan)), context(costText(rollout.cost))];
  const reason =
    reasonFrom === undefined ? [] : [context(md`From ${reasonFrom} devices on, a request needs a reason.`)];
  return [...plan, ...reason, ...leftOutBlocks(leftOut)];
}

/** Such as `Waves: 3, then 12, then 45 devices, 10 minutes apart. Stops at 10% failed.` */
function planText({ waves, waitMs, brake, gate, offline }: RolloutPlan): Mrkdwn {
  const sizes = joinMrkdwn(
    waves.map((size) => md`${size}`),
    ', then ',
  );
  const devices = waves.length === 1 ? md`${countText(waves[0] ?? 0, 'device')}` : md`${sizes} devices`;
  const apart = waves.length > 1 && waitMs > 0 ? md`, ${trustedMrkdwn(durationText(waitMs))} apart` : md``;
  const go = waves.length > 1 && gate === 'manual' ? md` An approver continues after each wave.` : md``;
  const away =
    offline === 'queue'
      ? md` Offline devices get the command when they connect.`
      : md` Offline devices are left out.`;
  const what = waves.length === 1 ? md`One wave` : md`${waves.length} waves`;
  return md`*${what}:* ${devices}${apart}. It stops by itself when ${brakeText(brake)}.${go}${away}`;
}

function brakeText(brake: Brake): Mrkdwn {
  return brake.kind === 'devices'
    ? md`${countText(brake.devices, 'device')} of a wave failed or couldn’t be verified`
    : md`${brake.percent}% of a wave failed or couldn’t be verified`;
}

function costText({ requests, ms }: RolloutCost): Mrkdwn {
  return md`About ${requests} requests to the management service. At least ${trustedMrkdwn(durationText(Math.ceil(ms / MINUTE) * MINUTE))} at the permitted rate.`;
}

function leftOutBlocks(leftOut: readonly UnrequestedTarget[]): readonly Block[] {
  if (leftOut.length === 0) return [];
  const rows = leftOut.map(
    ({ name, problem }) => md`${bold(name)}: ${problemText(problem, ROOT_COMMAND).what}`,
  );
  return [
    section(md`Left out: ${countText(leftOut.length, 'device')}`),
    ...rowBlocks(rows, { budget: BUDGET, more: (left) => md`${left} more not shown.` }),
  ];
}
