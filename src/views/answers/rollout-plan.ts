/** The plan of a change of many devices, and the devices that stay out of it. */
import type { FleetAction } from '../../fleet/model/actions.ts';
import type { RolloutCost } from '../../rollout/estimate.ts';
import type { RolloutPlan } from '../../rollout/plan.ts';
import type { RolloutSummary } from '../../rollout/summary.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { joinMrkdwn, md } from '../kit/escape.ts';
import { inputWithResult } from '../kit/pager.ts';
import type { Paging } from '../models/list-model.ts';
import type { Block } from '../models/rendered-model.ts';
import type { UnrequestedTarget } from '../models/request-model.ts';
import { targetFactBlocks } from '../requests/facts.ts';
import { leftOutRows } from '../requests/left-out.ts';
import {
  costText,
  lastsText,
  planText,
  sampleText,
  summaryBlocks,
  unusualText,
} from '../requests/rollout/plan-text.ts';
import { MAX_LISTED } from '../requests/rollout/rollout-card.ts';
import { selectedByText } from '../software/package-reading.ts';
import { leftOutBlocks } from './explained-devices.ts';

/** How a change would go over several devices. */
export type ExplainedRollout = {
  readonly plan: RolloutPlan;
  /** At least. */
  readonly cost: RolloutCost;
  readonly summary: RolloutSummary;
  /** All of its devices. */
  readonly list: Paging;
};

type PlannedRollout = {
  readonly rollout?: ExplainedRollout;
  readonly leftOut?: readonly UnrequestedTarget[];
  readonly reasonFrom?: number;
  /** Null: it needs no approval. */
  readonly approvalMs?: number | null;
};

/** Room for the reasons why devices stay out. */
const BUDGET = 1_200;

/** Empty for a single device. */
export function rolloutPlanBlocks({
  rollout,
  reasonFrom,
  approvalMs = null,
}: PlannedRollout): readonly Block[] {
  const plan =
    rollout === undefined
      ? []
      : [
          section(joinMrkdwn([planText(rollout.plan), lastsText(rollout.plan, approvalMs !== null)], '\n')),
          ...[costText(rollout.cost), ...selectedByText(rollout.summary)].map((text) => context(text)),
        ];
  const reason =
    reasonFrom === undefined ? [] : [context(md`From ${reasonFrom} devices on, a request needs a reason.`)];
  return [...plan, ...reason];
}

/** How many stay out for each reason. */
export function leftOutSummary({ leftOut = [] }: PlannedRollout): readonly Block[] {
  return leftOutBlocks(leftOut.length, leftOutRows(leftOut), BUDGET);
}

/** As on the card of the request: a few devices one by one, many by their counts and a sample. */
export function explainedDeviceBlocks({
  command,
  targets,
  shared,
  rollout,
}: {
  readonly command: FleetAction;
  readonly targets: readonly TargetFacts[];
  readonly shared?: boolean;
  readonly rollout?: ExplainedRollout;
}): readonly Block[] {
  if (rollout === undefined || targets.length <= MAX_LISTED)
    return targetFactBlocks(targets, shared, command);
  const { summary, plan } = rollout;
  return [
    ...unusualText(summary, { action: command, devices: targets.length, plan }).map((text) => section(text)),
    ...summaryBlocks(summary),
    section(sampleText(targets, targets.length)),
  ];
}

/** All devices in pages, and as a file; where not all are shown. */
export function explainedDevicesButton({ rollout, leftOut = [] }: PlannedRollout): readonly Block[] {
  if (rollout === undefined) return [];
  const { list } = rollout;
  if (list.total <= MAX_LISTED && leftOut.length === 0) return [];
  const input = inputWithResult(list);
  return actions(
    runButton({ action: 'explain:devices', label: `Show all ${list.total}`, command: list.command, input }),
  );
}
