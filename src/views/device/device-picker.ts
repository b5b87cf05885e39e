/** The question which of several devices of one name is meant. */

import { section } from '../kit/blocks.ts';
import { runButton } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, md } from '../kit/escape.ts';
import { buildMessage } from '../kit/message.ts';
import type { PickLine } from '../models/list-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { identifiedSummary } from './device-list.ts';

/** Several devices have the name, user, address or serial number: one button each runs `command` again with a device's id. */
export type PickerView = {
  readonly kind: 'picker';
  /** Null: they are those that a message speaks of. */
  readonly query: string | null;
  readonly rows: readonly PickLine[];
  readonly total: number;
  readonly choices: readonly { readonly command: string; readonly input: unknown }[];
};

/** One button for each device. IDs are offered where a button is missing or more devices match. */
export function renderDevicePicker(view: PickerView): RenderedMessage {
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
      : md`${total} devices match ${escapeMrkdwn(query)}. Which one?`;
  return buildMessage({
    text: what,
    body: [section(what), ...rows.map((line, at) => section(identifiedSummary(line), buttons[at] ?? null))],
    footer: byId
      ? [section(md`${unsaid}Use the ID instead of the name, such as ${inlineCode('#1042')}.`)]
      : [],
  });
}

/** Only what lists show of each device to everybody. */
export function pickerWithoutPersonal(view: PickerView): PickerView {
  return { ...view, rows: view.rows.map(({ addresses: _, serialNumber: __, userName: ___, ...row }) => row) };
}
