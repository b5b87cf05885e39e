/** A form as Slack's `views.open` and `views.update` take it, within every limit. */

import { z } from 'zod';
import { type ChannelId, channelId, type MessageTs, messageTs } from '../../lib/ids.ts';
import { plainText } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import type { Block } from '../model.ts';
import type { FormView } from '../models/form-model.ts';
import { fieldBlock, type PlainText, textBlock } from './form-fields.ts';

/** The form's `callback_id`: of every command's. */
export const FORM_CALLBACK = 'form';

/** Where the form was asked for, and where its answer goes. */
export type FormOrigin = {
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
  /** {@link FormOrder.inWindow} */
  readonly inWindow?: true | undefined;
};

export type FormWindow = {
  readonly type: 'modal';
  readonly callback_id: typeof FORM_CALLBACK;
  readonly private_metadata: string;
  readonly title: PlainText;
  readonly submit: PlainText;
  readonly close: PlainText;
  readonly blocks: readonly Block[];
};

/** The window; null where the form's context is longer than a window can carry. */
export function formWindow(form: FormView, { channel, thread, inWindow }: FormOrigin): FormWindow | null {
  const { command, title, submit, context } = form;
  const order = writeFormMetadata({ command, context, channel, thread, inWindow });
  if (order === null) return null;
  return {
    type: 'modal',
    callback_id: FORM_CALLBACK,
    private_metadata: order,
    title: plainTextObject(title, LIMIT.modalTitle),
    submit: plainTextObject(submit, LIMIT.modalButton),
    close: plainTextObject('Cancel', LIMIT.modalButton),
    blocks: formBlocks(form),
  };
}

function formBlocks({ fields }: FormView): readonly Block[] {
  const blocks = fields.map((field, at) => (at === 0 ? withFocus(fieldBlock(field)) : fieldBlock(field)));
  if (blocks.length <= LIMIT.modalBlocks) return blocks;
  const fitting = blocks.slice(0, LIMIT.modalBlocks - 1);
  return [...fitting, textBlock(`${blocks.length - fitting.length} more fields don’t fit in this form.`)];
}

/** Else Slack goes to the first field that is typed into, past what is to be chosen before it. */
function withFocus(block: Block): Block {
  const { element } = block;
  if (typeof element !== 'object' || element === null || !('type' in element)) return block;
  return element.type === 'radio_buttons'
    ? { ...block, element: { ...element, focus_on_load: true } }
    : block;
}

function plainTextObject(words: string, max: number): PlainText {
  return { type: 'plain_text', text: plainText(words, max), emoji: false };
}

/** What a form's window carries for itself: written and read back here. Slack keeps it; no secret is in it. */

export type FormMetadata = {
  /** Whose input the form gives. */
  readonly command: string;
  readonly context?: unknown;
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
  /** The answer stands in the form's own window, also where the command only looks. */
  readonly inWindow?: true | undefined;
};

const metadataSchema = z.object({
  command: z.string().min(1),
  context: z.unknown().optional(),
  channel: z.string().transform(channelId),
  thread: z.string().transform(messageTs).optional(),
  inWindow: z.literal(true).optional(),
});

/** The order as text, or null where it is longer than a window can carry. */
export function writeFormMetadata(order: FormMetadata): string | null {
  const text = JSON.stringify(order);
  return text.length > LIMIT.privateMetadata ? null : text;
}

/** The order of a window, or null where it is none of ours. */
export function readFormMetadata(text: string): FormMetadata | null {
  try {
    return metadataSchema.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
