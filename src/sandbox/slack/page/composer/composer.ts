/** The composer for slash commands and messages. Errors are shown below it, as in Slack. */

import { h, ICONS, icon, newId } from '../dom/dom.ts';
import type { ControlAnswer, ManifestCommand } from '../types.ts';
import { createCompletion } from './completion.ts';
import type { Named } from './mention-completion.ts';

/** An answer within this time needs no waiting notice. */
const PATIENCE_MS = 400;

type ComposerOptions = {
  readonly label: string;
  readonly commands: () => readonly ManifestCommand[];
  readonly names: () => readonly Named[];
  readonly send: (line: string) => Promise<ControlAnswer & { what: string }>;
  /** Invites the app to the channel. */
  readonly invite: () => Promise<ControlAnswer>;
  readonly openShortcuts?: (anchor: HTMLElement) => void;
};

export function createComposer(
  root: HTMLElement,
  { label, commands, names, send, invite, openShortcuts }: ComposerOptions,
) {
  const { field, form, status, failure, list, tip } = build(root, label);
  const completion = createCompletion(field, list, tip, { commands, names });
  const history = createHistory();
  /** Unsent drafts by channel. */
  const drafts = new Map<string, string>();
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
    if (answer.offers_invite === true && channelKey === from) offerInvite(status, invite);
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
    /** Starts a line for the person to finish. */
    begin(line: string) {
      field.value = line;
      field.focus();
      completion.update();
    },
    setPlaceholder(placeholder: string) {
      field.placeholder = placeholder;
      field.setAttribute('aria-label', placeholder);
    },
    /** Every channel has its own draft. */
    goTo(next: string) {
      drafts.set(channelKey, field.value);
      channelKey = next;
      field.value = drafts.get(next) ?? '';
      status.textContent = '';
      failure.textContent = '';
      completion.close();
    },
  };
}

function shortcutsButton(openShortcuts: (anchor: HTMLElement) => void) {
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

/** As Slack offers it to whoever mentions somebody who is no member. */
function offerInvite(status: HTMLElement, invite: ComposerOptions['invite']) {
  const yes = h('button', { type: 'button', class: 'link-button', 'data-invite': '' }, 'Invite Them');
  const no = h('button', { type: 'button', class: 'link-button' }, 'Do Nothing');
  status.replaceChildren('You mentioned @Patchbay, but they’re not in this channel. ', yes, ' ', no);
  no.addEventListener('click', () => status.replaceChildren());
  yes.addEventListener('click', async () => {
    const answer = await invite();
    status.textContent = answer.ok ? '' : `The invitation failed with the error ${answer.error}`;
  });
}

/** The last sent line, for another try. */
function createHistory() {
  let last = '';
  return {
    last: () => last,
    add(line: string) {
      last = line;
    },
  };
}

function build(root: HTMLElement, label: string) {
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

function failureText({ what, error = 'unknown_error' }: ControlAnswer & { what: string }) {
  if (error === 'invalid_command') return `${what} is not a valid command.`;
  return `${what} failed with the error ${error}`;
}
