/** A request that waits, in a list where it can be decided: on the Home and in `approvals`. */
import { type RequestWithTargets, totalOf, undecidedIn } from '../../store/port/request-records.ts';
import { actions, section } from '../kit/blocks.ts';
import { joinMrkdwn, type Mrkdwn, md } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { dateOr } from '../kit/timestamps.ts';
import type { Block } from '../models/rendered-model.ts';
import { approverButtons } from './decision-buttons.ts';
import { requestBlocks, requestedBy, requestHeading } from './request-card.ts';
import { planText, unusualText } from './rollout/plan-text.ts';
import { isRollout, type RolloutRequest } from './rollout/rollout-label.ts';

type PendingOptions = {
  /** Without personal data. */
  readonly shared: boolean;
  /** A link to the card; null where it is not known. */
  readonly card: Mrkdwn | null;
};

/**
 * Approvers decide what they saw: one device has the facts and buttons of its card. Several without a plan do not fit here,
 * so only their card has the buttons.
 */
export function pendingRequestBlocks(
  request: RequestWithTargets,
  { shared, card }: PendingOptions,
): readonly Block[] {
  const total = totalOf(request.counts);
  if (isRollout(request)) return pendingRolloutBlocks(request, card);
  if (total !== 1) {
    const review = md`Review all ${total} devices in the request.`;
    const link = card === null ? md`` : md` ${card}`;
    return [
      section(
        md`${requestHeading(request)}\n${requestedBy(request)}\n${review}\nExpires ${dateOr(request.expiresAt, '')}.${link}`,
      ),
    ];
  }
  return [...requestBlocks(request, { shared, card }), ...decideBlocks(request)];
}

/** What is unusual, and the plan; its devices are in the request. */
function pendingRolloutBlocks(request: RolloutRequest, card: Mrkdwn | null): readonly Block[] {
  const { action, rollout, counts, expiresAt } = request;
  const { plan, summary } = rollout;
  const link = card === null ? md`` : md` · ${card}`;
  const lines = [
    requestHeading(request),
    requestedBy(request),
    ...unusualText(summary, { action, devices: undecidedIn(counts), plan }),
    planText(plan),
    md`Expires ${dateOr(expiresAt, '')}${link}`,
  ];
  return [section(joinMrkdwn(lines, '\n')), ...decideBlocks(request)];
}

/** Rows have buttons with the same action, so their blocks need ids of their own. */
function decideBlocks(request: RequestWithTargets): readonly Block[] {
  return actions(...approverButtons(request)).map((block) => ({
    ...block,
    block_id: `decide:${request.id}`.slice(0, LIMIT.blockId),
  }));
}
