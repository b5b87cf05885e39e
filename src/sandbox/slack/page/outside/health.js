/** How the bot fares, and what it asked last: read while somebody looks. */
/** @import { BotHealth, JournalLine } from '../types.d.ts' */
import { api } from '../api.js';
import { dayAndTime, showTime } from '../dates.js';
import { h } from '../dom.js';
import { once } from '../once.js';

const LOOK_MS = 3_000;
const REQUESTS = 12;
const LINES = 12;

/** @param {() => boolean} isSeen */
export function createHealth(isSeen) {
  const exit = h('p', { class: 'about', 'data-bot': 'exit' });
  const lines = h('pre', { class: 'log', tabindex: 0, 'aria-label': 'Last lines of the bot' });
  const requests = h('ol', { class: 'requests', 'data-bot': 'requests' });
  const node = h(
    'section',
    { class: 'outside-group', 'aria-label': 'Health of the bot' },
    h('h3', {}, 'What the bot does'),
    exit,
    h('details', { 'data-details': 'lines' }, h('summary', {}, 'What it wrote last'), lines),
    h(
      'details',
      { open: true, 'data-details': 'requests' },
      h('summary', {}, 'What it asked last'),
      requests,
    ),
  );
  const look = once(async () => {
    const [health, journal] = await Promise.all([api.health(), api.journal(REQUESTS)]);
    // What could not be read is not told: the notice above the messages says that the sandbox is out of reach.
    if (health.running === undefined) return;
    exit.textContent = stateInWords(health);
    setText(
      lines,
      (health.lines ?? [])
        .slice(-LINES)
        .map(({ text }) => text)
        .join('\n') || 'Nothing.',
    );
    const rows = (journal.requests ?? []).toReversed().map(requestInWords);
    if (rows.join('\n') !== [...requests.children].map(({ textContent }) => textContent).join('\n'))
      requests.replaceChildren(...rows.map((row) => h('li', {}, row)));
  });
  setInterval(() => isSeen() && void look(), LOOK_MS);
  return { node, look };
}

/** Left alone while it is the same, so that a selection in it stays. @param {HTMLElement} node @param {string} text */
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** @param {BotHealth} health */
function stateInWords({ running = 0, last_exit = null }) {
  const now =
    running === 0 ? 'Not running.' : running === 1 ? 'Running.' : `${running} processes are running.`;
  if (last_exit === null) return `${now} It has not ended since the start.`;
  const { at, how, wanted } = last_exit;
  return `${now} It last ended ${dayAndTime(at)}, ${wanted ? 'as asked' : 'by itself'} (${how}).`;
}

/** @param {JournalLine} line */
const requestInWords = ({ at, service = '', method, path, status }) =>
  `${showTime(at)} ${service} ${method} ${path} → ${status ?? 'no answer'}`;
