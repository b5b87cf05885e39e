/** Every type of element with its component; menus have a file of their own. */

import { renderUnsupported, useNewId } from '../kit.ts';
import { html, useRef } from '../preact.ts';
import { plainNode } from '../text/mrkdwn.ts';
import type { Option } from '../types.ts';
import { type ElementProps, elementAttributes, enteredIn, useAction, useField } from './fields.ts';
import { Menu } from './menu.ts';

const COMPONENTS: ReadonlyMap<string, unknown> = new Map(
  Object.entries({
    button: Button,
    checkboxes: Choices,
    external_select: Menu,
    multi_external_select: Menu,
    multi_static_select: Menu,
    plain_text_input: TextInput,
    radio_buttons: Choices,
    static_select: Menu,
    timepicker: TimeInput,
  }),
);

export function renderElement(props: ElementProps) {
  const { element, slot } = props;
  const component = COMPONENTS.get(element.type);
  const key = `${slot.blockId} ${element.action_id} ${element.type}`;
  return component ? html`<${component} key=${key} ...${props} />` : renderUnsupported('element', element);
}

function Button(props: ElementProps) {
  const { style = '', text } = props.element;
  const { act, isBusy } = useAction(props);
  return html`
    <button
      ...${elementAttributes(props)}
      type="button"
      class=${`button ${style}`.trim()}
      aria-busy=${isBusy}
      onClick=${() => act()}
    >
      <span class="button-words">${plainNode(text)}</span>
    </button>`;
}

function Choices(props: ElementProps) {
  const { options = [], initial_option, initial_options, type } = props.element;
  const isRadio = type === 'radio_buttons';
  const name = useNewId('choice');
  const { act, isBusy } = useAction(props);
  const all = options.map((option) => option.value ?? '');
  const first = initial_options ?? (initial_option ? [initial_option] : []);
  const initial = first.map((option) => option.value ?? '');
  const { held, enter, value } = useField(props, initial, (values) => {
    const chosen = all.filter((each) => values.includes(each));
    return isRadio ? (chosen[0] ?? null) : chosen;
  });
  const choose = (one: string) => {
    const toggled = held.includes(one) ? held.filter((each) => each !== one) : [...held, one];
    enter(isRadio ? [one] : toggled);
    act(value());
  };
  const row = ({ value: one = '', text, description }: Option) => html`
    <label>
      <input
        type=${isRadio ? 'radio' : 'checkbox'}
        name=${name}
        value=${one}
        checked=${held.includes(one)}
        onChange=${() => choose(one)}
      />
      <span>${plainNode(text)}${description && html`<small>${plainNode(description)}</small>`}</span>
    </label>`;
  return html`
    <div
      ...${elementAttributes(props)}
      class="choices"
      role=${isRadio ? 'radiogroup' : 'group'}
      aria-busy=${isBusy}
    >
      ${options.map(row)}
    </div>`;
}

/** The browser's own field, whose value already has Slack's form, `HH:MM`. */
function TimeInput(props: ElementProps) {
  const input = useRef<HTMLInputElement>(null);
  const { held, enter } = useField(
    props,
    props.element.initial_time ?? '',
    (time) => (time === '' ? null : time),
    () => (input.current?.validity.valid === false ? 'Please enter a valid time.' : null),
  );
  return html`
    <input
      ...${elementAttributes(props)}
      ref=${input}
      type="time"
      class="text-input time-input"
      title="Select a time"
      value=${held}
      onInput=${(event: InputEvent) => enter(enteredIn(event))}
    />`;
}

/** Slack's own limit of a plain text (docs.slack.dev, plain-text input). */
const MAX_LENGTH = 3000;

function TextInput(props: ElementProps) {
  const { element, slot } = props;
  const { multiline = false, max_length, initial_value = '' } = element;
  const { act, isBusy } = useAction(props);
  // Slack’s client checks it before the app gets it; its exact text is not published.
  const longest = max_length ?? MAX_LENGTH;
  const faultOf = ({ length }: string) =>
    length > longest ? `Please enter at most ${longest} characters.` : null;
  const { held, enter } = useField(props, initial_value, (text) => (text === '' ? null : text), faultOf);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !slot.dispatches) return;
    event.preventDefault();
    slot.fail(faultOf(held));
    if (faultOf(held) === null) act(held);
  };
  const left = longest - held.length;
  const attributes = {
    ...elementAttributes(props),
    class: 'text-input',
    value: held,
    'aria-busy': isBusy,
    onKeyDown,
    onInput: (event: InputEvent) => enter(enteredIn(event)),
  };
  const field = multiline
    ? html`<textarea ...${attributes} rows="4" />`
    : html`<input ...${attributes} type="text" autocomplete="off" />`;
  const counter = html`<span class=${left < 0 ? 'counter over' : 'counter'} aria-live="polite">${left}</span>`;
  return html`
    <div class="written">
      ${field}
      ${max_length !== undefined && counter}
      ${slot.dispatches && html`<p class="field-hint"><kbd>Enter</kbd> to submit</p>`}
    </div>`;
}
