/** Finding the interactive elements in blocks. */
import { type Fields, fieldsOf, isFields, listOf, wordOf } from '../json.ts';

export type Found = {
  readonly blockId: string;
  readonly actionId: string;
  readonly element: Fields;
  /** Inside an input block: it holds a value and acts only when the block says so. */
  readonly inInput: boolean;
  readonly acts: boolean;
  readonly optional: boolean;
};

/** All elements that a person can use, in the order of the blocks. */
export function elementsOf(blocks: readonly Fields[]): readonly Found[] {
  return blocks.flatMap((block) => {
    const blockId = wordOf(block['block_id']);
    const inInput = block['type'] === 'input';
    const acts = !inInput || block['dispatch_action'] === true;
    const own = elementsIn(block).map((element) => ({
      blockId,
      actionId: wordOf(element['action_id']),
      element,
      inInput,
      acts,
      optional: block['optional'] === true,
    }));
    const inside = block['type'] === 'carousel' ? block['elements'] : block['child_blocks'];
    return [...own, ...elementsOf(listOf(inside))];
  });
}

/** The element with this action id, in this block where one is named. */
export function findElement(
  blocks: readonly Fields[],
  { action_id, block_id }: { readonly action_id: string; readonly block_id?: string },
): Found | undefined {
  return elementsOf(blocks).find(
    ({ actionId, blockId }) => actionId === action_id && (block_id === undefined || blockId === block_id),
  );
}

function elementsIn(block: Fields): readonly Fields[] {
  switch (block['type']) {
    case 'actions':
    case 'context_actions':
      return listOf(block['elements']);
    case 'card':
      return listOf(block['actions']);
    case 'input':
      return isFields(block['element']) ? [block['element']] : [];
    case 'section': {
      const accessory = fieldsOf(block['accessory']);
      return accessory['type'] === undefined || accessory['type'] === 'image' ? [] : [accessory];
    }
    default:
      return [];
  }
}
