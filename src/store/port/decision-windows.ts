/**
 * Windows that let something run once they are submitted. A window in Slack carries only the id of its row, so that nothing
 * that its submission says is believed.
 */
import { z } from 'zod';
import type { Instant } from '../../lib/clock.ts';
import { messageTs, type PersonId, type RequestId, type WindowId } from '../../lib/ids.ts';
import { channelField, instantField, type Stored, wholeNumber } from '../../lib/record-fields.ts';

/** How far a rollout is: what holds it, by its time, in which wave. */
const standing = { hold: instantField.nullable(), wave: wholeNumber };
/** What the submission decides, as it was when the window was opened. */
const windowDecision = z.discriminatedUnion('kind', [
  /** `devices`: the number to type; null: none is asked for. */
  z.object({ kind: z.literal('approve'), seal: z.string(), devices: wholeNumber.min(1).nullable() }),
  z.object({ kind: z.literal('resume'), ...standing }),
  z.object({ kind: z.literal('continue'), ...standing }),
  z.object({ kind: z.literal('continue-without'), ...standing }),
]);
export type WindowDecision = Stored<typeof windowDecision>;

export const windowBody = z.object({
  decides: windowDecision,
  /** The view as Slack showed it: any other content of it has another hash. */
  view: z.object({ id: z.string(), hash: z.string() }),
  /** Where its button was pressed: answers go there. */
  channel: channelField,
  thread: z.string().transform(messageTs).optional(),
});

export type DecisionWindow = Stored<typeof windowBody> & {
  readonly id: WindowId;
  /** Nobody else may submit it. */
  readonly personId: PersonId;
  readonly requestId: RequestId;
  /** The one submission that counted; null: none yet. */
  readonly usedBy: string | null;
  readonly endsAt: Instant;
};

/** Why a submission decides nothing, whatever its request says. */
export type WindowRefusal = 'unknown-window' | 'other-person' | 'other-view' | 'used-window' | 'ended-window';

export type DecisionWindowStore = {
  /** Forgets, too, those that ended before `now`. */
  readonly insert: (window: DecisionWindow, now: Instant) => Promise<void>;
  readonly get: (id: WindowId) => Promise<DecisionWindow | null>;
  /** False: it was used before. */
  readonly use: (id: WindowId, submission: string) => Promise<boolean>;
};
