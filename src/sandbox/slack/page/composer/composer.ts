/** The composer for slash commands and messages. Errors are shown below it, as in Slack. */

import { ICONS, iconButton, useNewId } from '../kit.ts';
import { openShortcuts } from '../menus.ts';
import type { Page } from '../page.ts';
import { html, useEffect, useLayoutEffect, useRef, useState } from '../preact.ts';
import type { ControlAnswer, Drawn, ManifestCommand } from '../types.ts';
import {
  type Completions,
  completionsFor,
  mentionableNames,
  mentionCompletions,
  NO_COMPLETIONS,
} from './completions.ts';

/** An answer within this time needs no waiting notice. */
const PATIENCE_MS = 400;

type ComposerProps = {
  readonly page: Page;
  readonly label: string;
  /** Each place has its own draft. */
  readonly place: string;
  readonly commands: readonly ManifestCommand[];
  readonly send: (line: string) => Promise<ControlAnswer & { readonly what: string }>;
  readonly hasShortcuts?: boolean;
};

export function Composer({ page, label, place, commands, send, hasShortcuts = false }: ComposerProps) {
  const input = useRef<HTMLTextAreaElement>(null);
  const drafts = useRef(new Map<string, string>()).current;
  const here = useRef('');
  const lastLine = useRef('');
  const [status, setStatus] = useState<Drawn>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const completion = useCompletion(page, commands, input);
  const tipId = useNewId('tip');

  useLayoutEffect(() => {
    const { current: field } = input;
    if (!field) return;
    drafts.set(here.current, field.value);
    here.current = place;
    field.value = drafts.get(place) ?? '';
    setStatus(null);
    setFailure(null);
    completion.close();
  }, [place]);
  // They are shown at once to somebody who is typing.
  useEffect(() => {
    if (document.activeElement === input.current) completion.update();
  }, [commands]);

  const submit = async () => {
    const { current: field } = input;
    const line = field?.value.trim() ?? '';
    if (!field || line === '') return;
    field.value = '';
    completion.update();
    setFailure(null);
    lastLine.current = line;
    const waiting = setTimeout(() => setStatus('Waiting for an answer…'), PATIENCE_MS);
    const from = here.current;
    const answer = await send(line);
    clearTimeout(waiting);
    const isElsewhere = here.current !== from;
    setStatus(answer.offers_invite === true && !isElsewhere ? invitation() : null);
    if (answer.ok) return;
    // A failure and the draft belong to the place from which it was sent.
    if (isElsewhere) drafts.set(from, line);
    else {
      setFailure(failureText(answer));
      field.value ||= line;
    }
  };
  /** As Slack offers it to whoever mentions somebody who is no member. */
  const invitation = () => {
    const invite = async () => {
      const { ok, error } = await page.actions.invite();
      setStatus(ok ? null : `The invitation failed with the error ${error}`);
    };
    return html`
      You mentioned @Patchbay, but they’re not in this channel.${' '}
      ${linkButton('Invite Them', { 'data-invite': '', onClick: () => void invite() })}${' '}
      ${linkButton('Do Nothing', { onClick: () => setStatus(null) })}`;
  };
  /** Starts a line for the person to finish. */
  const begin = (line: string) => {
    if (!input.current) return;
    input.current.value = line;
    input.current.focus();
    completion.update();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { current: field } = input;
    const isSent = event.key === 'Enter' && !event.shiftKey && !event.isComposing;
    if (completion.takesKey(event)) event.preventDefault();
    else if (isSent) {
      event.preventDefault();
      void submit();
    } else if (event.key === 'ArrowUp' && field?.value === '') {
      event.preventDefault();
      field.value = lastLine.current;
    }
  };
  const onSubmit = (event: Event) => {
    event.preventDefault();
    void submit();
  };
  const shortcuts = {
    'data-shortcuts': '',
    'aria-haspopup': 'menu',
    'aria-expanded': 'false',
    onClick({ currentTarget }: Event) {
      if (currentTarget instanceof HTMLElement) openShortcuts(page, currentTarget, begin);
    },
  };
  return html`
    ${completion.drawn}
    <form class="composer-box" onSubmit=${onSubmit}>
      ${hasShortcuts && iconButton('tool', 'Shortcuts and commands', ICONS.bolt, shortcuts)}
      <textarea
        ref=${input}
        class="composer-field"
        rows="1"
        placeholder=${label}
        aria-label=${label}
        aria-describedby=${tipId}
        data-composer=""
        autocomplete="off"
        autocapitalize="off"
        spellcheck=${false}
        enterkeyhint="send"
        ...${completion.attributes}
        onKeyDown=${onKeyDown}
      />
      <button type="submit" class="send" aria-label="Send">Send</button>
    </form>
    <p id=${tipId} class="composer-tip">${completion.tip}</p>
    <p class="composer-status" role="status">${status}</p>
    <p class="composer-failure" role="alert">${failure}</p>`;
}

const linkButton = (words: string, attributes: object) =>
  html`<button type="button" class="link-button" ...${attributes}>${words}</button>`;

function failureText({ what, error = 'unknown_error' }: ControlAnswer & { readonly what: string }) {
  if (error === 'invalid_command') return `${what} is not a valid command.`;
  return `${what} failed with the error ${error}`;
}

/** The list above the composer (arrows select, Tab accepts, Escape closes) and the hints around it. */
function useCompletion(
  { store }: Page,
  commands: readonly ManifestCommand[],
  input: { readonly current: HTMLTextAreaElement | null },
) {
  const [{ help, chosen }, set] = useState({ help: NO_COMPLETIONS, chosen: -1 });
  const id = useNewId('completion');
  const { suggestions, hint, tip, isPartial } = help;
  const isOpen = suggestions.length > 0;
  const chosenRow = useRef<HTMLElement>(null);
  useLayoutEffect(() => chosenRow.current?.scrollIntoView({ block: 'nearest' }), [chosen]);

  const update = () => set({ help: input.current ? helpFor(input.current) : NO_COMPLETIONS, chosen: -1 });
  const helpFor = ({ value, selectionStart }: HTMLTextAreaElement): Completions => {
    const before = value.slice(0, selectionStart);
    const names = before.startsWith('/') ? null : mentionCompletions(before, mentionableNames(store.get()));
    return names ?? completionsFor(value, commands);
  };
  const close = () => set({ help: NO_COMPLETIONS, chosen: -1 });
  const take = (at: number) => {
    const { current: field } = input;
    const suggestion = suggestions[at];
    if (!suggestion || !field) return;
    // A command replaces the whole line; after a name the rest of the line stays.
    const rest = suggestion.line.startsWith('/') ? '' : field.value.slice(field.selectionStart);
    field.value = `${suggestion.line}${rest.trimStart()}`;
    field.setSelectionRange(suggestion.line.length, suggestion.line.length);
    field.focus();
    update();
  };
  const move = (step: number) => {
    const count = suggestions.length;
    set({ help, chosen: chosen < 0 && step < 0 ? count - 1 : (chosen + step + count) % count });
  };
  /** Whether the key was for the list. */
  const takesKey = ({ key, shiftKey }: KeyboardEvent) => {
    if (!isOpen) return false;
    if (key === 'ArrowDown') move(1);
    else if (key === 'ArrowUp') move(-1);
    else if (key === 'Tab' && !shiftKey) take(Math.max(chosen, 0));
    else if (key === 'Enter' && (chosen >= 0 || isPartial)) take(Math.max(chosen, 0));
    else if (key === 'Escape') close();
    else return false;
    return true;
  };
  // On pointerdown, because before a click the field would lose focus and close the list.
  const row = ({ label, about }: (typeof suggestions)[number], at: number) => html`
    <li
      id="${id}-${at}"
      ref=${at === chosen ? chosenRow : undefined}
      role="option"
      aria-selected=${at === chosen}
      data-completion=${label}
      onPointerDown=${(event: Event) => event.preventDefault()}
      onClick=${() => take(at)}
    >
      <b>${label}</b>${' '}<span>${about}</span>
    </li>`;
  const drawn = html`
    <div class="completion" hidden=${!isOpen && hint === null}>
      <ul id=${id} class="completion-list" role="listbox" aria-label="Suggestions" hidden=${!isOpen}>
        ${suggestions.map(row)}
      </ul>
      <p class="completion-hint" hidden=${hint === null}>${hint}</p>
    </div>`;
  const attributes = {
    role: 'combobox',
    'aria-autocomplete': 'list',
    'aria-controls': id,
    'aria-expanded': isOpen,
    'aria-activedescendant': chosen < 0 ? undefined : `${id}-${chosen}`,
    onInput: update,
    onFocus: update,
    onBlur: close,
  };
  return { drawn, attributes, tip, update, close, takesKey };
}
