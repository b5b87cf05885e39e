/** Gives an approved request back to the approver when it cannot be carried out as approved. Nothing was sent. */
import { isEdit, isGroupEdit } from '../fleet/model/actions.ts';
import { policyIdOf } from '../fleet/model/policy-status.ts';
import { clip, pausedText, targetGoneText } from '../operations/evidence-text.ts';
import type { ApprovalRecord, TargetFacts } from '../store/port/records.ts';
import type { PauseRecord } from '../store/port/settings-records.ts';
import type { WorkResult } from '../store/work/worker.ts';
import type { ApplyApprovalEvent } from './apply-event.ts';
import type { EndNotSent } from './end-not-sent.ts';
import type { RereadResult } from './reread-facts.ts';
import { seal } from './seal.ts';

export type ReturnForApproval = {
  /** Something changed: it waits for approval again with the current facts. */
  readonly changed: (approval: ApprovalRecord, reread: RereadResult) => Promise<WorkResult>;
  /** It waits for approval again, so that nothing runs by surprise when the pause ends. */
  readonly paused: (approval: ApprovalRecord, pause: PauseRecord) => Promise<WorkResult>;
};

/** Longest note on a card. */
const MAX_NOTE_LENGTH = 1000;

export type ReturnForApprovalOptions = {
  readonly applyEvent: ApplyApprovalEvent;
  readonly endNotSent: EndNotSent;
};

/** `why`: the end of a sentence. */
type ReturnCause = { readonly targets: readonly TargetFacts[]; readonly why: string; readonly note: string };

/** What may have changed, as the subject of a sentence. */
function subjectOf({ command, targets }: ApprovalRecord): string {
  if (isGroupEdit(command)) return 'the group or one of its policies';
  if (!isEdit(command) && policyIdOf(command) !== null) return 'the device or the policy';
  return targets.length === 1 ? 'the device' : 'one or more devices';
}

export function createReturnForApproval({
  applyEvent,
  endNotSent,
}: ReturnForApprovalOptions): ReturnForApproval {
  /** Ends the request instead where no target is left, or another request for the same change is waiting. */
  const requestAgain = async (approval: ApprovalRecord, cause: ReturnCause): Promise<WorkResult> => {
    const { targets, why } = cause;
    if (targets.length === 0) return endNotSent(approval, targetGoneText(approval.command), 'gone');
    const { id, command } = approval;
    const note = clip(cause.note, MAX_NOTE_LENGTH);
    const changed = await applyEvent(id, { kind: 'drift', targets, seal: seal({ command, targets }), note });
    if (changed.kind !== 'blocked') return { kind: 'done' };
    return endNotSent(
      approval,
      `${clip(why, MAX_NOTE_LENGTH)}. Another request for the same change is already waiting`,
    );
  };

  return {
    changed: (approval, { targets, changes }) => {
      const why = `${subjectOf(approval)} changed since the request — ${changes.join('; ')}`;
      return requestAgain(approval, { targets, why, note: `Not sent: ${why}.` });
    },
    paused: (approval, pause) => {
      const why = pausedText(pause);
      return requestAgain(approval, { targets: approval.targets, why, note: `Not sent: ${why}.` });
    },
  };
}
