/** Files: handed to the workspace when they are chosen, and named by their ids in the form. */
/** @import { Element, FieldState, SharedFile, Slot, Surface } from '../types.d.ts' */
import { h, ICONS, icon } from '../dom.js';
import { giveField, touch } from './fields.js';
import { clearFailure, hooks, showWords } from './hooks.js';

/** docs.slack.dev, file input: 10 files unless `max_files` says fewer. */
const MOST_FILES = 10;

/**
 * @param {Element} element
 * @param {Slot} slot
 * @param {Surface} surface
 */
export function fileInput(element, slot, surface) {
  const most = element.max_files ?? MOST_FILES;
  const input = h('input', {
    ...hooks(element, slot),
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
      touch(input);
      set(files.filter(({ id }) => id !== file.id));
    };
    list.replaceChildren(...files.map((file) => row(file, () => remove(file))));
  };
  input.addEventListener('change', async () => {
    const given = [...(input.files ?? [])];
    input.value = '';
    clearFailure(input);
    const stray = given.find((file) => !isWanted(file, element.filetypes));
    if (stray)
      return showWords(
        input,
        `${stray.name} isn’t an allowed file type. Allowed: ${element.filetypes?.join(', ')}.`,
      );
    if (files.length + given.length > most) return showWords(input, `You can add up to ${most} files.`);
    input.setAttribute('aria-busy', 'true');
    for (const file of given) {
      const answer = await surface.upload(file);
      if (answer.ok && answer.file) set([...files, answer.file]);
      else showWords(input, `Couldn’t upload ${file.name}: ${answer.error ?? 'unknown_error'}`);
    }
    input.removeAttribute('aria-busy');
  });
  giveField(input, {
    value: () => files.map(({ id }) => id),
    state: () => ({ files }),
    /** @param {FieldState} state */
    restore: ({ files: kept = [] }) => set(kept),
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
