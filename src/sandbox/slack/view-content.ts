/** Views as the bot sends them, by method or in an acknowledgement: checked, and given ids. */
import { withIds } from './blocks/ids.ts';
import type { Core } from './core.ts';
import { fieldsOf, listOf, wordOf } from './json.ts';
import { type Refusal, refuse, refuseProblems } from './reply.ts';
import type { View, ViewContent } from './state/views.ts';
import { checkView } from './validate/views.ts';

export type ViewContentRead = { readonly ok: true; readonly content: ViewContent } | Refusal;

/** `instead` is the view that this one takes the place of. */
export function readView(core: Core, sent: unknown, type: View['type'], instead?: View): ViewContentRead {
  const problems = checkView(sent, type);
  if (problems.length > 0) return refuseProblems('invalid_arguments', problems);
  const { blocks, external_id, ...content } = fieldsOf(sent);
  const externalId = wordOf(external_id) || null;
  const holder = externalId === null ? undefined : core.views.byExternalId(externalId);
  if (holder && holder.id !== instead?.id) return refuse('duplicate_external_id');
  return { ok: true, content: { content, externalId, blocks: withIds(listOf(blocks), core.ids) } };
}
