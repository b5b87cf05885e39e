/** Gives an approved request back to the approver when it cannot be carried out as approved. Nothing was sent. */
import { clip, pausedText } from '../operations/words.ts';
import type { ApprovalRecord, TargetFacts } from '../store/records.ts';
import type { PauseRecord } from '../store/settings-records.ts';
import type { WorkResult } from '../store/worker.ts';
import type { Change } from './change.ts';
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

export function createHandBack({ change }: { readonly change: Change }): HandBack {
  /** With no device left, or another request waiting for the same, there is nothing to ask again. */
  const askAgain = async (
    { id, command }: ApprovalRecord,
    targets: readonly TargetFacts[],
    note: string,
  ): Promise<WorkResult> => {
    const event = { kind: 'drift', targets, seal: seal({ command, targets }), note } as const;
    const changed = targets.length === 0 ? null : await change(id, event);
    if (changed === null) await change(id, { kind: 'abandon', note });
    if (changed?.kind === 'blocked') {
      await change(id, { kind: 'abandon', note: `${note} Another request for the same is waiting.` });
    }
    return { kind: 'done' };
  };

  return {
    changed: (approval, { targets, changes }) => {
      const note = `Nothing was sent, because something changed: ${changes.join('; ')}.`;
      return askAgain(approval, targets, clip(note, NOTE_LENGTH));
    },
    paused: (approval, pause) =>
      askAgain(approval, approval.targets, clip(`Nothing was sent: ${pausedText(pause)}.`, NOTE_LENGTH)),
  };
}
