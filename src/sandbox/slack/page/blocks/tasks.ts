/** Plans and tasks: the steps of what an app is doing. */

import { h, icon } from '../dom/dom.ts';
import { slackIcon } from '../emoji/slack-icon.ts';
import { renderLink } from '../text/link.ts';
import { renderRichText } from '../text/rich-text.ts';
import { plainNode } from '../text/text-object.ts';
import type { Block, RenderContext } from '../types.ts';

const RING = 'M10 16.5a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z';
const TASK_STATUSES: Readonly<Record<string, { words: string; drawing: string } | undefined>> = {
  pending: { words: 'Pending', drawing: RING },
  in_progress: { words: 'In progress', drawing: 'M10 3.5a6.5 6.5 0 1 1-6.5 6.5' },
  complete: { words: 'Complete', drawing: `${RING}M7 10.2l2.2 2.2 4-4.5` },
  error: { words: 'Error', drawing: `${RING}M10 6.5v4M10 13.2v.01` },
};

/** Without its title the details are on top (docs.slack.dev/reference/block-kit/blocks/task-card-block). */
export function renderTaskCard(block: Block, surface: RenderContext) {
  const { title, icon: mark, hide_title = false, output, sources = [] } = block;
  const about = block.details && h('div', { class: 'task-details' }, renderRichText(block.details, surface));
  const line = [
    taskStatus(block),
    mark?.name && slackIcon(mark.name),
    hide_title ? about : h('span', { class: 'task-title' }, plainNode(title)),
  ];
  const details = hide_title ? undefined : about;
  const hasMore = details !== undefined || output !== undefined || sources.length > 0;
  const attributes = { class: 'task', 'data-task': block.task_id ?? '' };
  if (!hasMore) return h('div', attributes, h('div', { class: 'task-line' }, ...line));
  return h(
    'details',
    { ...attributes, open: true },
    h('summary', { class: 'task-line' }, ...line),
    h(
      'div',
      { class: 'task-more' },
      details,
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

function taskStatus({ status = 'pending' }: Block) {
  const known = TASK_STATUSES[status] ?? TASK_STATUSES['pending'];
  return h(
    'span',
    { class: `task-standing standing-${status}`, role: 'img', 'aria-label': known?.words ?? status },
    icon(known?.drawing ?? RING),
  );
}

export function renderPlan(block: Block, surface: RenderContext) {
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
