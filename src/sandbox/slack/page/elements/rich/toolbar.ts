/** The buttons above a rich text field. */
import { h } from '../../dom/dom.ts';
import { toggleCode } from './toggle-code.ts';

const command =
  (name: string, value = '') =>
  () =>
    void document.execCommand(name, false, value);

const TOOLS: readonly {
  words: string;
  sign: string;
  look?: string;
  key?: string;
  act: (field: HTMLElement) => void;
}[] = [
  { words: 'Bold', sign: 'B', look: 'sign-bold', key: 'b', act: command('bold') },
  { words: 'Italic', sign: 'I', look: 'sign-italic', key: 'i', act: command('italic') },
  { words: 'Strikethrough', sign: 'S', look: 'sign-strike', act: command('strikeThrough') },
  { words: 'Ordered list', sign: '1.', act: command('insertOrderedList') },
  { words: 'Bulleted list', sign: '•', act: command('insertUnorderedList') },
  { words: 'Blockquote', sign: '❝', act: command('formatBlock', 'blockquote') },
  { words: 'Code', sign: '</>', look: 'sign-code', key: 'e', act: (field) => toggleCode(field) },
  { words: 'Code block', sign: '{ }', look: 'sign-code', act: command('formatBlock', 'pre') },
];

export function createToolbar(field: HTMLElement) {
  const buttons = TOOLS.map(({ words, sign, look, act }) => {
    const button = h(
      'button',
      { type: 'button', class: `rich-tool ${look ?? ''}`.trim(), title: words, 'aria-label': words },
      sign,
    );
    // On pointerdown, because a click would clear the selection in the field.
    button.addEventListener('pointerdown', (event) => event.preventDefault());
    button.addEventListener('click', () => {
      field.focus();
      act(field);
    });
    return button;
  });
  return h(
    'div',
    { class: 'rich-toolbar', role: 'toolbar', 'aria-label': 'Formatting', 'aria-controls': field.id },
    ...buttons,
  );
}

/** Ctrl or Cmd with a tool's letter. */
export function onShortcut(event: KeyboardEvent) {
  const tool = event.ctrlKey || event.metaKey ? TOOLS.find(({ key }) => key === event.key) : undefined;
  if (!tool || !(event.currentTarget instanceof HTMLElement)) return false;
  event.preventDefault();
  tool.act(event.currentTarget);
  return true;
}
