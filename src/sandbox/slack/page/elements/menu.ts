/**
 * Menus: a text field that opens a list (the ARIA combobox pattern), for one option or several as chips. The options
 * are the element's own, or those that the bot suggests while a person types.
 */

import { ICONS, icon, keepBeside, useNewId } from '../kit.ts';
import { html, useLayoutEffect, useRef, useState } from '../preact.ts';
import { plainNode, renderPlainText } from '../text/mrkdwn.ts';
import type { Option } from '../types.ts';
import {
  type ElementProps,
  elementAttributes,
  enteredIn,
  reportValues,
  useAction,
  useField,
} from './fields.ts';

type Group = { readonly label?: string; readonly options: readonly Option[] };

/** What the list shows; `nothing`: where there is no option. */
type OptionList = { readonly groups: readonly Group[]; readonly nothing?: string };

export function Menu(props: ElementProps) {
  const { element, slot } = props;
  const isMulti = element.type.startsWith('multi_');
  const placeholder =
    renderPlainText(element.placeholder) || (isMulti ? 'Select options' : 'Select an option');
  const { initial_option, initial_options } = element;
  const { act, isBusy } = useAction(props);
  const {
    held: chosen,
    enter,
    value,
  } = useField<readonly Option[]>(
    props,
    initial_options ?? (initial_option ? [initial_option] : []),
    (options) => (isMulti ? options.map((each) => each.value ?? '') : (options[0]?.value ?? null)),
  );
  /** What was typed since the list opened; `null` while it is closed. */
  const [query, setQuery] = useState<string | null>(null);
  const [list, setList] = useState<OptionList | null>(null);
  const [marked, setMarked] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useNewId('options');
  const asked = useRef(0);

  const isChosen = (option: Option) => chosen.some((each) => each.value === option.value);
  const rows = list?.groups.flatMap(({ options }) => options) ?? [];
  const ask = (words: string) => {
    setQuery(words);
    asked.current += 1;
    const mine = asked.current;
    // An answer to an older query is dropped.
    void optionsFor(props, words, {
      isNewest: () => mine === asked.current,
      show(shown) {
        setList(shown);
        const all = shown.groups.flatMap(({ options }) => options);
        const first = isMulti ? 0 : Math.max(all.findIndex(isChosen), 0);
        setMarked((at) => (isMulti && query !== null ? at % Math.max(all.length, 1) : first));
      },
    });
  };
  const open = () => {
    if (query !== null) return;
    if (!isMulti) input.current?.select();
    ask('');
  };
  const close = () => {
    asked.current += 1;
    setQuery(null);
    setList(null);
  };
  const change = (options: readonly Option[]) => {
    enter(options);
    act(value());
  };
  const toggle = (option: Option) =>
    change(isChosen(option) ? chosen.filter((each) => each.value !== option.value) : [...chosen, option]);
  const choose = (option: Option) => {
    if (isMulti) {
      toggle(option);
      ask('');
      return;
    }
    close();
    if (!isChosen(option)) change([option]);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, isComposing } = event;
    const last = chosen.at(-1);
    if (isComposing) return;
    if (key === 'Backspace' && isMulti && last && input.current?.value === '') toggle(last);
    // Enter opens the menu, so that it does not also submit the form.
    if (!['ArrowDown', 'ArrowUp', 'Enter', ...(list ? ['Escape'] : [])].includes(key)) return;
    event.preventDefault();
    event.stopPropagation();
    const option = rows[marked];
    if (!list) open();
    else if (key === 'Escape') close();
    else if (key === 'Enter' && option) choose(option);
    else if (key !== 'Enter')
      setMarked((marked + (key === 'ArrowDown' ? 1 : -1) + rows.length) % Math.max(rows.length, 1));
  };
  const onPointerDown = (event: PointerEvent) => {
    const { target } = event;
    if (target === input.current || (target instanceof Element && target.closest('button'))) return;
    event.preventDefault();
    input.current?.focus();
    if (query === null) open();
    else close();
  };

  const isClearable = !isMulti && slot.isOptional === true && chosen.length > 0;
  const clearButton = html`
    <button type="button" class="picker-clear" aria-label="Clear" onClick=${() => change([])}>
      ${icon(ICONS.close)}
    </button>`;
  const words = query ?? (isMulti ? '' : renderPlainText(chosen[0]?.text));
  return html`
    <div class="picker">
      <div ref=${box} class=${isMulti ? 'picker-box multi' : 'picker-box'} onPointerDown=${onPointerDown}>
        ${isMulti && html`<span class="chips">${chosen.map((each) => chip(each, () => toggle(each)))}</span>`}
        <input
          aria-label=${slot.labelledBy ? undefined : placeholder}
          ...${elementAttributes(props)}
          ref=${input}
          type="text"
          class="picker-input"
          role="combobox"
          autocomplete="off"
          spellcheck=${false}
          placeholder=${isMulti && chosen.length > 0 ? '' : placeholder}
          value=${words}
          aria-autocomplete="list"
          aria-controls=${id}
          aria-expanded=${list !== null}
          aria-activedescendant=${rows[marked] ? `${id}-${marked}` : undefined}
          aria-busy=${isBusy}
          onInput=${(event: InputEvent) => ask(enteredIn(event))}
          onBlur=${close}
          onClick=${open}
          onKeyDown=${onKeyDown}
        />
        ${isClearable && clearButton}
        <span class="chevron" aria-hidden="true">${icon(ICONS.down)}</span>
      </div>
      <${Options} ...${{ id, list, box, isMulti, marked, isChosen, choose }} />
    </div>`;
}

/** A chosen option of several, with a button that removes it. */
function chip({ text, value = '' }: Option, remove: () => void) {
  return html`
    <span class="chip" data-chip=${value}>
      <span class="chip-words">${plainNode(text)}</span>
      <button type="button" aria-label="Remove ${renderPlainText(text)}" onClick=${remove}>
        ${icon(ICONS.close)}
      </button>
    </span>`;
}

type OptionsProps = {
  readonly id: string;
  readonly list: OptionList | null;
  readonly box: { readonly current: HTMLElement | null };
  readonly isMulti: boolean;
  readonly marked: number;
  readonly isChosen: (option: Option) => boolean;
  readonly choose: (option: Option) => void;
};

/** The open list: options in groups, one of them marked for the keyboard. */
function Options({ id, list, box, isMulti, marked, isChosen, choose }: OptionsProps) {
  const popover = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current } = popover;
    if (!current || !box.current || list === null) return;
    if (!current.matches(':popover-open')) current.showPopover();
    current.style.minWidth = `${box.current.getBoundingClientRect().width}px`;
    return keepBeside(current, box.current);
  }, [list]);
  useLayoutEffect(() => {
    if (list === null && popover.current?.matches(':popover-open')) popover.current.hidePopover();
    popover.current?.querySelector('[data-marked]')?.scrollIntoView({ block: 'nearest' });
  }, [list, marked]);
  let at = -1;
  const row = (option: Option) => {
    at += 1;
    return html`
      <div
        id="${id}-${at}"
        class="option"
        role="option"
        data-value=${option.value ?? ''}
        data-marked=${at === marked ? '' : undefined}
        aria-selected=${isChosen(option)}
        onClick=${() => choose(option)}
      >
        <span class="option-words">
          ${plainNode(option.text)}
          ${option.description && html`<small>${plainNode(option.description)}</small>`}
        </span>
      </div>`;
  };
  const group = ({ label, options }: Group) => {
    if (label === undefined || options.length === 0) return options.map(row);
    return html`
      <div role="group" aria-label=${label}>
        <div class="options-label" aria-hidden="true">${label}</div>
        ${options.map(row)}
      </div>`;
  };
  const groups = list?.groups.map(group);
  return html`
    <div
      id=${id}
      ref=${popover}
      class="options"
      role="listbox"
      popover="manual"
      aria-label="Options"
      aria-multiselectable=${isMulti ? 'true' : undefined}
      onPointerDown=${(event: PointerEvent) => event.preventDefault()}
    >
      ${groups}
      ${list && at < 0 && html`<p class="options-note">${list.nothing ?? 'No results'}</p>`}
    </div>`;
}

/** Slack's own pause between keystrokes is not published; this one feels immediate and spares the bot. */
const PAUSE_MS = 120;
/** Slack's default for `min_query_length` (docs.slack.dev, select menu of external data source). */
const MIN_LETTERS = 3;

/** Shows the options for what was typed, at once or later, once or several times. */
async function optionsFor(
  { element, slot, surface }: ElementProps,
  query: string,
  answer: { readonly isNewest: () => boolean; readonly show: (shown: OptionList) => void },
) {
  if (!element.type.endsWith('external_select')) return answer.show(ownOptions(element, query));
  const fewest = element.min_query_length ?? MIN_LETTERS;
  if (query.length < fewest) return answer.show({ groups: [], nothing: lettersWanted(fewest) });
  await new Promise((resolve) => setTimeout(resolve, query === '' ? 0 : PAUSE_MS));
  if (!answer.isNewest()) return;
  answer.show({ groups: [], nothing: 'Loading…' });
  await reportValues(surface);
  const request = { action_id: element.action_id ?? '', block_id: slot.blockId, value: query };
  const { options, error } = await surface.suggest(request);
  const nothing = error ? `Couldn’t load options: ${error}` : 'No results';
  if (answer.isNewest()) answer.show({ groups: [{ options }], nothing });
}

const lettersWanted = (fewest: number) =>
  fewest === 1 ? 'Type to search.' : `Type at least ${fewest} characters to search.`;

/** The element's options whose text contains what was typed. */
function ownOptions(
  { options = [], option_groups = [] }: ElementProps['element'],
  query: string,
): OptionList {
  const typed = query.trim().toLowerCase();
  const isWanted = ({ text }: Option) => renderPlainText(text).toLowerCase().includes(typed);
  const groups = option_groups.map((each) => ({ ...each, label: renderPlainText(each.label) }));
  return {
    groups: [{ options }, ...groups].map((each) => ({ ...each, options: each.options.filter(isWanted) })),
  };
}
