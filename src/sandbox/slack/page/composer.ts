/**
 * The composer for slash commands and messages, with completions for commands, their words, and names after @ and #.
 * Errors are shown below it, as in Slack.
 */

import type { Page } from './actions.ts';
import { ICONS, iconButton, useNewId } from './kit.ts';
import { openShortcuts } from './menus.ts';
import { html, useEffect, useLayoutEffect, useRef, useState } from './preact.ts';
import type { ControlAnswer, Drawn, ManifestCommand, State } from './types.ts';

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

type CompletionItem = {
  readonly line: string;
  readonly label: string;
  readonly about: string;
};

type Completions = {
  readonly suggestions: readonly CompletionItem[];
  /** What the command being written takes. */
  readonly hint: string | null;
  /** Where to read more than the hint says. */
  readonly tip: string | null;
  /** The line is the beginning of a command and none yet, so Enter completes it. */
  readonly isPartial: boolean;
};

const NO_COMPLETIONS: Completions = { suggestions: [], hint: null, tip: null, isPartial: false };

const HELP = 'help';

/** `line`: the text before the cursor. */
function completionsFor(line: string, commands: readonly ManifestCommand[]): Completions {
  const [, word = '', space, part = '', more] = /^(\/\S*)(?:(\s+)(\S*)(\s[\s\S]*)?)?$/.exec(line) ?? [];
  if (word === '') return NO_COMPLETIONS;
  if (space === undefined) return commandHelp(word, commands);
  const command = commands.find((each) => each.command === word);
  if (!command) return NO_COMPLETIONS;
  const usages = parseUsageHint(command.usageHint);
  const tip = tipFor(command, usages, part.toLowerCase());
  // While a subcommand's arguments are typed, its usage stays visible.
  if (more !== undefined) return { ...NO_COMPLETIONS, hint: usageOf(command, usages, part), tip };
  return { suggestions: wordsFor(command, usages, part), hint: hintOf(command), tip, isPartial: false };
}

function commandHelp(word: string, commands: readonly ManifestCommand[]): Completions {
  const fitting = commands.filter(({ command }) => command.startsWith(word));
  const suggestions = fitting.map(({ command, usageHint, description }) => ({
    line: `${command} `,
    label: command,
    about: [usageHint, description].filter((each) => each !== '').join(' — '),
  }));
  const isPartial = fitting.length > 0 && !commands.some(({ command }) => command === word);
  return { suggestions, hint: null, tip: null, isPartial };
}

function wordsFor(
  { command }: ManifestCommand,
  usages: readonly UsageWord[],
  part: string,
): readonly CompletionItem[] {
  const fitting = usages.filter(({ word }) => word.startsWith(part.toLowerCase()));
  return fitting.map(({ word, rest }) => ({
    line: `${command} ${word} `,
    label: `${command} ${word}`,
    about: rest,
  }));
}

/**
 * Slack shows only the manifest's text for a command, so the tip points to the command's own help where the hint lists
 * `help`. `part`: the subcommand, in lower case.
 */
function tipFor({ command }: ManifestCommand, usages: readonly UsageWord[], part: string) {
  const has = (name: string) => usages.some(({ word }) => word === name);
  if (!has(HELP) || part === HELP) return null;
  if (has(part)) return `Type ${command} ${HELP} ${part} for usage`;
  const isUnknown = !usages.some(({ word }) => word.startsWith(part));
  return isUnknown ? `Type ${command} ${HELP} to see all commands` : null;
}

function usageOf({ command }: ManifestCommand, usages: readonly UsageWord[], sub: string) {
  const usage = usages.find(({ word }) => word === sub.toLowerCase());
  return usage && usage.rest !== '' ? `${command} ${usage.word} ${usage.rest}` : null;
}

const hintOf = ({ command, usageHint, description }: ManifestCommand) =>
  `${command} ${usageHint || description}`.trim();

type Named = { sign: '@' | '#'; name: string; about: string };

const BOT_HANDLE = 'patchbay';
const MAX_ROWS = 8;

/** All names in the workspace that this person may know. */
function mentionableNames({
  world,
  conversations,
}: Pick<State, 'world' | 'conversations'>): readonly Named[] {
  const own = conversations.filter(({ kind }) => kind === 'private');
  return [
    ...(world?.users ?? []).map(({ name, role }) => named('@', name, role)),
    named('@', BOT_HANDLE, 'app'),
    ...(world?.userGroups ?? []).map(({ handle }) => named('@', handle, 'group')),
    ...[...(world?.channels ?? []), ...own].map(({ name }) => named('#', name, '')),
  ];
}

const named = (sign: Named['sign'], name: string, about: string): Named => ({ sign, name, about });

/** `line`: the text before the cursor. Null where no name is being typed. */
function mentionCompletions(line: string, names: readonly Named[]): Completions | null {
  const [, sign, part = ''] = /(?:^|[\s(])([@#])([\w.-]*)$/.exec(line) ?? [];
  const fitting = names.filter((each) => each.sign === sign && each.name.startsWith(part.toLowerCase()));
  const isWhole = fitting.some(({ name }) => name === part.toLowerCase());
  if (fitting.length === 0 || (isWhole && fitting.length === 1)) return null;
  const before = line.slice(0, line.length - part.length);
  const suggestions = fitting
    .slice(0, MAX_ROWS)
    .map(({ name, about }) => ({ line: `${before}${name} `, label: `${sign}${name}`, about }));
  return { suggestions, hint: null, tip: null, isPartial: part !== '' && !isWhole };
}

type UsageWord = {
  /** The subcommand, such as `device`. */
  readonly word: string;
  /** What follows it, such as `<name>`. */
  readonly rest: string;
};

/**
 * Reads `device <name> | devices [filter] | help` as well as `[device|devices|help] …`. Anything but a plain word (a
 * placeholder, an ellipsis) suggests nothing.
 */
export function parseUsageHint(hint: string): readonly UsageWord[] {
  const { body, tail } = unwrapped(hint.trim());
  return alternatives(body).flatMap((part) => {
    const match = /^([a-z][a-z0-9-]*)(?:\s+(.*))?$/i.exec(part.trim());
    return match ? [{ word: match[1] ?? '', rest: match[2] ?? tail }] : [];
  });
}

/** Removes the brackets around a list of alternatives. */
function unwrapped(hint: string) {
  const match = /^[[({<]([^[\](){}<>]*\|[^[\](){}<>]*)[\])}>]\s*(.*)$/.exec(hint);
  return match ? { body: match[1] ?? '', tail: match[2] ?? '' } : { body: hint, tail: '' };
}

/** Splits at `|`, except inside brackets. */
function alternatives(text: string) {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if ('[({<'.includes(letter)) depth += 1;
    if ('])}>'.includes(letter)) depth -= 1;
    if (letter === '|' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${letter}`);
  }
  return parts;
}
