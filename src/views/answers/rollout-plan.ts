/** The plan of a change of many devices, and the devices that stay out of it. */
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import type { RolloutCost } from '../../rollout/estimate.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import { context, rowBlocks, section } from '../kit/blocks.ts';
import { bold, md } from '../kit/escape.ts';
import type { Block } from '../models/rendered-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { problemText } from '../problems/problem-text.ts';
import { costText, planText } from '../requests/rollout/plan-text.ts';
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
