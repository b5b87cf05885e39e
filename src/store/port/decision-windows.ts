/**
 * Windows that decide something once they are submitted. A window in Slack carries only the id of its row, so that nothing
 * that its submission says is believed.
 */
import { z } from 'zod';
import { isRemoval } from '../../fleet/model/actions.ts';
import type { Instant } from '../../lib/clock.ts';
import { messageTs, requestId, type WindowId, windowId } from '../../lib/ids.ts';
import {
  channelField,
  instantField,
  nullableText,
  personField,
  type Stored,
  wholeNumber,
} from '../../lib/record-fields.ts';
import type { RequestRecord } from './request-records.ts';

const about = { requestId: z.string().transform(requestId) };
const sealed = { ...about, seal: z.string() };

export const decisionWindow = z.object({
  id: z.string().transform(windowId),
  /** Nobody else may submit it. */
  personId: personField,
  /** What the submission decides, as it was when the window was opened: the seal, or what holds the rollout in which wave. */
  decides: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('approve'), ...sealed }),
    z.object({ kind: z.literal('deny'), ...sealed }),
    z.object({
      kind: z.enum(['resume', 'continue', 'continue-without']),
      ...about,
      hold: instantField.nullable(),
      wave: wholeNumber,
    }),
    /** Those that are marked of these. */
    z.object({ kind: z.literal('several'), requests: z.array(z.object(sealed)) }),
  ]),
  /** The number of devices to type; null: none is asked for. */
  devices: wholeNumber.min(1).nullable(),
  /** The view as Slack showed it: any other content of it has another hash. */
  view: z.object({ id: z.string(), hash: z.string() }),
  /** Where its button was pressed: answers go there. */
  channel: channelField,
  thread: z.string().transform(messageTs).nullable(),
  /** The one submission that counted; null: none yet. */
  usedBy: nullableText,
  endsAt: instantField,
});
export type DecisionWindow = Stored<typeof decisionWindow>;
export type SeveralDecisions = Extract<DecisionWindow['decides'], { kind: 'several' }>;
export type WindowDecision = Exclude<DecisionWindow['decides'], SeveralDecisions>;
export type LetsGoOn = Exclude<WindowDecision['kind'], 'approve' | 'deny'>;
/** Why a request takes a window of its own. */
export type WhyAlone = 'own-request' | 'others-decide' | 'removal' | 'count-to-type';

/** Why a request of another person cannot be marked among others; null: it can. */
export function whyAlone({
  action,
  typedCount,
}: RequestRecord): Extract<WhyAlone, 'removal' | 'count-to-type'> | null {
  if (isRemoval(action)) return 'removal';
  return typedCount ? 'count-to-type' : null;
}

/** Why a submission decides nothing, whatever its request says. */
export type WindowRefusal = 'unknown-window' | 'other-person' | 'other-view' | 'used-window' | 'ended-window';

export type DecisionWindowStore = {
  /** Forgets, too, those that ended before `now`. */
  readonly insert: (window: DecisionWindow, now: Instant) => Promise<void>;
  readonly get: (id: WindowId) => Promise<DecisionWindow | null>;
  /** False: it was used before. */
  readonly use: (id: WindowId, submission: string) => Promise<boolean>;
};
