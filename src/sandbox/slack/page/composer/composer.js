/** The composer for slash commands and messages. Errors are shown below it, as in Slack. */
/** @import { ControlAnswer, ManifestCommand } from '../types.d.ts' */
/** @import { Named } from './mention-completion.js' */
import { h, ICONS, icon, newId } from '../dom/dom.js';
import { createCompletion } from './completion.js';

/** An answer within this time needs no waiting notice. */
const PATIENCE_MS = 400;

/**
 * @param {HTMLElement} root
 * @param {{label: string, commands: () => readonly ManifestCommand[], names: () => readonly Named[], send: (line: string) => Promise<ControlAnswer & {what: string}>, openShortcuts?: (anchor: HTMLElement) => void}} options
 */
export function createComposer(root, { label, commands, names, send, openShortcuts }) {
  const { field, form, status, failure, list, tip } = build(root, label);
  const completion = createCompletion(field, list, tip, { commands, names });
  const history = createHistory();
  /** Unsent drafts by channel. @type {Map<string, string>} */
  const drafts = new Map();
  let channelKey = '';
  if (openShortcuts) form.prepend(shortcutsButton(openShortcuts));

  const submit = async () => {
    const line = field.value.trim();
    if (line === '') return;
    field.value = '';
    completion.update();
    failure.textContent = '';
    history.add(line);
    const waiting = setTimeout(() => {
      status.textContent = 'Waiting for an answer…';
    }, PATIENCE_MS);
    const from = channelKey;
    const answer = await send(line);
    clearTimeout(waiting);
    status.textContent = '';
    if (answer.ok) return;
    // A failure and the draft belong to the channel in which it was sent.
    if (channelKey !== from) {
      drafts.set(from, line);
      return;
    }
    failure.textContent = failureText(answer);
    if (field.value === '') field.value = line;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
  field.addEventListener('keydown', (event) => {
    if (completion.takesKey(event)) event.preventDefault();
    else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      void submit();
    } else if (event.key === 'ArrowUp' && field.value === '') {
      event.preventDefault();
      field.value = history.last();
    }
  });
  return {
    focus: () => field.focus(),
    /** The suggestions have changed; they are shown at once to somebody who is typing. */
    offersChanged() {
      if (document.activeElement === field) completion.update();
    },
    /** Starts a line for the person to finish. @param {string} line */
    begin(line) {
      field.value = line;
      field.focus();
      completion.update();
    },
    /** @param {string} placeholder */
    setPlaceholder(placeholder) {
      field.placeholder = placeholder;
      field.setAttribute('aria-label', placeholder);
    },
    /** Every channel has its own draft. @param {string} next */
    goTo(next) {
      drafts.set(channelKey, field.value);
      channelKey = next;
      field.value = drafts.get(next) ?? '';
      failure.textContent = '';
      completion.close();
    },
  };
}

/** @param {(anchor: HTMLElement) => void} openShortcuts */
function shortcutsButton(openShortcuts) {
  const attributes = { type: 'button', class: 'tool', title: 'Shortcuts and commands', 'data-shortcuts': '' };
  const button = h(
    'button',
    {
      ...attributes,
      'aria-label': 'Shortcuts and commands',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
    },
    icon(ICONS.bolt),
  );
  button.addEventListener('click', () => openShortcuts(button));
  return button;
}

/** The last sent line, for another try. */
function createHistory() {
  let last = '';
  return {
    last: () => last,
    /** @param {string} line */
    add(line) {
      last = line;
    },
  };
}

/**
 * @param {HTMLElement} root
 * @param {string} label
 */
function build(root, label) {
  const tip = h('p', { id: newId('tip'), class: 'composer-tip' });
  const field = h('textarea', {
    class: 'composer-field',
    rows: 1,
    role: 'combobox',
    'aria-label': label,
    'aria-autocomplete': 'list',
    'aria-expanded': 'false',
    'aria-describedby': tip.id,
    'data-composer': '',
    autocomplete: 'off',
    autocapitalize: 'off',
    spellcheck: 'false',
    enterkeyhint: 'send',
  });
  const button = h('button', { type: 'submit', class: 'send', 'aria-label': 'Send' }, 'Send');
  const status = h('p', { class: 'composer-status', role: 'status' });
  const failure = h('p', { class: 'composer-failure', role: 'alert' });
  const list = h('div', { class: 'completion', hidden: true });
  const form = h('form', { class: 'composer-box' }, field, button);
  root.append(list, form, tip, status, failure);
  return { field, form, status, failure, list, tip };
}

/** @param {ControlAnswer & {what: string}} answer */
function failureText({ what, error = 'unknown_error' }) {
  if (error === 'invalid_command') return `${what} is not a valid command.`;
  return `${what} failed with the error ${error}`;
}
