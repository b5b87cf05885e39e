/** Several devices fit a name: the person says which one is meant. */
import { section } from './blocks.ts';
import { runButton } from './device-buttons.ts';
import { deviceSummary } from './devices.ts';
import { code, literal, md } from './escape.ts';
import { message } from './message.ts';
import type { RenderedMessage, View } from './model.ts';

export function renderPicker(view: Extract<View, { kind: 'picker' }>): RenderedMessage {
  const { query, rows, total, choices } = view;
  const buttons = rows.map((line, at) => {
    const choice = choices[at];
    return choice === undefined
      ? null
      : runButton({ action: `pick:${at}`, label: `This one: #${line.device.id}`, ...choice });
  });
  const unsaid = total > rows.length ? md`${total - rows.length} more fit. ` : md``;
  const byId = total > rows.length || buttons.includes(null);
  const what = md`${total} devices are called ${literal(query)}: which one do you mean?`;
  return message({
    text: md`${what} Nothing was changed.`,
    body: [
      section(md`${what}\nNothing was changed.`),
      ...rows.map((line, at) => section(deviceSummary(line), buttons[at] ?? null)),
    ],
    end: byId
      ? [section(md`${unsaid}Ask again with the id instead of the name, such as ${code('#1042')}.`)]
      : [],
  });
}
