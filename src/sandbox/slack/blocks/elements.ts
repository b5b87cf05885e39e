/** Finding the interactive elements in blocks. */
import { type Fields, wordOf } from '../json.ts';
import { blocksIn, elementsIn } from './walk.ts';

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
  return blocksIn(blocks).flatMap((block) => {
    const inInput = block.value['type'] === 'input';
    return elementsIn(block).map(({ value: element }) => ({
      blockId: wordOf(block.value['block_id']),
      actionId: wordOf(element['action_id']),
      element,
      inInput,
      acts: !inInput || block.value['dispatch_action'] === true,
      optional: block.value['optional'] === true,
    }));
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
