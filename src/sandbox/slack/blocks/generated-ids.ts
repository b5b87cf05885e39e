/** Generates ids for blocks and elements that were sent without. */
import type { Ids } from '../core/ids.ts';
import { asJsonObject, asList, isJsonObject, type JsonObject } from '../core/json-object.ts';

/** The blocks with a `block_id` on each and an `action_id` on each interactive element. */
export function withGeneratedIds(blocks: readonly JsonObject[], ids: Ids): readonly JsonObject[] {
  return blocks.map((block) => {
    const inside: Record<string, unknown> = {};
    if (block['type'] === 'actions' || block['type'] === 'context_actions')
      inside['elements'] = asList(block['elements']).map((element) => withActionId(element, ids));
    if (block['type'] === 'card' && block['actions'])
      inside['actions'] = asList(block['actions']).map((element) => withActionId(element, ids));
    if (block['type'] === 'input') inside['element'] = withActionId(asJsonObject(block['element']), ids);
    if (block['type'] === 'data_table' && Array.isArray(block['rows']))
      inside['rows'] = block['rows'].map((row: unknown) => asList(row).map((cell) => withCellId(cell, ids)));
    if (block['type'] === 'carousel') inside['elements'] = withGeneratedIds(asList(block['elements']), ids);
    if (block['type'] === 'container')
      inside['child_blocks'] = withGeneratedIds(asList(block['child_blocks']), ids);
    const accessory = block['accessory'];
    if (isJsonObject(accessory) && accessory['type'] !== 'image')
      inside['accessory'] = withActionId(accessory, ids);
    // Its own is not retained (docs.slack.dev/reference/block-kit/blocks/markdown-block).
    if (block['type'] === 'markdown') inside['block_id'] = ids.next('b');
    return { block_id: ids.next('b'), ...block, ...inside };
  });
}

function withCellId(cell: JsonObject, ids: Ids): JsonObject {
  const { element } = cell;
  return isJsonObject(element) ? { ...cell, element: withActionId(element, ids) } : cell;
}

function withActionId(element: JsonObject, ids: Ids): JsonObject {
  return { action_id: ids.next('a'), ...element };
}
