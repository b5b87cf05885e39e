/** Blocks with their elements, and the values that people enter into these. */
import type { Ids } from '../core/ids.ts';
import { asJsonObject, asList, asString, isJsonObject, type JsonObject } from '../core/json-object.ts';

/** With a JSON pointer to it. */
export type Located = { readonly value: JsonObject; readonly pointer: string };

/** All blocks. */
export function blocksIn(blocks: unknown, pointer = ''): readonly Located[] {
  return Array.isArray(blocks) ? blocks.flatMap((item, index) => objectIn(item, `${pointer}/${index}`)) : [];
}

/** The interactive elements of one block. */
export function elementsIn({ value, pointer }: Located): readonly Located[] {
  switch (value['type']) {
    case 'actions':
      return blocksIn(value['elements'], `${pointer}/elements`);
    case 'input':
      return objectIn(value['element'], `${pointer}/element`);
    case 'section':
      return objectIn(value['accessory'], `${pointer}/accessory`);
    default:
      return [];
  }
}

function objectIn(value: unknown, pointer: string): readonly Located[] {
  return isJsonObject(value) ? [{ value, pointer }] : [];
}

export type ElementInBlocks = {
  readonly blockId: string;
  readonly actionId: string;
  readonly element: JsonObject;
  /** Inside an input block: it holds a value, and dispatches actions only when the block says so. */
  readonly inInput: boolean;
  readonly acts: boolean;
  readonly optional: boolean;
};

/** All interactive elements, in block order. */
export function interactiveElements(blocks: readonly JsonObject[]): readonly ElementInBlocks[] {
  return blocksIn(blocks).flatMap((block) => {
    const inInput = block.value['type'] === 'input';
    return elementsIn(block).map(({ value: element }) => ({
      blockId: asString(block.value['block_id']),
      actionId: asString(element['action_id']),
      element,
      inInput,
      acts: !inInput || block.value['dispatch_action'] === true,
      optional: block.value['optional'] === true,
    }));
  });
}

/** The element with this action id, in this block if one is given. */
export function findElement(
  blocks: readonly JsonObject[],
  { action_id, block_id }: { readonly action_id: string; readonly block_id?: string },
): ElementInBlocks | undefined {
  return interactiveElements(blocks).find(
    ({ actionId, blockId }) => actionId === action_id && (block_id === undefined || blockId === block_id),
  );
}

/** The blocks with a `block_id` on each and an `action_id` on each interactive element, generated where none was sent. */
export function withGeneratedIds(blocks: readonly JsonObject[], ids: Ids): readonly JsonObject[] {
  const withActionId = (element: JsonObject): JsonObject => ({ action_id: ids.next('a'), ...element });
  return blocks.map((block) => {
    const { type, elements, element, accessory } = block;
    return {
      block_id: ids.next('b'),
      ...block,
      ...(type === 'actions' ? { elements: asList(elements).map(withActionId) } : {}),
      ...(type === 'input' ? { element: withActionId(asJsonObject(element)) } : {}),
      ...(isJsonObject(accessory) ? { accessory: withActionId(accessory) } : {}),
    };
  });
}

/**
 * Values that a person enters into elements, in the form in which Slack reports them: in `actions` and in
 * `state.values`. Plain values (a word, an option's value, a list of them) are converted to that form here.
 */
export type ElementState = JsonObject & { readonly type: string };
/** Values by block id and action id, as in `state.values`. */
export type StateValues = Readonly<Record<string, Readonly<Record<string, ElementState>>>>;

/** The options that an element offers. */
export type OptionLookup = (found: ElementInBlocks) => readonly JsonObject[];

type ElementKind = {
  readonly initial: (element: JsonObject) => JsonObject;
  /** Undefined when the element cannot take the value. */
  readonly accepted: (
    value: unknown,
    found: ElementInBlocks,
    options: OptionLookup,
  ) => JsonObject | undefined;
};

const EMPTY_STATE = [null, undefined, ''] as const;
const isEmptyValue = (value: unknown) => EMPTY_STATE.some((nothing) => nothing === value);

const textElement: ElementKind = {
  initial: ({ initial_value }) => ({ value: initial_value ?? null }),
  accepted: (value) => {
    if (isEmptyValue(value)) return { value: null };
    return typeof value === 'string' || typeof value === 'number' ? { value: String(value) } : undefined;
  },
};

function optionOf(value: unknown, found: ElementInBlocks, options: OptionLookup): JsonObject | undefined {
  return options(found).find((option) => option['value'] === value);
}

const oneOption: ElementKind = {
  initial: ({ initial_option }) => ({ selected_option: initial_option ?? null }),
  accepted: (value, found, lookup) => {
    if (isEmptyValue(value)) return { selected_option: null };
    const option = optionOf(value, found, lookup);
    return option && { selected_option: option };
  },
};

const manyOptions: ElementKind = {
  initial: ({ initial_options }) => ({ selected_options: initial_options ?? [] }),
  accepted: (value, found, lookup) => {
    const options = toList(value).map((each) => optionOf(each, found, lookup));
    return options.includes(undefined) ? undefined : { selected_options: options };
  },
};

const time: ElementKind = {
  initial: ({ initial_time }) => ({ selected_time: initial_time ?? null }),
  accepted: (value) => {
    if (isEmptyValue(value)) return { selected_time: null };
    return typeof value === 'string' && /^\d{2}:\d{2}$/.test(value) ? { selected_time: value } : undefined;
  },
};

const ELEMENT_KINDS: Readonly<Record<string, ElementKind>> = {
  plain_text_input: textElement,
  static_select: oneOption,
  external_select: oneOption,
  radio_buttons: oneOption,
  multi_static_select: manyOptions,
  multi_external_select: manyOptions,
  checkboxes: manyOptions,
  timepicker: time,
};

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
  options: OptionLookup,
): ElementState | undefined {
  const fields = kindOf(found)?.accepted(simpleValue(value), found, options);
  return fields && { type: asString(found.element['type']), ...fields };
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
    values = withElementState(values, found, entry);
  }
  return values;
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
export function isEmptyState({ type: _type, ...fields }: ElementState): boolean {
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
