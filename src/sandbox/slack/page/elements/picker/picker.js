/**
 * A searchable menu: a text field that opens a list (the ARIA combobox pattern), for one option or several as chips. It
 * knows nothing of the workspace: a source supplies the options, and choices go to a callback.
 */
/** @import { FieldHandle, FieldSnapshot, Option } from '../../types.d.ts' */
/** @import { OptionSource } from './sources.js' */
import { h, ICONS, icon } from '../../dom/dom.js';
import { renderPlainText } from '../../text/text-object.js';
import { markTouched } from '../field-values.js';
import { renderChips } from './chips.js';
import { createList, onKey } from './option-list.js';

/**
 * @typedef {object} PickerOptions
 * @property {Record<string, string | boolean | null>} attributes of the text field
 * @property {string} placeholder
 * @property {OptionSource} source
 * @property {readonly Option[]} initial
 * @property {boolean} [isMulti]
 * @property {number | undefined} [most] how many may be chosen
 * @property {boolean} [isClearable]
 * @property {(options: readonly Option[]) => Promise<boolean>} onChange false takes the choice back
 */

/** @param {PickerOptions} options */
export function createPicker({ attributes, placeholder, source, initial, onChange, ...look }) {
  const { isMulti = false, most = Number.POSITIVE_INFINITY, isClearable = false } = look;
  const { input, chips, clear, box } = pickerElements({ attributes, placeholder, isMulti });
  /** @type {readonly Option[]} */
  let chosen = initial;
  /** What was typed since the list opened; `null` while it is closed. @type {string | null} */
  let query = null;
  const answers = latestAnswers(source);

  const list = createList({ input, box, isMulti, choose: (option) => void choose(option) });
  /** @param {Option} option */
  const isChosen = (option) => chosen.some(({ value }) => value === option.value);
  /** The chips stay while the field closes: the click that closed it may be on one of them. */
  const showChips = () =>
    chips.replaceChildren(...(isMulti ? renderChips(chosen, (option) => void toggle(option)) : []));
  const show = () => {
    const first = chosen[0];
    clear.hidden = !isClearable || chosen.length === 0;
    input.value = query ?? (isMulti || !first ? '' : renderPlainText(first.text));
    input.placeholder = isMulti && chosen.length > 0 ? '' : placeholder;
    input.setAttribute('data-chosen', chosen.map(({ value }) => value ?? '').join(' '));
  };
  /** @param {Option} option */
  const optionState = (option) =>
    isChosen(option) ? 'chosen' : isMulti && chosen.length >= most ? 'full' : '';
  /** @param {string} words */
  const ask = (words) => {
    query = words;
    return answers.ask(words, (optionList) => {
      const note = isMulti && chosen.length >= most ? `You can choose up to ${most}.` : optionList.note;
      list.show(note === undefined ? optionList : { ...optionList, note }, optionState);
    });
  };
  const open = () => {
    if (query !== null) return;
    if (!isMulti) input.select();
    void ask('');
  };
  const close = () => {
    answers.drop();
    query = null;
    list.close();
    show();
  };
  /** @param {readonly Option[]} options */
  const set = (options) => {
    chosen = options;
    showChips();
    show();
  };
  /** @param {readonly Option[]} options */
  const change = async (options) => {
    const before = chosen;
    set(options);
    markTouched(input);
    if (!(await onChange(options))) set(before);
  };
  /** @param {Option} option */
  const toggle = (option) =>
    change(isChosen(option) ? chosen.filter(({ value }) => value !== option.value) : [...chosen, option]);
  /** @param {Option} option */
  const choose = async (option) => {
    if (!isMulti) {
      close();
      return isChosen(option) ? undefined : change([option]);
    }
    query = '';
    const changing = toggle(option);
    void ask('');
    return changing;
  };

  const removeLast = () => {
    const last = chosen.at(-1);
    if (isMulti && last && input.value === '') void toggle(last);
  };
  const isOpen = () => query !== null;
  listen({ input, box, clear }, { list, ask, change, open, close, removeLast, isOpen });
  set(initial);

  /** @param {FieldSnapshot} state */
  const restore = ({ options = [] }) => set(options);
  const value = () => (isMulti ? chosen.map((option) => option.value ?? '') : (chosen[0]?.value ?? null));
  /** @type {FieldHandle} */
  const field = { value, state: () => ({ options: chosen }), restore };
  return { node: h('div', { class: 'picker' }, box, list.node), input, field };
}

/** Asks the source; an answer to an older query is dropped. @param {OptionSource} source */
function latestAnswers(source) {
  let latest = 0;
  return {
    drop() {
      latest += 1;
    },
    /** @param {string} query @param {Parameters<OptionSource>[1]} show */
    async ask(query, show) {
      latest += 1;
      const mine = latest;
      await source(query, (optionList) => {
        if (mine === latest) show(optionList);
      });
    },
  };
}

/** @param {Pick<PickerOptions, 'attributes' | 'placeholder'> & {isMulti: boolean}} look */
function pickerElements({ attributes, placeholder, isMulti }) {
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
  const box = h(
    'div',
    { class: `picker-box${isMulti ? ' multi' : ''}` },
    chips,
    input,
    clear,
    h('span', { class: 'chevron', 'aria-hidden': 'true' }, icon('M6 8l4 4 4-4')),
  );
  return { input, chips, clear, box };
}

/**
 * @typedef {object} PickerActions
 * @property {Parameters<typeof onKey>[1]['list']} list
 * @property {(words: string) => unknown} ask
 * @property {(options: readonly Option[]) => unknown} change
 * @property {() => void} open
 * @property {() => void} close
 * @property {() => void} removeLast
 * @property {() => boolean} isOpen
 */

/**
 * @param {{input: HTMLInputElement, box: HTMLElement, clear: HTMLElement}} elements
 * @param {PickerActions} actions
 */
function listen({ input, box, clear }, { list, ask, change, open, close, removeLast, isOpen }) {
  input.addEventListener('input', () => void ask(input.value));
  input.addEventListener('blur', close);
  input.addEventListener('click', open);
  input.addEventListener('keydown', (event) => onKey(event, { list, open, close, removeLast }));
  box.addEventListener('pointerdown', (event) => {
    if (event.target === input || (event.target instanceof Element && event.target.closest('button'))) return;
    event.preventDefault();
    input.focus();
    if (isOpen()) close();
    else open();
  });
  clear.addEventListener('click', () => void change([]));
}
