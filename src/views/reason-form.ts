/** The form in which the one who asked adds a reason. */
import type { ModalView } from '@slack/types';
import type { ApprovalId } from '../ids.ts';

/** The form's `callback_id`. */
export const REASON_FORM = 'reason';
/** Block of its one field, and the field in it. */
export const REASON_BLOCK = 'reason';
export const REASON_FIELD = 'reason';
/** A reason is a sentence, not a report. */
export const REASON_LENGTH = 300;

/** Drawn without asking anybody, because a trigger lives three seconds. */
export function reasonForm(approval: ApprovalId): ModalView {
  return {
    type: 'modal',
    callback_id: REASON_FORM,
    private_metadata: approval,
    title: { type: 'plain_text', text: 'Add a reason' },
    submit: { type: 'plain_text', text: 'Save' },
    close: { type: 'plain_text', text: 'Cancel' },
    blocks: [
      {
        type: 'input',
        block_id: REASON_BLOCK,
        label: { type: 'plain_text', text: 'Why is this needed?' },
        hint: { type: 'plain_text', text: 'The approver sees it on the card.' },
        element: {
          type: 'plain_text_input',
          action_id: REASON_FIELD,
          multiline: true,
          max_length: REASON_LENGTH,
        },
      },
    ],
  };
}
