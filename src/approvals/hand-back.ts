/** Gives an approved request back to the approver when it cannot be carried out as approved. Nothing was sent. */
import { isEdit, isGroupEdit } from '../fleet/orders.ts';
import { policyOf } from '../fleet/standing.ts';
import { clip, goneText, pausedText } from '../operations/words.ts';
import type { ApprovalRecord, TargetFacts } from '../store/records.ts';
import type { PauseRecord } from '../store/settings-records.ts';
import type { WorkResult } from '../store/worker.ts';
import type { Change } from './change.ts';
import type { EndUnsent } from './end-unsent.ts';
import type { Reread } from './reread.ts';
import { seal } from './seal.ts';

export type HandBack = {
  /** Something changed: asked again with what is true now. */
  readonly changed: (approval: ApprovalRecord, reread: Reread) => Promise<WorkResult>;
  /** Asked again at once, so that nothing runs by surprise when the pause ends. */
  readonly paused: (approval: ApprovalRecord, pause: PauseRecord) => Promise<WorkResult>;
};

/** Longest note on a card. */
const NOTE_LENGTH = 1000;

export type HandBackOptions = { readonly change: Change; readonly endUnsent: EndUnsent };

/** `why`: the end of a sentence. */
type Cause = { readonly targets: readonly TargetFacts[]; readonly why: string; readonly note: string };

/** What was read again and changed, in a few words. */
function subjectOf({ command, targets }: ApprovalRecord): string {
  if (isGroupEdit(command)) return 'the group or one of its policies';
  if (!isEdit(command) && policyOf(command) !== null) return 'the device or the policy';
  return targets.length === 1 ? 'the device' : 'one or more devices';
}

export function createHandBack({ change, endUnsent }: HandBackOptions): HandBack {
  /** With nothing left of it, or another request waiting for the same, it ends: there is nothing to ask again. */
  const askAgain = async (approval: ApprovalRecord, cause: Cause): Promise<WorkResult> => {
    const { targets, why } = cause;
    if (targets.length === 0) return endUnsent(approval, goneText(approval.command));
    const { id, command } = approval;
    const note = clip(cause.note, NOTE_LENGTH);
    const changed = await change(id, { kind: 'drift', targets, seal: seal({ command, targets }), note });
    if (changed.kind !== 'blocked') return { kind: 'done' };
    return endUnsent(
      approval,
      `${clip(why, NOTE_LENGTH)}. Another request for the same change is already waiting`,
    );
  };

  return {
    changed: (approval, { targets, changes }) => {
      const why = `${subjectOf(approval)} changed since the request — ${changes.join('; ')}`;
      return askAgain(approval, { targets, why, note: `Not sent: ${why}.` });
    },
    paused: (approval, pause) => {
      const why = pausedText(pause);
      return askAgain(approval, { targets: approval.targets, why, note: `Not sent: ${why}.` });
    },
  };
}
