/** An answer to a line that began with an alias shows the command that ran. */
import { fallbackText } from './kit/block-text.ts';
import { context } from './kit/blocks.ts';
import { code, md, trusted } from './kit/escape.ts';
import { SHOWN } from './kit/limits.ts';
import { fits, inEachForm } from './kit/message.ts';
import type { RenderedMessage } from './model.ts';
import type { SettingView } from './models/settings-model.ts';

/** The answer with a line below it, where there is room for one. */
export function renderExpanded(
  message: RenderedMessage,
  { name, line }: Pick<Extract<SettingView, { kind: 'expanded' }>, 'name' | 'line'>,
): RenderedMessage {
  const note = context(md`Ran ${code(line, SHOWN.sentence)} (alias ${code(name)}).`);
  const both = inEachForm(message, (blocks) => {
    const more = [...blocks, note];
    return fits(more) ? more : [...blocks.slice(0, -1), note];
  });
  // The text stands for all blocks that are not given here.
  return { ...both, text: fallbackText(trusted(message.text), [note, note]) };
}
