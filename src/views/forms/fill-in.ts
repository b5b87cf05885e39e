/** A command that lacks something: what, how it is typed, and a button that opens its form. */
import { actions, context, section } from '../kit/blocks.ts';
import { code, literal, md } from '../kit/escape.ts';
import { SHOWN } from '../kit/limits.ts';
import { message } from '../kit/message.ts';
import { formButton } from '../kit/run-button.ts';
import type { RenderedMessage, View } from '../model.ts';

export function renderFillIn(view: Extract<View, { kind: 'fill-in' }>): RenderedMessage {
  const { command, given, missing, usage } = view;
  const what =
    missing === null ? md`Couldn’t open the form for ${code(command)}.` : literal(missing, SHOWN.sentence);
  return message({
    text: what,
    body: [
      section(what),
      context(md`Usage: ${code(usage)}`),
      ...actions(formButton({ label: 'Open form', command, input: given })),
    ],
  });
}
