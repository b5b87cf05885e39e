/**
 * Menus: a text field that opens a list (the ARIA combobox pattern), for one option or several as chips. The options
 * are the element's own, or those that the bot suggests while a person types.
 */

import { h, ICONS, icon } from '../dom/dom.ts';
import { withSigns } from '../text/emoji.ts';
import { renderPlainText } from '../text/text-object.ts';
import type { Element, ElementSlot, FieldSnapshot, Option, RenderContext } from '../types.ts';
import { dispatchAction, elementAttributes, markTouched, registerField, reportValues } from './action.ts';
import { createList, type OptionList } from './option-list.ts';

export function renderMenu(element: Element, slot: ElementSlot, surface: RenderContext) {
  const { initial_option, initial_options } = element;
  const isMulti = element.type.startsWith('multi_');
  const placeholder =
    renderPlainText(element.placeholder) || (isMulti ? 'Select options' : 'Select an option');
  const { input, chips, clear, box } = pickerElements(elementAttributes(element, slot), placeholder, isMulti);
  const askSource = latestAnswers(optionSourceOf(element, slot, surface));
  let chosen: readonly Option[] = [];
  /** What was typed since the list opened; `null` while it is closed. */
  let query: string | null = null;

  const list = createList({ input, box, isMulti, choose: (option) => choose(option) });
  const isChosen = (option: Option) => chosen.some(({ value }) => value === option.value);
  const show = () => {
    const first = chosen[0];
    clear.hidden = isMulti || slot.isOptional !== true || chosen.length === 0;
    input.value = query ?? (isMulti || !first ? '' : renderPlainText(first.text));
    input.placeholder = isMulti && chosen.length > 0 ? '' : placeholder;
    input.setAttribute('data-chosen', chosen.map(({ value }) => value ?? '').join(' '));
  };
  const ask = (words: string) => {
    query = words;
    void askSource(words, (options) => list.show(options, isChosen));
  };
  const open = () => {
    if (query !== null) return;
    if (!isMulti) input.select();
    ask('');
  };
  /** The chips stay while the field closes: the click that closed it may be on one of them. */
  const close = () => {
    askSource.drop();
    query = null;
    list.close();
    show();
  };
  const set = (options: readonly Option[]) => {
    chosen = options;
    chips.replaceChildren(...(isMulti ? chosen.map((option) => chip(option, () => toggle(option))) : []));
    show();
  };
  const change = (options: readonly Option[]) => {
    set(options);
    markTouched(input);
    void dispatchAction(input, { element, slot, surface, value: value() });
  };
  const toggle = (option: Option) =>
    change(isChosen(option) ? chosen.filter(({ value }) => value !== option.value) : [...chosen, option]);
  const choose = (option: Option) => {
    if (isMulti) {
      query = '';
      toggle(option);
      ask('');
      return;
    }
    close();
    if (!isChosen(option)) change([option]);
  };
  const removeLast = () => {
    const last = chosen.at(-1);
    if (isMulti && last && input.value === '') toggle(last);
  };

  listen({ input, box }, { ask, open, close, isOpen: () => query !== null });
  input.addEventListener('keydown', (event) => list.onKey(event, { open, close, removeLast }));
  clear.addEventListener('click', () => change([]));
  set(initial_options ?? (initial_option ? [initial_option] : []));
  const value = () => (isMulti ? chosen.map((option) => option.value ?? '') : (chosen[0]?.value ?? null));
  const restore = ({ options = [] }: FieldSnapshot) => set(options);
  registerField(input, { value, state: () => ({ options: chosen }), restore });
  return h('div', { class: 'picker' }, box, list.node);
}

function pickerElements(
  attributes: ReturnType<typeof elementAttributes>,
  placeholder: string,
  isMulti: boolean,
) {
  const input = h('input', {
    'aria-label': attributes['aria-labelledby'] ? null : placeholder,
    ...attributes,
    type: 'text',
    class: 'picker-input',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
  });
  const chips = h('span', { class: 'chips' });
  const clear = h(
    'button',
    { type: 'button', class: 'picker-clear', 'aria-label': 'Clear' },
    icon(ICONS.close),
  );
  const chevron = h('span', { class: 'chevron', 'aria-hidden': 'true' }, icon(ICONS.down));
  const box = h('div', { class: `picker-box${isMulti ? ' multi' : ''}` }, chips, input, clear, chevron);
  return { input, chips, clear, box };
}

/** A chosen option of several, with a button that removes it. */
function chip(option: Option, remove: () => void) {
  const words = renderPlainText(option.text);
  return h(
    'span',
    { class: 'chip', 'data-chip': option.value ?? '' },
    h('span', { class: 'chip-words' }, withSigns(words)),
    h('button', { type: 'button', 'aria-label': `Remove ${words}`, click: remove }, icon(ICONS.close)),
  );
}

type PickerActions = {
  readonly ask: (words: string) => void;
  readonly open: () => void;
  readonly close: () => void;
  readonly isOpen: () => boolean;
};

function listen(
  { input, box }: { input: HTMLInputElement; box: HTMLElement },
  { ask, open, close, isOpen }: PickerActions,
) {
  input.addEventListener('input', () => ask(input.value));
  input.addEventListener('blur', close);
  input.addEventListener('click', open);
  box.addEventListener('pointerdown', (event) => {
    if (event.target === input || (event.target instanceof Element && event.target.closest('button'))) return;
    event.preventDefault();
    input.focus();
    if (isOpen()) close();
    else open();
  });
}

/** Shows the options for what was typed, at once or later, once or several times. */
type OptionSource = (query: string, show: (shown: OptionList) => void) => Promise<void>;

/** Asks the source; an answer to an older query is dropped. */
function latestAnswers(source: OptionSource) {
  let latest = 0;
  const ask: OptionSource = (query, show) => {
    latest += 1;
    const mine = latest;
    return source(query, (options) => {
      if (mine === latest) show(options);
    });
  };
  const drop = () => {
    latest += 1;
  };
  return Object.assign(ask, { drop });
}

const optionSourceOf = (element: Element, slot: ElementSlot, surface: RenderContext) =>
  element.type.endsWith('external_select') ? suggestedOptions(element, slot, surface) : ownOptions(element);

/** The element's options whose text contains what was typed. */
function ownOptions({ options = [], option_groups = [] }: Element): OptionSource {
  const groups = [
    { options },
    ...option_groups.map((group) => ({ label: renderPlainText(group.label), options: group.options })),
  ];
  return async (query, show) => {
    const typed = query.trim().toLowerCase();
    const isWanted = ({ text }: Option) => renderPlainText(text).toLowerCase().includes(typed);
    show({ groups: groups.map((group) => ({ ...group, options: group.options.filter(isWanted) })) });
  };
}

/** Slack's own pause between keystrokes is not published; this one feels immediate and spares the bot. */
const PAUSE_MS = 120;
/** Slack's default for `min_query_length` (docs.slack.dev, select menu of external data source). */
const MIN_LETTERS = 3;

/** Options that the bot suggests while a person types. */
function suggestedOptions(element: Element, slot: ElementSlot, surface: RenderContext): OptionSource {
  const fewest = element.min_query_length ?? MIN_LETTERS;
  let newest = 0;
  return async (query, show) => {
    newest += 1;
    const mine = newest;
    if (query.length < fewest) return show({ groups: [], nothing: lettersWanted(fewest) });
    await pause(query === '' ? 0 : PAUSE_MS);
    if (mine !== newest) return;
    show({ groups: [], nothing: 'Loading…' });
    await reportValues(surface);
    const request = { action_id: element.action_id ?? '', block_id: slot.blockId, value: query };
    const { options, error } = await surface.suggest(request);
    show({ groups: [{ options }], nothing: error ? `Couldn’t load options: ${error}` : 'No results' });
  };
}

const lettersWanted = (fewest: number) =>
  fewest === 1 ? 'Type to search.' : `Type at least ${fewest} characters to search.`;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
