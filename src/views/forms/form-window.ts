/** A form as Slack's `views.open` and `views.update` take it, within every limit. */

import { z } from 'zod';
import { type ChannelId, channelId, type MessageTs, messageTs } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import type { Modal } from '../kit/answer-window.ts';
import { plainTextObject } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import type { FormView } from '../models/form-model.ts';
import type { Block } from '../models/rendered-model.ts';
import { fieldBlock, textBlock } from './form-fields.ts';

/** `callback_id` of the form of every command. */
export const FORM_CALLBACK = 'form';

/** Where the form was opened, and where its answer goes. */
export type FormOrigin = {
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
  /** See {@link FormMetadata.inWindow}. */
  readonly inWindow?: true | undefined;
};

/** The window; null where the form's context is longer than Slack's limit for `private_metadata`. */
export function formWindow(form: FormView, { channel, thread, inWindow }: FormOrigin): Modal | null {
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

/** Otherwise Slack focuses the first text field and skips the choice before it. */
function withFocus(block: Block): Block {
  const { element } = block;
  if (typeof element !== 'object' || element === null || !('type' in element)) return block;
  return element.type === 'radio_buttons'
    ? { ...block, element: { ...element, focus_on_load: true } }
    : block;
}

/** A form's `private_metadata`, written and read here. Slack stores it, so it holds no secrets. */

export type FormMetadata = {
  /** The command that the form gives input to. */
  readonly command: string;
  readonly context?: unknown;
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
  /** The answer replaces the form in its window, also for commands that only read. */
  readonly inWindow?: true | undefined;
};

const metadataSchema = z.object({
  command: z.string().min(1),
  context: z.unknown().optional(),
  channel: z.string().transform(channelId),
  thread: z.string().transform(messageTs).optional(),
  inWindow: z.literal(true).optional(),
});

/** As JSON, or null where it is longer than Slack's limit. */
export function writeFormMetadata(order: FormMetadata): string | null {
  const text = JSON.stringify(order);
  return text.length > LIMIT.privateMetadata ? null : text;
}

/** The metadata of a window, or null where it is not one of our forms. */
export function readFormMetadata(text: string): FormMetadata | null {
  return metadataSchema.safeParse(tryParseJson(text)).data ?? null;
}
