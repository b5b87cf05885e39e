/** Plans and tasks: the steps of what an app is doing. */
/** @import { Block, RenderContext } from '../types.d.ts' */
import { h, icon } from '../dom/dom.js';
import { renderLink } from '../text/link.js';
import { renderRichText } from '../text/rich-text.js';
import { plainNode } from '../text/text-object.js';

const RING = 'M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z';
/** @type {Readonly<Record<string, {words: string, drawing: string} | undefined>>} */
const TASK_STATUSES = {
  pending: { words: 'Pending', drawing: RING },
  in_progress: { words: 'In progress', drawing: 'M10 3.5a6.5 6.5 0 1 1-6.5 6.5' },
  complete: { words: 'Complete', drawing: `${RING}M7 10.2l2.2 2.2 4-4.5` },
  error: { words: 'Error', drawing: `${RING}M10 6.5v4M10 13.2v.01` },
};

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderTaskCard(block, surface) {
  const { title, details, output, sources = [] } = block;
  const hasMore = details !== undefined || output !== undefined || sources.length > 0;
  const line = [taskStatus(block), h('span', { class: 'task-title' }, plainNode(title))];
  const attributes = { class: 'task', 'data-task': block.task_id ?? '' };
  if (!hasMore) return h('div', attributes, h('div', { class: 'task-line' }, ...line));
  return h(
    'details',
    { ...attributes, open: true },
    h('summary', { class: 'task-line' }, ...line),
    h(
      'div',
      { class: 'task-more' },
      details && h('div', { class: 'task-details' }, renderRichText(details, surface)),
      output && h('div', { class: 'task-output' }, renderRichText(output, surface)),
      sources.length > 0 &&
        h(
          'div',
          { class: 'task-sources' },
          ...sources.map(({ url, text }) => h('span', { class: 'task-source' }, renderLink(url, text))),
        ),
    ),
  );
}

/** @param {Block} block */
function taskStatus({ status = 'pending' }) {
  const known = TASK_STATUSES[status] ?? TASK_STATUSES['pending'];
  return h(
    'span',
    { class: `task-standing standing-${status}`, role: 'img', 'aria-label': known?.words ?? status },
    icon(known?.drawing ?? RING),
  );
}

/**
 * @param {Block} block
 * @param {RenderContext} surface
 */
export function renderPlan(block, surface) {
  const tasks = block.tasks ?? [];
  const done = tasks.filter(({ status }) => status === 'complete').length;
  return h(
    'details',
    { class: 'plan', open: true },
    h(
      'summary',
      { class: 'plan-head' },
      h('span', { class: 'plan-title' }, plainNode(block.title)),
      tasks.length > 0 && h('span', { class: 'plan-count' }, `${done} of ${tasks.length}`),
    ),
    h('div', { class: 'plan-tasks' }, ...tasks.map((task) => renderTaskCard(task, surface))),
  );
}
