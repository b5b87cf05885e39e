/** A form as Slack's `views.open` and `views.update` take it, within every limit. */
import type { ChannelId, MessageTs } from '../../ids.ts';
import { plain } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import type { Block } from '../model.ts';
import type { FormView } from '../models/form-model.ts';
import { fieldBlock, type PlainText, wordsBlock } from './form-field.ts';
import { writeFormOrder } from './form-order.ts';

/** The form's `callback_id`: of every command's. */
export const FORM = 'form';

/** Where the form was asked for, and where its answer goes. */
export type FormPlace = {
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
  /** {@link FormOrder.inWindow} */
  readonly inWindow?: true | undefined;
};

export type FormWindow = {
  readonly type: 'modal';
  readonly callback_id: typeof FORM;
  readonly private_metadata: string;
  readonly title: PlainText;
  readonly submit: PlainText;
  readonly close: PlainText;
  readonly blocks: readonly Block[];
};

/** The window; null where the form's context is longer than a window can carry. */
export function formWindow(form: FormView, { channel, thread, inWindow }: FormPlace): FormWindow | null {
  const { command, title, submit, context } = form;
  const order = writeFormOrder({ command, context, channel, thread, inWindow });
  if (order === null) return null;
  return {
    type: 'modal',
    callback_id: FORM,
    private_metadata: order,
    title: text(title, LIMIT.modalTitle),
    submit: text(submit, LIMIT.modalButton),
    close: text('Cancel', LIMIT.modalButton),
    blocks: blocksOf(form),
  };
}

function blocksOf({ fields }: FormView): readonly Block[] {
  const blocks = fields.map((field, at) => (at === 0 ? focused(fieldBlock(field)) : fieldBlock(field)));
  if (blocks.length <= LIMIT.modalBlocks) return blocks;
  const kept = blocks.slice(0, LIMIT.modalBlocks - 1);
  return [...kept, wordsBlock(`${blocks.length - kept.length} more fields don’t fit in this form.`)];
}

/** Else Slack goes to the first field that is typed into, past what is to be chosen before it. */
function focused(block: Block): Block {
  const { element } = block;
  if (typeof element !== 'object' || element === null || !('type' in element)) return block;
  return element.type === 'radio_buttons'
    ? { ...block, element: { ...element, focus_on_load: true } }
    : block;
}

function text(words: string, max: number): PlainText {
  return { type: 'plain_text', text: plain(words, max), emoji: false };
}
