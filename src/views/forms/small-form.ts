/** Windows that Slack takes as forms, and their one field. Little may be read before some are drawn: a trigger expires soon. */
import type { PlainText } from '../kit/answer-window.ts';
import type { Block } from '../models/rendered-model.ts';

/** As Slack's `views.open` takes it. */
export type SmallForm = {
  readonly type: 'modal';
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly title: PlainText;
  readonly submit: PlainText;
  readonly close: PlainText;
  readonly blocks: readonly Block[];
};

export type SmallFormOptions = {
  /** The form's `callback_id`. */
  readonly name: string;
  readonly metadata: string;
  readonly title: string;
  readonly submit: string;
  readonly blocks: readonly Block[];
};

export function smallForm({ name, metadata, title, submit, blocks }: SmallFormOptions): SmallForm {
  return {
    type: 'modal',
    callback_id: name,
    private_metadata: metadata,
    title: plain(title),
    submit: plain(submit),
    close: plain('Cancel'),
    blocks,
  };
}

export type TextFieldOptions = {
  /** Its `block_id` and `action_id`. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly multiline: boolean;
  readonly maxLength: number;
};

export function textField({ name, label, hint, multiline, maxLength }: TextFieldOptions): Block {
  return {
    type: 'input',
    block_id: name,
    label: plain(label),
    hint: plain(hint),
    element: { type: 'plain_text_input', action_id: name, multiline, max_length: maxLength },
  };
}

function plain(text: string): PlainText {
  return { type: 'plain_text', text };
}
