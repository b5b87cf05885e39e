/** The open list of a menu: options in groups, one of them marked for the keyboard. */

import { h, keepPositioned, newId, positionBeside } from '../dom/dom.ts';
import { plainNode } from '../text/text-object.ts';
import type { Option } from '../types.ts';

type Group = { readonly label?: string; readonly options: readonly Option[] };

/** What the list shows; `nothing`: where there is no option. */
export type OptionList = { readonly groups: readonly Group[]; readonly nothing?: string };

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
    close() {
      if (isOpen()) node.hidePopover();
      input.setAttribute('aria-expanded', 'false');
      input.removeAttribute('aria-activedescendant');
    },
    show({ groups, nothing = 'No results' }: OptionList, isChosen: (option: Option) => boolean) {
      const at = isOpen() ? marked() : -1;
      const drawn = groups.flatMap((group) => drawGroup(group, choose, isChosen));
      node.replaceChildren(...(drawn.length > 0 ? drawn : [h('p', { class: 'options-note' }, nothing)]));
      if (!isOpen()) {
        node.showPopover();
        keepPositioned(node, position);
      }
      position();
      input.setAttribute('aria-expanded', 'true');
      const chosen = rows().findIndex((row) => row.getAttribute('aria-selected') === 'true');
      mark(Math.max(isMulti ? at : chosen, 0));
    },
    onKey(
      event: KeyboardEvent,
      { open, close, removeLast }: Record<'open' | 'close' | 'removeLast', () => void>,
    ) {
      if (event.isComposing) return;
      if (event.key === 'Backspace') return removeLast();
      if (!(isOpen() ? OPEN_KEYS : CLOSED_KEYS).includes(event.key)) return;
      event.preventDefault();
      event.stopPropagation();
      if (!isOpen()) return open();
      if (event.key === 'ArrowDown') mark(marked() + 1);
      else if (event.key === 'ArrowUp') mark(marked() - 1);
      else if (event.key === 'Enter') rows()[marked()]?.dispatchEvent(new MouseEvent('click'));
      else close();
    },
  };
}

const OPEN_KEYS = ['ArrowDown', 'ArrowUp', 'Enter', 'Escape'];
/** Enter opens the menu, so that it does not also submit the form. */
const CLOSED_KEYS = ['ArrowDown', 'ArrowUp', 'Enter'];

function drawGroup(
  { label, options }: Group,
  choose: (option: Option) => void,
  isChosen: (option: Option) => boolean,
): readonly HTMLElement[] {
  const rows = options.map((option) => drawOption(option, isChosen(option), choose));
  if (label === undefined || rows.length === 0) return rows;
  const head = h('div', { class: 'options-label', 'aria-hidden': 'true' }, label);
  return [h('div', { role: 'group', 'aria-label': label }, head, ...rows)];
}

function drawOption(option: Option, isChosen: boolean, choose: (option: Option) => void) {
  const about = option.description && h('small', {}, plainNode(option.description));
  const attributes = {
    id: newId('option'),
    class: 'option',
    role: 'option',
    'data-value': option.value ?? '',
    'aria-selected': String(isChosen),
    click: () => choose(option),
  };
  return h('div', attributes, h('span', { class: 'option-words' }, plainNode(option.text), about));
}
