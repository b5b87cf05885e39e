/** Several devices fit a name: the person says which one is meant. */

import { deviceSummary } from './devices.ts';
import { section } from './kit/blocks.ts';
import { code, joined, literal, type Mrkdwn, md } from './kit/escape.ts';
import { message } from './kit/message.ts';
import { runButton } from './kit/run-button.ts';
import type { RenderedMessage, View } from './model.ts';
import type { PickLine } from './models/device-model.ts';
import { listed } from './words.ts';

/** More addresses tell no more. */
const ADDRESSES = 3;

export function renderPicker(view: Extract<View, { kind: 'picker' }>): RenderedMessage {
  const { query, rows, total, choices } = view;
  const buttons = rows.map((_line, at) => {
    const choice = choices[at];
    return choice === undefined ? null : runButton({ action: `pick:${at}`, label: 'Select', ...choice });
  });
  const unsaid = total > rows.length ? md`${total - rows.length} more match. ` : md``;
  const byId = total > rows.length || buttons.includes(null);
  const what =
    query === null
      ? md`This message mentions ${total} devices. Which one?`
      : md`${total} devices are named ${literal(query)}. Which one?`;
  return message({
    text: what,
    body: [section(what), ...rows.map((line, at) => section(pickSummary(line), buttons[at] ?? null))],
    end: byId ? [section(md`${unsaid}Use the ID instead of the name, such as ${code('#1042')}.`)] : [],
  });
}

/** The device with what tells it from others of its name. */
export function pickSummary(line: PickLine): Mrkdwn {
  const { addresses = [], serialNumber = null } = line;
  const parts = [
    addresses.length === 0 ? null : listed(addresses, ADDRESSES),
    serialNumber === null ? null : md`serial number ${literal(serialNumber)}`,
  ].filter((part) => part !== null);
  const summary = deviceSummary(line);
  return parts.length === 0 ? summary : md`${summary}\n${joined(parts, ' · ')}`;
}
