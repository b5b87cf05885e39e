/** `saved`: the saved targets that one may use. */
import { defineSetting } from './define.ts';
import { type Nothing, nothing, parseNothing } from './line/nothing.ts';
import { runSaved } from './save.ts';

export const saved = defineSetting<Nothing>({
  name: 'saved',
  usage: 'saved',
  summary: 'List your saved targets and the shared ones.',
  examples: ['saved'],
  need: 'read',
  input: nothing,
  parse: parseNothing,
  run: (_asked, _page, ports) => runSaved({ do: 'list' }, ports),
});
