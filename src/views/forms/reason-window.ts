/** The form in which the requester adds a reason. */

import type { Reference, RequestId } from '../../lib/ids.ts';
import { REASON_LENGTH } from '../../lib/text.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { answerWindow, type Modal, smallForm, textField } from '../kit/answer-window.ts';
import { context, section } from '../kit/blocks.ts';
import { md } from '../kit/escape.ts';
import { namesOf, reasonText } from '../requests/request-card.ts';
import { actionTitle } from '../text/common-text.ts';

/** The form's `callback_id`, and the block of its one field. */
export const REASON_FORM_CALLBACK = 'reason';
export const REASON_BLOCK = REASON_FORM_CALLBACK;
/** Shown at the field if it is empty. */
export const EMPTY_REASON_ERROR = 'Enter a reason.';

/** Plain text for the field. The log has the details under the reference. */
export function reasonFailedText(reference: Reference): string {
  return `Unexpected error (reference ${reference}). The reason may or may not have been added: check the request.`;
}

export function reasonForm(request: RequestId): Modal {
  const field = textField({
    name: REASON_BLOCK,
    label: 'Reason for your request',
    hint: 'Approvers see it with the request.',
    multiline: true,
    maxLength: REASON_LENGTH,
  });
  const form = { name: REASON_FORM_CALLBACK, metadata: request, title: 'Add reason', submit: 'Save' };
  return smallForm({ ...form, blocks: [field] });
}

/** Replaces the form once the reason was added. `depth`: how many windows are open below it. */
export function reasonAddedWindow(request: RequestWithTargets, depth: number): Modal {
  const title = actionTitle(request.action, namesOf(request));
  const words = md`Reason added to your request: ${title}\n${reasonText(request)}`;
  return answerWindow([section(words), context(md`Approvers see it with the request.`)], { depth });
}
