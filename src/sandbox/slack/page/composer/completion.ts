/** The list above the composer (arrows select, Tab accepts, Escape closes) and the hint below it. */

import { h, newId } from '../dom/dom.ts';
import type { ManifestCommand } from '../types.ts';
import { type Completions, completionsFor, NO_COMPLETIONS } from './command-completion.ts';
import { mentionCompletions, type Named } from './mention-completion.ts';

export function createCompletion(
  field: HTMLTextAreaElement,
  popup: HTMLElement,
  tip: HTMLElement,
  { commands, names }: { commands: () => readonly ManifestCommand[]; names: () => readonly Named[] },
) {
  const list = h('ul', {
    id: newId('completion'),
    class: 'completion-list',
    role: 'listbox',
    'aria-label': 'Suggestions',
  });
  const hint = h('p', { class: 'completion-hint' });
  popup.append(list, hint);
  field.setAttribute('aria-controls', list.id);
  let help = NO_COMPLETIONS;
  let chosen = -1;

  const draw = () => {
    list.replaceChildren(...help.suggestions.map((each, at) => row(each, at === chosen, () => take(at))));
    hint.textContent = help.hint ?? '';
    hint.hidden = help.hint === null;
    tip.textContent = help.tip ?? '';
    list.hidden = help.suggestions.length === 0;
    popup.hidden = list.hidden && hint.hidden;
    field.setAttribute('aria-expanded', String(!list.hidden));
    const active = list.children[chosen];
    if (active) field.setAttribute('aria-activedescendant', active.id);
    else field.removeAttribute('aria-activedescendant');
    active?.scrollIntoView({ block: 'nearest' });
  };
  const helpHere = () => {
    const before = field.value.slice(0, field.selectionStart);
    return (
      (before.startsWith('/') ? null : mentionCompletions(before, names())) ??
      completionsFor(field.value, commands())
    );
  };
  const update = () => {
    help = helpHere();
    chosen = -1;
    draw();
  };
  const close = () => {
    help = NO_COMPLETIONS;
    draw();
  };
  const take = (at: number) => {
    const suggestion = help.suggestions[at];
    if (!suggestion) return;
    // A command replaces the whole line; after a name the rest of the line stays.
    const rest = suggestion.line.startsWith('/') ? '' : field.value.slice(field.selectionStart);
    field.value = `${suggestion.line}${rest.trimStart()}`;
    field.setSelectionRange(suggestion.line.length, suggestion.line.length);
    field.focus();
    update();
  };
  const move = (step: number) => {
    const count = help.suggestions.length;
    chosen = chosen < 0 && step < 0 ? count - 1 : (chosen + step + count) % count;
    draw();
  };
  field.addEventListener('input', update);
  field.addEventListener('focus', update);
  field.addEventListener('blur', close);
  close();
  return {
    close,
    update,
    /** Whether the key was for the list. */
    takesKey: (event: KeyboardEvent): boolean =>
      onKey(event, { isOpen: !list.hidden, chosen, help, move, take, close }),
  };
}

type CompletionParts = {
  readonly isOpen: boolean;
  readonly chosen: number;
  readonly help: Completions;
  readonly move: (step: number) => void;
  readonly take: (at: number) => void;
  readonly close: () => void;
};

function onKey(
  { key, shiftKey }: KeyboardEvent,
  { isOpen, chosen, help, move, take, close }: CompletionParts,
) {
  if (!isOpen) return false;
  if (key === 'ArrowDown') move(1);
  else if (key === 'ArrowUp') move(-1);
  else if (key === 'Tab' && !shiftKey) take(Math.max(chosen, 0));
  else if (key === 'Enter' && (chosen >= 0 || help.isPartial)) take(Math.max(chosen, 0));
  else if (key === 'Escape') close();
  else return false;
  return true;
}

function row({ label, about }: { label: string; about: string }, isChosen: boolean, take: () => void) {
  const attributes = { id: newId('completion-row'), role: 'option', 'aria-selected': String(isChosen) };
  const node = h(
    'li',
    { ...attributes, 'data-completion': label },
    h('b', {}, label),
    ' ',
    h('span', {}, about),
  );
  // On pointerdown, because before a click the field would lose focus and close the list.
  node.addEventListener('pointerdown', (event) => event.preventDefault());
  node.addEventListener('click', take);
  return node;
}
