/** The fields of a form as blocks: which element asks for what, what stands in it, and what did not fit. */
import { cut, plain } from '../kit/escape.ts';
import { LIMIT } from '../kit/limits.ts';
import { carried, type MenuOption, menuOption, menuOptions } from '../kit/options.ts';
import type { Block } from '../model.ts';
import type { FormField } from '../models/form-model.ts';

export type PlainText = { readonly type: 'plain_text'; readonly text: string; readonly emoji: false };

/** `action_id` of a field that asks nobody while somebody types. */
export const FIELD = 'field';
/** The same of one that searches, with what it searches after it. */
export const SEARCH = 'search_';

type Input = Exclude<FormField, { kind: 'words' }>;
type Element = { readonly type: string; readonly action_id: string } & Readonly<Record<string, unknown>>;
/** `left`: so many options have no place in the element. */
type Drawn = { readonly element: Element; readonly left: number };

/** So few stand open in the window, with what tells them apart. */
const RADIO_BUTTONS = 5;
const WORDS = 300;

export function fieldBlock(field: FormField): Block {
  if (field.kind === 'words') return wordsBlock(field.text);
  const drawn = elementOf(field);
  if (drawn === null) return wordsBlock(`${field.label}: nothing to choose from.`);
  const hint = hintOf(field, drawn.left);
  return {
    type: 'input',
    block_id: cut(field.id, LIMIT.blockId),
    label: text(field.label, LIMIT.inputLabel),
    element: drawn.element,
    optional: field.optional === true,
    ...(hint === '' ? {} : { hint: text(hint, LIMIT.inputHint) }),
    ...(field.live === true ? { dispatch_action: true } : {}),
  };
}

/** Plain text of several lines. */
export function wordsBlock(words: string): Block {
  const lines = words.split('\n').map((line) => plain(line, WORDS));
  return { type: 'section', text: { ...text('…', 1), text: cut(lines.join('\n'), LIMIT.sectionText) } };
}

/** Null where there is nothing to choose from: Slack takes no menu without options. */
function elementOf(field: Input): Drawn | null {
  switch (field.kind) {
    case 'text':
      return { element: textInput(field), left: 0 };
    case 'choice':
      return choice(field);
    case 'choices':
      return choices(field);
    case 'search': {
      const initial = field.initial === null ? null : menuOption(field.initial);
      const element = { ...searching(field), type: 'external_select' };
      return { element: initial === null ? element : { ...element, initial_option: initial }, left: 0 };
    }
    case 'searches': {
      const { options, left } = carried(field.initial);
      const element = { ...searching(field), type: 'multi_external_select' };
      return { element: options.length === 0 ? element : { ...element, initial_options: options }, left };
    }
  }
}

function textInput({ initial, lines, most, live }: Extract<Input, { kind: 'text' }>): Element {
  const longest = Math.min(Math.max(most, 1), LIMIT.inputMaxLength);
  return {
    type: 'plain_text_input',
    action_id: FIELD,
    multiline: lines === true,
    max_length: longest,
    // An empty one is refused.
    ...(initial === '' ? {} : { initial_value: cut(initial.toWellFormed(), longest) }),
    ...(live === true ? { dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] } } : {}),
  };
}

function choice({ options: given, initial, optional }: Extract<Input, { kind: 'choice' }>): Drawn | null {
  const { options, left } = carried(given);
  if (options.length === 0) return null;
  const chosen = options.find(({ value }) => value === initial);
  const set = chosen === undefined ? {} : { initial_option: chosen };
  // A radio button that was pressed once cannot be let go.
  const open = options.length <= RADIO_BUTTONS && optional !== true;
  const element = open
    ? { type: 'radio_buttons', action_id: FIELD, options, ...set }
    : { type: 'static_select', action_id: FIELD, ...menuOptions(options), ...set };
  return { element, left };
}

function choices({ options: given, initial, menu }: Extract<Input, { kind: 'choices' }>): Drawn | null {
  const { options, left } = carried(given);
  if (options.length === 0) return null;
  const chosen = options.filter(({ value }) => initial.includes(value)).slice(0, LIMIT.menuOptions);
  const set: { readonly initial_options?: readonly MenuOption[] } =
    chosen.length === 0 ? {} : { initial_options: chosen };
  const open = options.length <= LIMIT.checkboxes && menu !== true;
  const element = open
    ? { type: 'checkboxes', action_id: FIELD, options, ...set }
    : { type: 'multi_static_select', action_id: FIELD, ...menuOptions(options), ...set };
  return { element, left };
}

const SOUGHT = {
  device: { placeholder: 'Name, #ID, address, serial, user', min_query_length: 1 },
  group: { placeholder: 'Group name', min_query_length: 0 },
  policy: { placeholder: 'Policy name', min_query_length: 0 },
  package: { placeholder: 'Package name', min_query_length: 1 },
} as const;

/** A few things are offered at once, thousands once somebody types. */
function searching({ of }: Extract<Input, { kind: 'search' | 'searches' }>) {
  const { placeholder, min_query_length } = SOUGHT[of];
  return {
    action_id: `${SEARCH}${of}`,
    min_query_length,
    placeholder: text(placeholder, LIMIT.placeholder),
  };
}

function hintOf({ hint = '' }: Input, left: number): string {
  if (left === 0) return hint;
  const words = left === 1 ? '1 more isn’t shown.' : `${left} more aren’t shown.`;
  return hint === '' ? words : `${hint} ${words}`;
}

function text(words: string, max: number): PlainText {
  return { type: 'plain_text', text: plain(words, max), emoji: false };
}
