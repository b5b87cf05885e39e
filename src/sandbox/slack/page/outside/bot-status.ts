/** The bot's state and its latest requests, read while the panel is visible. */

import { h } from '../dom/dom.ts';
import { api } from '../state/api.ts';
import { runOnce } from '../state/state-reader.ts';
import { dayAndTime, showTime } from '../text/dates.ts';
import type { JournalLine, ProcessHealth } from '../types.ts';

const LOOK_MS = 3_000;
const REQUESTS = 12;
const LINES = 12;

export function createBotStatus(isSeen: () => boolean) {
  const exit = h('p', { class: 'about', 'data-bot': 'exit' });
  const lines = h('pre', { class: 'log', tabindex: 0, 'aria-label': 'Last log lines' });
  const requests = h('ol', { class: 'requests', 'data-bot': 'requests' });
  const node = h(
    'section',
    { class: 'outside-group', 'aria-label': 'Bot health' },
    h('h3', {}, 'Bot health'),
    exit,
    h('details', { 'data-details': 'lines' }, h('summary', {}, 'Last log lines'), lines),
    h('details', { open: true, 'data-details': 'requests' }, h('summary', {}, 'Latest requests'), requests),
  );
  const look = runOnce(async () => {
    const [health, journal] = await Promise.all([api.health(), api.journal(REQUESTS)]);
    // A failed read is not shown here: the notice above the messages says that the sandbox is unreachable.
    if (health.running === undefined) return;
    exit.textContent = stateText(health);
    setText(
      lines,
      (health.lines ?? [])
        .slice(-LINES)
        .map(({ text }) => text)
        .join('\n') || 'No log lines.',
    );
    const rows = (journal.requests ?? []).toReversed().map(requestText);
    if (rows.join('\n') !== [...requests.children].map(({ textContent }) => textContent).join('\n'))
      requests.replaceChildren(...rows.map((row) => h('li', {}, row)));
  });
  setInterval(() => isSeen() && void look(), LOOK_MS);
  return { node, look };
}

/** Unchanged text is not set again, so that a selection in it stays. */
function setText(node: HTMLElement, text: string) {
  if (node.textContent !== text) node.textContent = text;
}

function stateText({ running = 0, last_exit = null }: ProcessHealth) {
  const now =
    running === 0 ? 'Not running.' : running === 1 ? 'Running.' : `${running} processes are running.`;
  if (last_exit === null) return `${now} It hasn’t stopped since the start.`;
  const { at, how, wanted } = last_exit;
  return `${now} Last exit: ${dayAndTime(at)}, ${wanted ? 'requested' : 'unexpected'} (${how}).`;
}

const requestText = ({ at, service = '', method, path, status }: JournalLine) =>
  `${showTime(at)} ${service} ${method} ${path} → ${status ?? 'no answer'}`;
