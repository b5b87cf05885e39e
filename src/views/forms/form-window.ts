/** A form as Slack's `views.open` and `views.update` take it, within every limit. */
import { z } from 'zod';
import { type ChannelId, channelId, type MessageTs, messageTs } from '../../lib/ids.ts';
import { tryParseJson } from '../../lib/json.ts';
import type { Modal } from '../kit/answer-window.ts';
import { carriedValue, type MenuOption, menuOption, menuOptions } from '../kit/blocks.ts';
import { plainText, plainTextObject, truncate } from '../kit/escape.ts';
import { type Block, LIMIT } from '../kit/limits.ts';
import type { FormField, FormView } from '../models/form-model.ts';

export const FORM_CALLBACK = 'form';

/** Where the form was opened, and where its answer goes. */
export type FormOrigin = Omit<FormMetadata, 'command' | 'context'>;

/** The window; null where the form's context is longer than Slack's limit for `private_metadata`. */
export function formWindow(form: FormView, { channel, thread, inWindow, pressed }: FormOrigin): Modal | null {
  const { command, title, submit, context } = form;
  const order = writeFormMetadata({ command, context, channel, thread, inWindow, pressed });
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
  readonly command: string;
  readonly context?: unknown;
  readonly channel: ChannelId;
  readonly thread?: MessageTs | undefined;
  /** The answer replaces the form in its window, also for commands that only read. */
  readonly inWindow?: true | undefined;
  /** It shows what a button runs. In a conversation it closes when it is submitted, and the answer is a message. */
  readonly pressed?: true | undefined;
};

const metadataSchema = z.object({
  command: z.string().min(1),
  context: z.unknown().optional(),
  channel: z.string().transform(channelId),
  thread: z.string().transform(messageTs).optional(),
  inWindow: z.literal(true).optional(),
  pressed: z.literal(true).optional(),
});

/** Characters before it that say that it is ours (`src/slack/forms/form-payloads.ts`). */
export const FORM_MARK_LENGTH = 43;

/** As JSON, or null where it is longer than Slack's limit. */
export function writeFormMetadata(order: FormMetadata): string | null {
  const text = JSON.stringify(order);
  return text.length > LIMIT.privateMetadata - FORM_MARK_LENGTH ? null : text;
}

/** The metadata of a window, or null where it is not one of our forms. */
export function readFormMetadata(text: string): FormMetadata | null {
  return metadataSchema.safeParse(tryParseJson(text)).data ?? null;
}

/** `action_id` of a field that sends nothing while somebody types. */
const FIELD_ACTION = 'field';
/** Prefix of the `action_id` of a field that searches; what it searches follows. */
export const SEARCH_ACTION_PREFIX = 'search_';

type InputField = Exclude<FormField, { kind: 'words' }>;
type Element = { readonly type: string; readonly action_id: string } & Readonly<Record<string, unknown>>;
/** `omittedOptions`: how many options did not fit into the element. */
type FieldElement = { readonly element: Element; readonly omittedOptions: number };

/** Up to this many are shown as radio buttons, with their descriptions. */
const MAX_RADIO_BUTTONS = 5;
const TEXT_BLOCK = 300;

function fieldBlock(field: FormField): Block {
  if (field.kind === 'words') return textBlock(field.text);
  const drawn = fieldElement(field);
  if (drawn === null) return textBlock(`${field.label}: nothing to choose from.`);
  const hint = hintOf(field, drawn.omittedOptions);
  return {
    type: 'input',
    block_id: truncate(field.id, LIMIT.blockId),
    label: plainTextObject(field.label, LIMIT.inputLabel),
    element: drawn.element,
    optional: field.optional === true,
    ...(hint === '' ? {} : { hint: plainTextObject(hint, LIMIT.inputHint) }),
    ...(field.live === true ? { dispatch_action: true } : {}),
  };
}

function textBlock(words: string): Block {
  const lines = words.split('\n').map((line) => plainText(line, TEXT_BLOCK));
  return {
    type: 'section',
    text: { ...plainTextObject('…', 1), text: truncate(lines.join('\n'), LIMIT.sectionText) },
  };
}

/** Null where there is nothing to choose from: Slack takes no menu without options. */
function fieldElement(field: InputField): FieldElement | null {
  switch (field.kind) {
    case 'text':
      return { element: textInput(field), omittedOptions: 0 };
    case 'time': {
      const element = { type: 'timepicker', action_id: FIELD_ACTION };
      const set = field.initial === null ? {} : { initial_time: field.initial };
      return { element: { ...element, ...set }, omittedOptions: 0 };
    }
    case 'choice':
      return singleChoice(field);
    case 'choices':
      return multipleChoice(field);
    case 'search': {
      const initial = field.initial === null ? null : menuOption(field.initial);
      const element = { ...searchMenu(field), type: 'external_select' };
      return {
        element: initial === null ? element : { ...element, initial_option: initial },
        omittedOptions: 0,
      };
    }
    case 'searches': {
      const { options, left: omittedOptions } = carriedValue(field.initial);
      const element = { ...searchMenu(field), type: 'multi_external_select' };
      return {
        element: options.length === 0 ? element : { ...element, initial_options: options },
        omittedOptions,
      };
    }
  }
}

function textInput({ initial, lines, most, live }: Extract<InputField, { kind: 'text' }>): Element {
  const longest = Math.min(Math.max(most, 1), LIMIT.inputMaxLength);
  return {
    type: 'plain_text_input',
    action_id: FIELD_ACTION,
    multiline: lines === true,
    max_length: longest,
    // Slack rejects an empty initial value.
    ...(initial === '' ? {} : { initial_value: truncate(initial.toWellFormed(), longest) }),
    ...(live === true ? { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } } : {}),
  };
}

function singleChoice(field: Extract<InputField, { kind: 'choice' }>): FieldElement | null {
  const { initial, optional } = field;
  const { options, left: omittedOptions } = carriedValue(field.options);
  if (options.length === 0) return null;
  const chosen = options.find(({ value }) => value === initial);
  const set = chosen === undefined ? {} : { initial_option: chosen };
  // A radio button cannot be unset, so an optional choice is a menu.
  const open = options.length <= MAX_RADIO_BUTTONS && optional !== true;
  const element = open
    ? { type: 'radio_buttons', action_id: FIELD_ACTION, options, ...set }
    : { type: 'static_select', action_id: FIELD_ACTION, ...menuOptions(options), ...set };
  return { element, omittedOptions };
}

function multipleChoice(field: Extract<InputField, { kind: 'choices' }>): FieldElement | null {
  const { initial, menu } = field;
  const { options, left: omittedOptions } = carriedValue(field.options);
  if (options.length === 0) return null;
  const chosen = options.filter(({ value }) => initial.includes(value)).slice(0, LIMIT.menuOptions);
  const set: { readonly initial_options?: readonly MenuOption[] } =
    chosen.length === 0 ? {} : { initial_options: chosen };
  const open = options.length <= LIMIT.checkboxes && menu !== true;
  const element = open
    ? { type: 'checkboxes', action_id: FIELD_ACTION, options, ...set }
    : { type: 'multi_static_select', action_id: FIELD_ACTION, ...menuOptions(options), ...set };
  return { element, omittedOptions };
}

const SEARCH_PLACEHOLDERS = {
  device: { placeholder: 'Name, #ID, address, serial, user', min_query_length: 1 },
  group: { placeholder: 'Group name', min_query_length: 0 },
  policy: { placeholder: 'Policy name', min_query_length: 0 },
  package: { placeholder: 'Package name', min_query_length: 1 },
} as const;

/** Groups and policies are few enough to offer before somebody types; devices and packages are not. */
function searchMenu({ of }: Extract<InputField, { kind: 'search' | 'searches' }>) {
  const { placeholder, min_query_length } = SEARCH_PLACEHOLDERS[of];
  return {
    action_id: `${SEARCH_ACTION_PREFIX}${of}`,
    min_query_length,
    placeholder: plainTextObject(placeholder, LIMIT.placeholder),
  };
}

function hintOf({ hint = '' }: InputField, left: number): string {
  if (left === 0) return hint;
  const words = left === 1 ? '1 more isn’t shown.' : `${left} more aren’t shown.`;
  return hint === '' ? words : `${hint} ${words}`;
}
