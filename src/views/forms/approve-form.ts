/** The form in which an approver types the number of devices of a rollout: it decides nothing before it is submitted. */

import { z } from 'zod';
import { channelId, messageTs, requestId } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import { section } from '../kit/blocks.ts';
import { boldHeading, md } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { requestedBy } from '../requests/request-card.ts';
import { commandPhrase } from '../text/common-text.ts';
import { type OneFieldForm, oneFieldForm } from './one-field-form.ts';

/** The form's `callback_id`, and the block of its one field. */
export const APPROVE_FORM_CALLBACK = 'approve_count';
export const COUNT_BLOCK = APPROVE_FORM_CALLBACK;
/** More digits than any fleet has devices. */
const MAX_DIGITS = 12;

const metadataSchema = z.object({
  request: z.string().transform(requestId),
  seal: z.string(),
  devices: z.int().positive(),
  channel: z.string().transform(channelId),
  thread: z.string().transform(messageTs).optional(),
  /** The message that was pressed, if it was a card: `on` of a stored press. */
  on: z.unknown(),
});

/** What is approved, as sealed on the card, and where it was pressed. */
export type ApproveFormMetadata = z.output<typeof metadataSchema>;

/** Null where it does not fit into a form. `request`: what is approved, as the approver reads it once more. */
export function approveForm(
  metadata: ApproveFormMetadata,
  request: Pick<RequestWithTargets, 'action' | 'requesterId' | 'reason'>,
): OneFieldForm | null {
  const text = JSON.stringify(metadata);
  if (text.length > LIMIT.privateMetadata) return null;
  const title = boldHeading(commandPhrase(request.action), `${metadata.devices} devices`);
  return oneFieldForm({
    name: APPROVE_FORM_CALLBACK,
    metadata: text,
    title: 'Approve',
    submit: 'Approve',
    label: 'How many devices does this request change?',
    hint: 'Type the number to confirm it. Nothing is approved before you submit it.',
    multiline: false,
    maxLength: MAX_DIGITS,
    about: [section(md`${title}\n${requestedBy(request)}`)],
  });
}

/** Null: not a form that we made. */
export function readApproveForm(text: string): ApproveFormMetadata | null {
  return metadataSchema.safeParse(tryParseJson(text)).data ?? null;
}

/** Why the typed number is not the one on the card; null where it is. Groups of digits may be separated. */
export function countError(typed: string, devices: number): string | null {
  const digits = typed.trim().replaceAll(/(?<=\d)[\s,.'’](?=\d{3}(?!\d))/g, '');
  if (!/^\d+$/.test(digits)) return 'Enter the number of devices in digits.';
  return Number(digits) === devices
    ? null
    : 'That isn’t the number of devices on the card. Nothing was approved. Check the card and type it again.';
}

/** For the field where the submission could not be stored. */
export function approvalNotStoredText(reference: string): string {
  return `Unexpected error (reference ${reference}). It may or may not have been approved: check the request.`;
}
