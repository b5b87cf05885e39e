/** An answer to a line that began with an alias says what was run. */
import { context } from './kit/blocks.ts';
import { code, md } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { fits, inEachForm } from './kit/message.ts';
import type { RenderedMessage } from './model.ts';
import type { SettingView } from './models/settings-model.ts';

/** The answer with a line below it, where there is room for one. */
export function renderExpanded(
  message: RenderedMessage,
  { name, line }: Pick<Extract<SettingView, { kind: 'expanded' }>, 'name' | 'line'>,
): RenderedMessage {
  const note = context(md`${code(name)} is an alias. This ran: ${code(line, SHOWN.sentence)}`);
  return inEachForm(message, (blocks) => {
    const more = [...blocks, note];
    return fits(more) ? more : [...blocks.slice(0, -1), note];
  });
}
