/**
 * A searchable menu: a text field that opens a list (the ARIA combobox pattern), for one option or several as chips. It
 * knows nothing of the workspace: a source supplies the options, and choices go to a callback.
 */

import { h, ICONS, icon } from '../../dom/dom.ts';
import { renderPlainText } from '../../text/text-object.ts';
import type { FieldHandle, FieldSnapshot, Option } from '../../types.ts';
import { markTouched } from '../field-values.ts';
import { renderChips } from './chips.ts';
import { createList, type OptionSource, onKey } from './option-list.ts';

type PickerOptions = {
  /** Of the text field. */
  readonly attributes: Record<string, string | boolean | null>;
  readonly placeholder: string;
  readonly source: OptionSource;
  readonly initial: readonly Option[];
  readonly isMulti?: boolean;
  /** How many may be chosen. */
  readonly most?: number | undefined;
  readonly isClearable?: boolean;
  /** False takes the choice back. */
  readonly onChange: (options: readonly Option[]) => Promise<boolean>;
};

export function createPicker({ attributes, placeholder, source, initial, onChange, ...look }: PickerOptions) {
  const { isMulti = false, most = Number.POSITIVE_INFINITY, isClearable = false } = look;
  const { input, chips, clear, box } = pickerElements({ attributes, placeholder, isMulti });
  let chosen: readonly Option[] = initial;
  /** What was typed since the list opened; `null` while it is closed. */
  let query: string | null = null;
  const answers = latestAnswers(source);

  const list = createList({ input, box, isMulti, choose: (option) => void choose(option) });
  const isChosen = (option: Option) => chosen.some(({ value }) => value === option.value);
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
  const optionState = (option: Option) =>
    isChosen(option) ? 'chosen' : isMulti && chosen.length >= most ? 'full' : '';
  const ask = (words: string) => {
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
  const set = (options: readonly Option[]) => {
    chosen = options;
    showChips();
    show();
  };
  const change = async (options: readonly Option[]) => {
    const before = chosen;
    set(options);
    markTouched(input);
    if (!(await onChange(options))) set(before);
  };
  const toggle = (option: Option) =>
    change(isChosen(option) ? chosen.filter(({ value }) => value !== option.value) : [...chosen, option]);
  const choose = async (option: Option) => {
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

  const restore = ({ options = [] }: FieldSnapshot) => set(options);
  const value = () => (isMulti ? chosen.map((option) => option.value ?? '') : (chosen[0]?.value ?? null));
  const field: FieldHandle = { value, state: () => ({ options: chosen }), restore };
  return { node: h('div', { class: 'picker' }, box, list.node), input, field };
}

/** Asks the source; an answer to an older query is dropped. */
function latestAnswers(source: OptionSource) {
  let latest = 0;
  return {
    drop() {
      latest += 1;
    },
    async ask(query: string, show: Parameters<OptionSource>[1]) {
      latest += 1;
      const mine = latest;
      await source(query, (optionList) => {
        if (mine === latest) show(optionList);
      });
    },
  };
}

function pickerElements({
  attributes,
  placeholder,
  isMulti,
}: Pick<PickerOptions, 'attributes' | 'placeholder'> & { isMulti: boolean }) {
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

type PickerActions = {
  readonly list: Parameters<typeof onKey>[1]['list'];
  readonly ask: (words: string) => unknown;
  readonly change: (options: readonly Option[]) => unknown;
  readonly open: () => void;
  readonly close: () => void;
  readonly removeLast: () => void;
  readonly isOpen: () => boolean;
};

function listen(
  { input, box, clear }: { input: HTMLInputElement; box: HTMLElement; clear: HTMLElement },
  { list, ask, change, open, close, removeLast, isOpen }: PickerActions,
) {
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
