/** Ids that Slack gives to blocks and elements that were sent without. */
import type { Ids } from '../ids.ts';
import { type Fields, fieldsOf, isFields, listOf } from '../json.ts';

/** The blocks with a `block_id` on each and an `action_id` on each interactive element. */
export function withIds(blocks: readonly Fields[], ids: Ids): readonly Fields[] {
  return blocks.map((block) => {
    const inside: Record<string, unknown> = {};
    if (block['type'] === 'actions' || block['type'] === 'context_actions')
      inside['elements'] = listOf(block['elements']).map((element) => named(element, ids));
    if (block['type'] === 'card' && block['actions'])
      inside['actions'] = listOf(block['actions']).map((element) => named(element, ids));
    if (block['type'] === 'input') inside['element'] = named(fieldsOf(block['element']), ids);
    if (block['type'] === 'carousel') inside['elements'] = withIds(listOf(block['elements']), ids);
    if (block['type'] === 'container') inside['child_blocks'] = withIds(listOf(block['child_blocks']), ids);
    const accessory = block['accessory'];
    if (isFields(accessory) && accessory['type'] !== 'image') inside['accessory'] = named(accessory, ids);
    return { block_id: ids.next('b'), ...block, ...inside };
  });
}

function named(element: Fields, ids: Ids): Fields {
  return { action_id: ids.next('a'), ...element };
}
