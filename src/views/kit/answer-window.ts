/** Windows: small forms, and answers where private messages are not possible or in place of a submitted form. */
import { z } from 'zod';
import { type ChannelId, channelId, type MessageTs, messageTs } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import { section } from './blocks.ts';
import { md, plainTextObject, truncate, trustedMrkdwn } from './escape.ts';
import { type Block, LIMIT } from './limits.ts';
import { withoutRichBlocks } from './table.ts';

export const ANSWER_WINDOW_CALLBACK = 'home_answer';

type WindowText = { readonly type: 'plain_text'; readonly text: string };
/** A view for Slack's `views.open`, `views.push` and `views.update`. */
export type Modal = {
  readonly type: 'modal';
  readonly callback_id: string;
  /** Of an answer: an {@link AnswerWindowState} as JSON. */
  readonly private_metadata: string;
  readonly title: WindowText;
  readonly submit?: WindowText;
  readonly close?: WindowText;
  readonly blocks: readonly Block[];
};

/** The state that a window carries: its depth in the stack, and where answers to its buttons are posted. */
export type AnswerWindowState = {
  /** Windows in the stack, including this one. */
  readonly depth: number;
  /** Absent: the person's direct message. */
  readonly channel?: ChannelId | undefined;
  readonly thread?: MessageTs | undefined;
};

const stateSchema = z.object({
  depth: z.int().positive(),
  channel: z.string().transform(channelId).optional(),
  thread: z.string().transform(messageTs).optional(),
});

/** Reads the state from `private_metadata`; a first window where it has none. */
export function readAnswerWindowState(text: string): AnswerWindowState {
  return stateSchema.safeParse(tryParseJson(text)).data ?? { depth: 1 };
}

/** Opened at once, before the answer is ready, because a trigger id expires after three seconds. */
export function loadingWindow(depth: number): Modal {
  return answerWindow([section(md`Looking…`)], { depth });
}

/** The same for a request that is stored already. */
export function acceptedWindow(at: AnswerWindowState): Modal {
  const words = md`Looking…\nYour request is saved. The answer will appear here. If you close this window, or it can’t be updated, you’ll get the answer in a message.`;
  return answerWindow([section(words)], at);
}

/** A window with the blocks of a message, without those that modals do not support. */
export function answerWindow(blocks: readonly Block[], at: AnswerWindowState): Modal {
  const { depth } = at;
  return {
    type: 'modal',
    callback_id: ANSWER_WINDOW_CALLBACK,
    private_metadata: JSON.stringify(at),
    title: windowText('Patchbay'),
    close: windowText(depth > 1 ? 'Back' : 'Close'),
    blocks: withoutRichBlocks(blocks).slice(0, LIMIT.modalBlocks),
  };
}

/** A window with plain text, for when Slack refuses the blocks. */
export function textWindow(words: string, at: AnswerWindowState): Modal {
  return answerWindow([section(trustedMrkdwn(truncate(words, LIMIT.sectionText)))], at);
}

/** A form with one button, which little is read for: a trigger expires soon. */
export function smallForm(form: {
  /** Its `callback_id`. */
  readonly name: string;
  readonly metadata: string;
  readonly title: string;
  /** Null: there is nothing to submit. */
  readonly submit: string | null;
  readonly blocks: readonly Block[];
}): Modal {
  return {
    type: 'modal',
    callback_id: form.name,
    private_metadata: form.metadata,
    title: windowText(form.title),
    ...(form.submit === null ? {} : { submit: windowText(form.submit) }),
    close: windowText('Cancel'),
    blocks: form.blocks,
  };
}

export function textField(field: {
  /** Its `block_id` and `action_id`. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly multiline: boolean;
  readonly maxLength: number;
  readonly optional?: true;
}): Block {
  const { name, label, hint, multiline, maxLength, optional = false } = field;
  return {
    type: 'input',
    block_id: name,
    label: windowText(label),
    hint: windowText(hint),
    optional,
    element: { type: 'plain_text_input', action_id: name, multiline, max_length: maxLength },
  };
}

/** Nothing is chosen at first. Of radio buttons one has to be; of checkboxes none. */
export function choiceField(field: {
  readonly type: 'checkboxes' | 'radio_buttons';
  /** Its `block_id` and `action_id`. */
  readonly name: string;
  readonly label: string;
  readonly options: readonly { readonly label: string; readonly value: string }[];
}): Block {
  const { type, name, label } = field;
  const options = field.options.map((option) => ({
    text: plainTextObject(option.label, LIMIT.optionText),
    value: option.value,
  }));
  return {
    type: 'input',
    block_id: truncate(name, LIMIT.blockId),
    label: plainTextObject(label, LIMIT.inputLabel),
    optional: type === 'checkboxes',
    element: { type, action_id: truncate(name, LIMIT.actionId), options },
  };
}

function windowText(text: string): WindowText {
  return { type: 'plain_text', text };
}
