/** The open list of a menu: options in groups, one of them marked for the keyboard. */

import { h, newId } from '../../dom/dom.ts';
import { plainNode } from '../../text/text-object.ts';
import type { Option } from '../../types.ts';
import { keepPositioned, positionBeside } from '../popover-position.ts';

/** What stands in the list. */
export type OptionList = {
  readonly groups: readonly { label?: string; options: readonly Option[] }[];
  /** Said where there is no option. */
  readonly nothing?: string;
  /** Said below the options. */
  readonly note?: string;
};

/** Shows the options for what was typed, at once or later, once or several times. */
export type OptionSource = (query: string, show: (shown: OptionList) => void) => Promise<void>;

type ListOptions = {
  readonly input: HTMLInputElement;
  readonly box: HTMLElement;
  readonly choose: (option: Option) => void;
  readonly isMulti: boolean;
};

export function createList({ input, box, choose, isMulti }: ListOptions) {
  const id = newId('options');
  const node = h('div', {
    id,
    class: 'options',
    role: 'listbox',
    popover: 'manual',
    'aria-label': 'Options',
    'aria-multiselectable': isMulti ? 'true' : null,
  });
  input.setAttribute('aria-controls', id);
  // On pointerdown, because before a click the field would lose focus and close the list.
  node.addEventListener('pointerdown', (event) => event.preventDefault());
  const position = () => {
    node.style.minWidth = `${box.getBoundingClientRect().width}px`;
    positionBeside(node, box);
  };
  const isOpen = () => node.matches(':popover-open');
  const rows = () => [...node.querySelectorAll('[role="option"]')];
  const marked = () => rows().findIndex((row) => row.hasAttribute('data-marked'));
  const mark = (at: number) => {
    const all = rows();
    const row = all.at(all.length === 0 ? 0 : at % all.length);
    for (const each of all) each.toggleAttribute('data-marked', each === row);
    if (row) input.setAttribute('aria-activedescendant', row.id);
    else input.removeAttribute('aria-activedescendant');
    row?.scrollIntoView({ block: 'nearest' });
  };
  return {
    node,
    isOpen,
    close() {
      if (isOpen()) node.hidePopover();
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
    },
    show({ groups, nothing, note }: OptionList, stateOf: (option: Option) => 'chosen' | 'full' | '') {
      const at = isOpen() ? marked() : -1;
      const drawn = groups.flatMap((group) => drawGroup(group, choose, stateOf));
      const words = drawn.length === 0 ? (nothing ?? 'No results') : note;
      node.replaceChildren(...drawn, ...(words ? [h('p', { class: 'options-note' }, words)] : []));
      if (!isOpen()) {
        node.showPopover();
        keepPositioned(node, position);
      }
      position();
      input.setAttribute('aria-expanded', 'true');
      const chosen = rows().findIndex((row) => row.getAttribute('aria-selected') === 'true');
      mark(isMulti ? Math.max(at, 0) : Math.max(chosen, 0));
    },
    move: (step: number) => mark(marked() + step),
    chooseMarked: () => rows()[marked()]?.dispatchEvent(new MouseEvent('click')),
  };
}

function drawGroup(
  { label, options }: { label?: string; options: readonly Option[] },
  choose: (option: Option) => void,
  stateOf: (option: Option) => 'chosen' | 'full' | '',
): readonly HTMLElement[] {
  const rows = options.map((option) => drawOption(option, stateOf(option), choose));
  if (label === undefined || rows.length === 0) return rows;
  const head = h('div', { class: 'options-label', 'aria-hidden': 'true' }, label);
  return [h('div', { role: 'group', 'aria-label': label }, head, ...rows)];
}

function drawOption(option: Option, state: 'chosen' | 'full' | '', choose: (option: Option) => void) {
  const about = option.description && h('small', {}, plainNode(option.description));
  const attributes = {
    id: newId('option'),
    class: 'option',
    role: 'option',
    'data-value': option.value ?? '',
    'aria-selected': String(state === 'chosen'),
    'aria-disabled': state === 'full' ? 'true' : null,
  };
  const row = h('div', attributes, h('span', { class: 'option-words' }, plainNode(option.text), about));
  if (state !== 'full') row.addEventListener('click', () => choose(option));
  return row;
}

type KeyActions = {
  readonly list: { isOpen: () => boolean; move: (step: number) => void; chooseMarked: () => void };
  readonly open: () => void;
  readonly close: () => void;
  readonly removeLast: () => void;
};

/** Keyboard handling of a menu. */
export function onKey(event: KeyboardEvent, { list, open, close, removeLast }: KeyActions) {
  if (event.isComposing) return;
  if (event.key === 'Backspace') return removeLast();
  if (!(list.isOpen() ? openKeys : closedKeys).includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  if (!list.isOpen()) return open();
  if (event.key === 'ArrowDown') list.move(1);
  else if (event.key === 'ArrowUp') list.move(-1);
  else if (event.key === 'Enter') list.chooseMarked();
  else close();
}

const openKeys = ['ArrowDown', 'ArrowUp', 'Enter', 'Escape'];
/** Enter opens the menu, so that it does not also submit the form. */
const closedKeys = ['ArrowDown', 'ArrowUp', 'Enter'];
