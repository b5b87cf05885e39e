/**
 * Values that a person enters into elements, in the form in which Slack reports them: in `actions` and in
 * `state.values`. Plain values (a word, an option's value, a list of them) are converted to that form here.
 */
import { asJsonObject, asList, asString, isJsonObject, type JsonObject } from '../core/json-object.ts';
import { type ElementInBlocks, interactiveElements } from './find-elements.ts';

export type ElementState = JsonObject & { readonly type: string };
/** Values by block id and action id, as in `state.values`. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, ElementState>>>>;

/** Looks up what an element can be set to. */
export type ChoiceLookup = {
  readonly options: (found: ElementInBlocks) => readonly JsonObject[];
  readonly user: (nameOrId: string) => string | undefined;
  readonly channel: (nameOrId: string) => string | undefined;
  /** An uploaded file, as Slack's JSON object. */
  readonly file: (id: string) => JsonObject | undefined;
  /** Typed rich text, as Slack's composer leaves it. */
  readonly richText: (typed: JsonObject) => JsonObject;
};

type ElementKind = {
  readonly initial: (element: JsonObject) => JsonObject;
  /** Undefined when the element cannot take the value. */
  readonly accepted: (
    value: unknown,
    found: ElementInBlocks,
    choices: ChoiceLookup,
  ) => JsonObject | undefined;
};

/** docs.slack.dev/reference/block-kit/block-elements/file-input-element */
const MAX_FILES = 10;
const EMPTY_STATE = [null, undefined, ''] as const;
const isEmptyValue = (value: unknown) => EMPTY_STATE.some((nothing) => nothing === value);

const textElement: ElementKind = {
  initial: ({ initial_value }) => ({ value: initial_value ?? null }),
  accepted: (value) => {
    if (isEmptyValue(value)) return { value: null };
    return typeof value === 'string' || typeof value === 'number' ? { value: String(value) } : undefined;
  },
};

function optionOf(value: unknown, found: ElementInBlocks, choices: ChoiceLookup): JsonObject | undefined {
  return choices.options(found).find((option) => option['value'] === value);
}

const oneOption: ElementKind = {
  initial: ({ initial_option }) => ({ selected_option: initial_option ?? null }),
  accepted: (value, found, choices) => {
    if (isEmptyValue(value)) return { selected_option: null };
    const option = optionOf(value, found, choices);
    return option && { selected_option: option };
  },
};

const manyOptions: ElementKind = {
  initial: ({ initial_options }) => ({ selected_options: initial_options ?? [] }),
  accepted: (value, found, choices) => {
    const options = toList(value).map((each) => optionOf(each, found, choices));
    return options.includes(undefined) ? undefined : { selected_options: options };
  },
};

function singleChoice(
  initial: string,
  selected: string,
  look: (choices: ChoiceLookup, word: string) => unknown,
): ElementKind {
  return {
    initial: (element) => ({ [selected]: element[initial] ?? null }),
    accepted: (value, _found, choices) => {
      if (isEmptyValue(value)) return { [selected]: null };
      const chosen = look(choices, String(value));
      return chosen === undefined ? undefined : { [selected]: chosen };
    },
  };
}

function multipleChoice(
  initial: string,
  selected: string,
  look: (choices: ChoiceLookup, word: string) => unknown,
): ElementKind {
  return {
    initial: (element) => ({ [selected]: element[initial] ?? [] }),
    accepted: (value, _found, choices) => {
      const chosen = toList(value).map((each) => look(choices, String(each)));
      return chosen.includes(undefined) ? undefined : { [selected]: chosen };
    },
  };
}

const user = (choices: ChoiceLookup, word: string) => choices.user(word);
const channel = (choices: ChoiceLookup, word: string) => choices.channel(word);
const matching = (form: RegExp) => (_choices: ChoiceLookup, word: string) =>
  form.test(word) ? word : undefined;

const ELEMENT_KINDS: Readonly<Record<string, ElementKind>> = {
  plain_text_input: textElement,
  email_text_input: textElement,
  url_text_input: textElement,
  number_input: textElement,
  static_select: oneOption,
  external_select: oneOption,
  radio_buttons: oneOption,
  multi_static_select: manyOptions,
  multi_external_select: manyOptions,
  checkboxes: manyOptions,
  users_select: singleChoice('initial_user', 'selected_user', user),
  multi_users_select: multipleChoice('initial_users', 'selected_users', user),
  channels_select: singleChoice('initial_channel', 'selected_channel', channel),
  multi_channels_select: multipleChoice('initial_channels', 'selected_channels', channel),
  conversations_select: singleChoice('initial_conversation', 'selected_conversation', channel),
  multi_conversations_select: multipleChoice('initial_conversations', 'selected_conversations', channel),
  datepicker: singleChoice('initial_date', 'selected_date', matching(/^\d{4}-\d{2}-\d{2}$/)),
  timepicker: singleChoice('initial_time', 'selected_time', matching(/^\d{2}:\d{2}$/)),
  datetimepicker: singleChoice('initial_date_time', 'selected_date_time', (_choices, word) =>
    /^\d{10}$/.test(word) ? Number(word) : undefined,
  ),
  rich_text_input: {
    initial: ({ initial_value }) => ({ rich_text_value: initial_value ?? null }),
    accepted: (value, _found, choices) => {
      if (isJsonObject(value)) return { rich_text_value: choices.richText(value) };
      return isEmptyValue(value) ? { rich_text_value: value ?? null } : undefined;
    },
  },
  file_input: {
    initial: () => ({ files: [] }),
    accepted: (value, { element }, choices) => {
      const files = toList(value).map((id) => choices.file(String(id)));
      const isWanted = files.every((file) => file !== undefined && hasType(file, element['filetypes']));
      return isWanted && files.length <= Number(element['max_files'] ?? MAX_FILES) ? { files } : undefined;
    },
  },
};

/** `filetypes` are the extensions that are accepted; without it all are. */
function hasType({ name }: JsonObject, types: unknown): boolean {
  const ending = asString(name).toLowerCase();
  return !Array.isArray(types) || types.some((type) => ending.endsWith(`.${String(type).toLowerCase()}`));
}

function kindOf({ element }: ElementInBlocks): ElementKind | undefined {
  const type = asString(element['type']);
  return Object.hasOwn(ELEMENT_KINDS, type) ? ELEMENT_KINDS[type] : undefined;
}

/** Whether the element holds a value and so appears in `state.values`. */
export function isInput(found: ElementInBlocks): boolean {
  return kindOf(found) !== undefined;
}

/** The state for this value; undefined when the element cannot take it. */
export function elementStateFrom(
  found: ElementInBlocks,
  value: unknown,
  choices: ChoiceLookup,
): ElementState | undefined {
  const type = asString(found.element['type']);
  const simple = type === 'rich_text_input' ? value : simpleValue(value);
  if (type === 'overflow') {
    const option = optionOf(simple, found, choices);
    return option && { type, selected_option: option };
  }
  // docs.slack.dev/reference/block-kit/block-elements/multi-select-menu-element
  if (toList(simple).length > Number(found.element['max_selected_items'] ?? Number.POSITIVE_INFINITY))
    return undefined;
  const fields = kindOf(found)?.accepted(simple, found, choices);
  return fields && { type, ...fields };
}

/** `state.values`: entered values, otherwise the elements' initial values. */
export function initialStateValues(blocks: readonly JsonObject[], entered: StateValues): StateValues {
  let values: StateValues = {};
  for (const found of interactiveElements(blocks)) {
    const kind = kindOf(found);
    if (!kind) continue;
    const type = asString(found.element['type']);
    const enteredState = elementStateOf(entered, found);
    const entry = enteredState?.type === type ? enteredState : { type, ...kind.initial(found.element) };
    values = withElementState(values, found, { ...entry, ...zoneOf(found.element) });
  }
  return values;
}

/** “Also passed to the app” (docs.slack.dev/reference/block-kit/block-elements/time-picker-element). */
function zoneOf({ type, timezone }: JsonObject): JsonObject {
  return type === 'timepicker' && timezone !== undefined ? { timezone } : {};
}

/**
 * The entered value of this element. An id may equal the name of an inherited property, so only own properties count.
 */
export function elementStateOf(
  entries: StateValues,
  { blockId, actionId }: ElementInBlocks,
): ElementState | undefined {
  const block = Object.hasOwn(entries, blockId) ? entries[blockId] : undefined;
  return block && Object.hasOwn(block, actionId) ? block[actionId] : undefined;
}

/**
 * The values with this one added. Copied entry by entry, because setting `__proto__` would change the object's
 * prototype.
 */
export function withElementState(
  entries: StateValues,
  { blockId, actionId }: ElementInBlocks,
  entry: ElementState,
): StateValues {
  return { ...entries, [blockId]: { ...entries[blockId], [actionId]: entry } };
}

/** The options that are part of the element itself. */
export function staticOptions({ element }: ElementInBlocks): readonly JsonObject[] {
  const groups = asList(element['option_groups']).flatMap((group) => asList(group['options']));
  const initial = [...asList([element['initial_option']]), ...asList(element['initial_options'])];
  return [...asList(element['options']), ...groups, ...initial];
}

/** Whether nothing is entered. */
export function isEmptyState({ type: _type, timezone: _zone, ...fields }: ElementState): boolean {
  return Object.values(fields).every(
    (value) => isEmptyValue(value) || (Array.isArray(value) && value.length === 0),
  );
}

/** Reduces an option, or a value as Slack reports it, to its bare value. */
function simpleValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simpleValue);
  if (!isJsonObject(value)) return value;
  if ('value' in value) return value['value'];
  const selected = Object.entries(value).find(([name]) => name.startsWith('selected_'));
  return selected ? simpleValue(selected[1]) : asJsonObject(value);
}

function toList(value: unknown): readonly unknown[] {
  if (isEmptyValue(value)) return [];
  return Array.isArray(value) ? value : [value];
}
