/** An answer to a line that began with an alias says what was run. */
import { context } from './blocks.ts';
import { code, md } from './escape.ts';
import { SHOWN } from './limits.ts';
import { fits, inEachForm } from './message.ts';
import type { RenderedMessage } from './model.ts';
import type { SettingView } from './settings-model.ts';

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
