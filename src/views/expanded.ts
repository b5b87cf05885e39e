/** An answer to a line that began with an alias says what was run. */
import { context } from './blocks.ts';
import { code, md } from './escape.ts';
import { LIMIT, SHOWN } from './limits.ts';
import type { RenderedMessage } from './model.ts';
import type { SettingView } from './settings-model.ts';

/** The answer with a line below it, where there is room for one. */
export function renderExpanded(
  { text, blocks }: RenderedMessage,
  { name, line }: Pick<Extract<SettingView, { kind: 'expanded' }>, 'name' | 'line'>,
): RenderedMessage {
  const note = context(md`${code(name)} is an alias. This ran: ${code(line, SHOWN.sentence)}`);
  const more = [...blocks, note];
  const fits = more.length <= LIMIT.messageBlocks && JSON.stringify(more).length <= LIMIT.messageTotal;
  return { text, blocks: fits ? more : [...blocks.slice(0, -1), note] };
}
