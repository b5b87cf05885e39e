/**
 * What a person enters into an element, in the form in which Slack reports it: in `actions` and in
 * `state.values`. Plain values (a word, an option's value, a list of them) become that form here.
 */
import { type Fields, fieldsOf, isFields, listOf, wordOf } from '../json.ts';
import { elementsOf, type Found } from './elements.ts';

export type Entry = Fields & { readonly type: string };
/** Entries by block id and action id, as in `state.values`. */
export type Entries = Readonly<Record<string, Readonly<Record<string, Entry>>>>;

/** What an element can be set to. */
export type Choices = {
  readonly options: (found: Found) => readonly Fields[];
  readonly user: (nameOrId: string) => string | undefined;
  readonly channel: (nameOrId: string) => string | undefined;
  /** A file that has been uploaded, as Slack shows it. */
  readonly file: (id: string) => Fields | undefined;
};

type Kind = {
  readonly initial: (element: Fields) => Fields;
  /** Undefined when the element cannot take the value. */
  readonly taken: (value: unknown, found: Found, choices: Choices) => Fields | undefined;
};

/** docs.slack.dev/reference/block-kit/block-elements/file-input-element */
const MOST_FILES = 10;
const NOTHING = [null, undefined, ''] as const;
const isNothing = (value: unknown) => NOTHING.some((nothing) => nothing === value);

const written: Kind = {
  initial: ({ initial_value }) => ({ value: initial_value ?? null }),
  taken: (value) => {
    if (isNothing(value)) return { value: null };
    return typeof value === 'string' || typeof value === 'number' ? { value: String(value) } : undefined;
  },
};

function optionOf(value: unknown, found: Found, choices: Choices): Fields | undefined {
  return choices.options(found).find((option) => option['value'] === value);
}

const oneOption: Kind = {
  initial: ({ initial_option }) => ({ selected_option: initial_option ?? null }),
  taken: (value, found, choices) => {
    if (isNothing(value)) return { selected_option: null };
    const option = optionOf(value, found, choices);
    return option && { selected_option: option };
  },
};

const manyOptions: Kind = {
  initial: ({ initial_options }) => ({ selected_options: initial_options ?? [] }),
  taken: (value, found, choices) => {
    const options = asList(value).map((each) => optionOf(each, found, choices));
    return options.includes(undefined) ? undefined : { selected_options: options };
  },
};

function one(initial: string, selected: string, look: (choices: Choices, word: string) => unknown): Kind {
  return {
    initial: (element) => ({ [selected]: element[initial] ?? null }),
    taken: (value, _found, choices) => {
      if (isNothing(value)) return { [selected]: null };
      const chosen = look(choices, String(value));
      return chosen === undefined ? undefined : { [selected]: chosen };
    },
  };
}

function many(initial: string, selected: string, look: (choices: Choices, word: string) => unknown): Kind {
  return {
    initial: (element) => ({ [selected]: element[initial] ?? [] }),
    taken: (value, _found, choices) => {
      const chosen = asList(value).map((each) => look(choices, String(each)));
      return chosen.includes(undefined) ? undefined : { [selected]: chosen };
    },
  };
}

const user = (choices: Choices, word: string) => choices.user(word);
const channel = (choices: Choices, word: string) => choices.channel(word);
const matching = (form: RegExp) => (_choices: Choices, word: string) => (form.test(word) ? word : undefined);

const KINDS: Readonly<Record<string, Kind>> = {
  plain_text_input: written,
  email_text_input: written,
  url_text_input: written,
  number_input: written,
  static_select: oneOption,
  external_select: oneOption,
  radio_buttons: oneOption,
  multi_static_select: manyOptions,
  multi_external_select: manyOptions,
  checkboxes: manyOptions,
  users_select: one('initial_user', 'selected_user', user),
  multi_users_select: many('initial_users', 'selected_users', user),
  channels_select: one('initial_channel', 'selected_channel', channel),
  multi_channels_select: many('initial_channels', 'selected_channels', channel),
  conversations_select: one('initial_conversation', 'selected_conversation', channel),
  multi_conversations_select: many('initial_conversations', 'selected_conversations', channel),
  datepicker: one('initial_date', 'selected_date', matching(/^\d{4}-\d{2}-\d{2}$/)),
  timepicker: one('initial_time', 'selected_time', matching(/^\d{2}:\d{2}$/)),
  datetimepicker: one('initial_date_time', 'selected_date_time', (_choices, word) =>
    /^\d{10}$/.test(word) ? Number(word) : undefined,
  ),
  rich_text_input: {
    initial: ({ initial_value }) => ({ rich_text_value: initial_value ?? null }),
    taken: (value) => (isFields(value) || isNothing(value) ? { rich_text_value: value ?? null } : undefined),
  },
  file_input: {
    initial: () => ({ files: [] }),
    taken: (value, { element }, choices) => {
      const files = asList(value).map((id) => choices.file(String(id)));
      return files.includes(undefined) || files.length > Number(element['max_files'] ?? MOST_FILES)
        ? undefined
        : { files };
    },
  },
};

function kindOf({ element }: Found): Kind | undefined {
  const type = wordOf(element['type']);
  return Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
}

/** Whether the element holds a value, so that it stands in `state.values`. */
export function holdsValue(found: Found): boolean {
  return kindOf(found) !== undefined;
}

/** The entry that this value makes; undefined when the element cannot take it. */
export function entryFrom(found: Found, value: unknown, choices: Choices): Entry | undefined {
  const type = wordOf(found.element['type']);
  const simple = type === 'rich_text_input' ? value : simpleValue(value);
  if (type === 'overflow') {
    const option = optionOf(simple, found, choices);
    return option && { type, selected_option: option };
  }
  const fields = kindOf(found)?.taken(simple, found, choices);
  return fields && { type, ...fields };
}

/** `state.values`: what was entered, else what the elements began with. */
export function formState(blocks: readonly Fields[], entered: Entries): Entries {
  let values: Entries = {};
  for (const found of elementsOf(blocks)) {
    const kind = kindOf(found);
    if (!kind) continue;
    const type = wordOf(found.element['type']);
    const given = entryOf(entered, found);
    const entry = given?.type === type ? given : { type, ...kind.initial(found.element) };
    values = withEntry(values, found, entry);
  }
  return values;
}

/** What was entered into this element. An id may be any word, also that of something which every object has. */
export function entryOf(entries: Entries, { blockId, actionId }: Found): Entry | undefined {
  const block = Object.hasOwn(entries, blockId) ? entries[blockId] : undefined;
  return block && Object.hasOwn(block, actionId) ? block[actionId] : undefined;
}

/** The entries with this one among them; written out, as to set `__proto__` would change the object's kind. */
export function withEntry(entries: Entries, { blockId, actionId }: Found, entry: Entry): Entries {
  return { ...entries, [blockId]: { ...entries[blockId], [actionId]: entry } };
}

/** The options that stand in the element itself. */
export function ownOptions({ element }: Found): readonly Fields[] {
  const groups = listOf(element['option_groups']).flatMap((group) => listOf(group['options']));
  const initial = [...listOf([element['initial_option']]), ...listOf(element['initial_options'])];
  return [...listOf(element['options']), ...groups, ...initial];
}

/** Whether nothing is entered. */
export function isEmptyEntry({ type: _, ...fields }: Entry): boolean {
  return Object.values(fields).every(
    (value) => isNothing(value) || (Array.isArray(value) && value.length === 0),
  );
}

/** An option, or an entry as Slack reports it, is as good as its bare value. */
function simpleValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(simpleValue);
  if (!isFields(value)) return value;
  if ('value' in value) return value['value'];
  const selected = Object.entries(value).find(([name]) => name.startsWith('selected_'));
  return selected ? simpleValue(selected[1]) : fieldsOf(value);
}

function asList(value: unknown): readonly unknown[] {
  if (isNothing(value)) return [];
  return Array.isArray(value) ? value : [value];
}
