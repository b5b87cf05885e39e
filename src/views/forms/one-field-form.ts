/** A form with one text field. Little may be read before it is drawn, because a trigger expires after three seconds. */
import type { PlainText } from '../kit/answer-window.ts';
import type { Block } from '../models/rendered-model.ts';

/** As Slack's `views.open` takes it. */
export type OneFieldForm = {
  readonly type: 'modal';
  readonly callback_id: string;
  readonly private_metadata: string;
  readonly title: PlainText;
  readonly submit: PlainText;
  readonly close: PlainText;
  readonly blocks: readonly Block[];
};

export type OneFieldFormOptions = {
  /** The form's `callback_id`, and the `block_id` and `action_id` of its field. */
  readonly name: string;
  readonly metadata: string;
  readonly title: string;
  readonly submit: string;
  readonly label: string;
  readonly hint: string;
  readonly multiline: boolean;
  readonly maxLength: number;
};

export function oneFieldForm(options: OneFieldFormOptions): OneFieldForm {
  const { name, metadata, title, submit, label, hint, multiline, maxLength } = options;
  return {
    type: 'modal',
    callback_id: name,
    private_metadata: metadata,
    title: plain(title),
    submit: plain(submit),
    close: plain('Cancel'),
    blocks: [
      {
        type: 'input',
        block_id: name,
        label: plain(label),
        hint: plain(hint),
        element: { type: 'plain_text_input', action_id: name, multiline, max_length: maxLength },
      },
    ],
  };
}

function plain(text: string): PlainText {
  return { type: 'plain_text', text };
}
