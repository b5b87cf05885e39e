/** Files: uploaded to the workspace when they are chosen; the form holds their ids. */
/** @import { Element, FieldSnapshot, SharedFile, ElementSlot, RenderContext } from '../types.d.ts' */
import { h, ICONS, icon } from '../dom/dom.js';
import { clearFailure, elementAttributes, showErrorText } from './dispatch-action.js';
import { markTouched, registerField } from './field-values.js';

/** docs.slack.dev, file input: 10 files unless `max_files` says fewer. */
const MAX_FILES = 10;

/**
 * @param {Element} element
 * @param {ElementSlot} slot
 * @param {RenderContext} surface
 */
export function renderFileInput(element, slot, surface) {
  const most = element.max_files ?? MAX_FILES;
  const input = h('input', {
    ...elementAttributes(element, slot),
    type: 'file',
    class: 'file-control',
    multiple: most > 1,
    accept: (element.filetypes ?? []).map((type) => `.${type}`).join(',') || null,
  });
  const list = h('ul', { class: 'file-list' });
  /** @type {readonly SharedFile[]} */
  let files = [];
  /** @param {readonly SharedFile[]} now */
  const set = (now) => {
    files = now;
    const remove = (/** @type {SharedFile} */ file) => {
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
    /** @param {FieldSnapshot} state */
    restore: ({ files: restored = [] }) => set(restored),
  });
  return h(
    'div',
    { class: 'file-input' },
    list,
    h('label', { class: 'button file-button' }, input, 'Add files'),
  );
}

/**
 * @param {File} file
 * @param {readonly string[] | undefined} types
 */
const isWanted = (file, types) =>
  types === undefined || types.some((type) => file.name.toLowerCase().endsWith(`.${type.toLowerCase()}`));

/**
 * @param {SharedFile} file
 * @param {() => void} remove
 */
function row({ name }, remove) {
  return h(
    'li',
    {},
    h('span', { class: 'file-name' }, name),
    h('button', { type: 'button', 'aria-label': `Remove ${name}`, click: remove }, icon(ICONS.close)),
  );
}
