/** A menu whose options the bot suggests while a person types. */
/** @import { Element, Option, Slot, Surface } from '../types.d.ts' */
import { h, newId } from '../dom.js';
import { plainText } from '../text/text.js';
import { dispatch, hooks } from './hooks.js';

/** Slack's own pause between keystrokes is not published; this one feels immediate and spares the bot. */
const PAUSE_MS = 120;
/** Slack's default for `min_query_length` (docs.slack.dev, select menu of external data source). */
const FEWEST_LETTERS = 3;

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function externalSelect(element, slot, surface) {
  const listId = newId('suggestions');
  const list = h('ul', { id: listId, class: 'suggestions', role: 'listbox', hidden: true });
  const input = h('input', {
    ...hooks(element, slot),
    type: 'text',
    class: 'text-input',
    role: 'combobox',
    autocomplete: 'off',
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-controls': listId,
    placeholder: plainText(element.placeholder) || 'Type to search',
    'data-chosen': element.initial_option?.value ?? null,
  });
  input.value = plainText(element.initial_option?.text);
  /** @param {Option} option */
  const choose = (option) => {
    input.value = plainText(option.text);
    input.setAttribute('data-chosen', option.value ?? '');
    input.setAttribute('data-touched', '');
    close();
    void dispatch(input, { element, slot, surface, value: option.value ?? '' });
  };
  const close = () => {
    list.hidden = true;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  };
  /** @param {readonly Option[]} options @param {string} [nothing] */
  const open = (options, nothing = 'No results') => {
    list.replaceChildren(
      ...options.map((option) => suggestion(option, () => choose(option))),
      ...(options.length === 0 ? [h('li', { class: 'nothing' }, nothing)] : []),
    );
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    mark(input, list, 0);
  };
  const ask = asker(input, element, slot, surface, { open, close });
  input.addEventListener('input', () => {
    input.removeAttribute('data-chosen');
    ask(PAUSE_MS);
  });
  input.addEventListener('focus', () => ask(0));
  input.addEventListener('blur', close);
  input.addEventListener('keydown', (event) => onKey(event, input, list, close));
  return h('div', { class: 'combobox' }, input, list);
}

/**
 * Asks the bot after a pause; an answer that came too late for what now stands there is dropped.
 * @param {HTMLInputElement} input
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 * @param {{open: (options: readonly Option[], nothing?: string) => void, close: () => void}} list
 */
function asker(input, element, slot, surface, { open, close }) {
  /** @type {number | undefined} */
  let timer;
  const ask = async () => {
    const value = input.value;
    if (input.hasAttribute('data-chosen')) return;
    if (value.length < (element.min_query_length ?? FEWEST_LETTERS)) return close();
    const action_id = element.action_id ?? '';
    const { options, error } = await surface.suggest({ action_id, block_id: slot.blockId, value });
    if (input.value !== value || document.activeElement !== input) return;
    open(options, error && `The app could not answer: ${error}`);
  };
  /** @param {number} pause */
  return (pause) => {
    clearTimeout(timer);
    timer = setTimeout(() => void ask(), pause);
  };
}

/**
 * @param {Option} option
 * @param {() => void} choose
 */
function suggestion(option, choose) {
  const node = h('li', { id: newId('suggestion'), role: 'option', 'data-value': option.value ?? '' });
  node.append(plainText(option.text));
  // Pressed, not clicked: by the time of a click the field would have lost focus and closed the list.
  node.addEventListener('pointerdown', (event) => event.preventDefault());
  node.addEventListener('click', choose);
  return node;
}

/**
 * @param {KeyboardEvent} event
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 * @param {() => void} close
 */
function onKey(event, input, list, close) {
  if (list.hidden) return;
  const options = [...list.querySelectorAll('[role="option"]')];
  const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true');
  if (event.key === 'ArrowDown') mark(input, list, at + 1);
  else if (event.key === 'ArrowUp') mark(input, list, at - 1);
  else if (event.key === 'Enter') options[at]?.dispatchEvent(new MouseEvent('click'));
  else if (event.key === 'Escape') close();
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/**
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 * @param {number} at
 */
function mark(input, list, at) {
  const options = [...list.querySelectorAll('[role="option"]')];
  const chosen = options.at(options.length === 0 ? 0 : at % options.length);
  for (const option of options) option.setAttribute('aria-selected', String(option === chosen));
  if (chosen) input.setAttribute('aria-activedescendant', chosen.id);
  chosen?.scrollIntoView({ block: 'nearest' });
}
