/** Finds the interactive elements in blocks. */
import { asString, type JsonObject } from '../core/json-object.ts';
import { blocksIn, elementsIn } from './walk-blocks.ts';

export type ElementInBlocks = {
  readonly blockId: string;
  readonly actionId: string;
  readonly element: JsonObject;
  /** Inside an input block: it holds a value, and dispatches actions only when the block says so. */
  readonly inInput: boolean;
  readonly acts: boolean;
  readonly optional: boolean;
};

/** All interactive elements, in block order. */
export function interactiveElements(blocks: readonly JsonObject[]): readonly ElementInBlocks[] {
  return blocksIn(blocks).flatMap((block) => {
    const inInput = block.value['type'] === 'input';
    return elementsIn(block).map(({ value: element }) => ({
      blockId: asString(block.value['block_id']),
      actionId: asString(element['action_id']),
      element,
      inInput,
      acts: !inInput || block.value['dispatch_action'] === true,
      optional: block.value['optional'] === true,
    }));
  });
}

/** The element with this action id, in this block if one is given. */
export function findElement(
  blocks: readonly JsonObject[],
  { action_id, block_id }: { readonly action_id: string; readonly block_id?: string },
): ElementInBlocks | undefined {
  return interactiveElements(blocks).find(
    ({ actionId, blockId }) => actionId === action_id && (block_id === undefined || blockId === block_id),
  );
}
