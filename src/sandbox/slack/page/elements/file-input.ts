/** Files: uploaded to the workspace when they are chosen; the form holds their ids. */

import { h, ICONS, icon } from '../dom/dom.ts';
import type { Element, ElementSlot, FieldSnapshot, RenderContext, SharedFile } from '../types.ts';
import { clearFailure, elementAttributes, showErrorText } from './dispatch-action.ts';
import { markTouched, registerField } from './field-values.ts';

/** docs.slack.dev, file input: 10 files unless `max_files` says fewer. */
const MAX_FILES = 10;

export function renderFileInput(element: Element, slot: ElementSlot, surface: RenderContext) {
  const most = element.max_files ?? MAX_FILES;
  const input = h('input', {
    ...elementAttributes(element, slot),
    type: 'file',
    class: 'file-control',
    multiple: most > 1,
    accept: (element.filetypes ?? []).map((type) => `.${type}`).join(',') || null,
  });
  const list = h('ul', { class: 'file-list' });
  let files: readonly SharedFile[] = [];
  const set = (now: readonly SharedFile[]) => {
    files = now;
    const remove = (file: SharedFile) => {
      markTouched(input);
      set(files.filter(({ id }) => id !== file.id));
    };
    list.replaceChildren(...files.map((file) => row(file, () => remove(file))));
  };
  input.addEventListener('change', async () => {
    const pickedFiles = [...(input.files ?? [])];
    input.value = '';
    clearFailure(input);
    const stray = pickedFiles.find((file) => !isWanted(file, element.filetypes));
    if (stray)
      return showErrorText(
        input,
        `${stray.name} isn’t an allowed file type. Allowed: ${element.filetypes?.join(', ')}.`,
      );
    if (files.length + pickedFiles.length > most)
      return showErrorText(input, `You can add up to ${most} files.`);
    input.setAttribute('aria-busy', 'true');
    for (const file of pickedFiles) {
      const answer = await surface.upload(file);
      if (answer.ok && answer.file) set([...files, answer.file]);
      else showErrorText(input, `Couldn’t upload ${file.name}: ${answer.error ?? 'unknown_error'}`);
    }
    input.removeAttribute('aria-busy');
  });
  registerField(input, {
    value: () => files.map(({ id }) => id),
    state: () => ({ files }),
    restore: ({ files: restored = [] }: FieldSnapshot) => set(restored),
  });
  return h(
    'div',
    { class: 'file-input' },
    list,
    h('label', { class: 'button file-button' }, input, 'Add files'),
  );
}

const isWanted = (file: File, types: readonly string[] | undefined) =>
  types === undefined || types.some((type) => file.name.toLowerCase().endsWith(`.${type.toLowerCase()}`));

function row({ name }: SharedFile, remove: () => void) {
  return h(
    'li',
    {},
    h('span', { class: 'file-name' }, name),
    h('button', { type: 'button', 'aria-label': `Remove ${name}`, click: remove }, icon(ICONS.close)),
  );
}
