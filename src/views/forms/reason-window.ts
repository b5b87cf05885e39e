/** The form in which the requester adds a reason. */

import type { Reference, RequestId } from '../../lib/ids.ts';
import { REASON_LENGTH } from '../../lib/text.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { type AnswerWindow, answerWindow, type PlainText } from '../kit/answer-window.ts';
import { context, section } from '../kit/blocks.ts';
import { escapeMrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { actionTitle } from '../text/common-text.ts';

/** The form's `callback_id`. */
export const REASON_FORM_CALLBACK = 'reason';
/** `block_id` and `action_id` of its one field. */
export const REASON_BLOCK = 'reason';
const REASON_FIELD = 'reason';
/** Shown at the field if it is empty. */
export const EMPTY_REASON_ERROR = 'Enter a reason.';

/** Plain text for the field. The log has the details under the reference. */
export function reasonFailedText(reference: Reference): string {
  return `Unexpected error (reference ${reference}). The reason may or may not have been added: check the request.`;
}

/** A form with one field, as Slack's `views.open` takes it. */
export type ReasonFormView = {
  readonly type: 'modal';
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly title: PlainText;
  readonly submit: PlainText;
  readonly close: PlainText;
  readonly blocks: {
    readonly type: 'input';
    readonly block_id: string;
    readonly label: PlainText;
    readonly hint: PlainText;
    readonly element: {
      readonly type: 'plain_text_input';
      readonly action_id: string;
      readonly multiline: boolean;
      readonly max_length: number;
    };
  }[];
};

/** Drawn without reading the request first, because a trigger expires after three seconds. */
export function reasonForm(request: RequestId): ReasonFormView {
  return {
    type: 'modal',
    callback_id: REASON_FORM_CALLBACK,
    private_metadata: request,
    title: { type: 'plain_text', text: 'Add reason' },
    submit: { type: 'plain_text', text: 'Save' },
    close: { type: 'plain_text', text: 'Cancel' },
    blocks: [
      {
        type: 'input',
        block_id: REASON_BLOCK,
        label: { type: 'plain_text', text: 'Reason for your request' },
        hint: { type: 'plain_text', text: 'Approvers see it with the request.' },
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

/** Replaces the form once the reason was added. `depth`: how many windows are open below it. */
export function reasonAddedWindow(
  { action, targets, reason }: RequestWithTargets,
  depth: number,
): AnswerWindow {
  const names = targets.map(({ displayName }) => displayName);
  const words = md`Reason added to your request: ${actionTitle(action, names)}\nReason: ${escapeMrkdwn(reason ?? '', DISPLAY_LIMIT.sentence)}`;
  return answerWindow([section(words), context(md`Approvers see it with the request.`)], { depth });
}
