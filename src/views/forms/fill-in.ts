/** A command that lacks something: what, how it is typed, and a button that opens its form. */
import { actions, context, section } from '../kit/blocks.ts';
import { code, literal, md } from '../kit/escape.ts';
import { message } from '../kit/message.ts';
import { formButton } from '../kit/run-button.ts';
import type { RenderedMessage, View } from '../model.ts';

export function renderFillIn(view: Extract<View, { kind: 'fill-in' }>): RenderedMessage {
  const { command, given, missing, usage } = view;
  const what =
    missing === null
      ? md`The form of ${code(command)} could not be opened. Nothing was changed.`
      : md`${code(command)} needs ${literal(missing)}. Nothing was changed.`;
  return message({
    text: what,
    body: [
      section(what),
      context(md`As it is typed: ${code(usage)}`),
      ...actions(formButton({ label: 'Fill in', command, input: given })),
    ],
  });
}
