/** Walks through blocks and their elements. */
import type { Ids } from '../core/ids.ts';
import { asJsonObject, asList, asString, isJsonObject, type JsonObject } from '../core/json-object.ts';

/** With a JSON pointer to it. */
export type Located = { readonly value: JsonObject; readonly pointer: string };

/** All blocks. */
export function blocksIn(blocks: unknown, pointer = ''): readonly Located[] {
  return Array.isArray(blocks) ? blocks.flatMap((item, index) => objectIn(item, `${pointer}/${index}`)) : [];
}

/** The interactive elements of one block. */
export function elementsIn({ value, pointer }: Located): readonly Located[] {
  switch (value['type']) {
    case 'actions':
      return blocksIn(value['elements'], `${pointer}/elements`);
    case 'input':
      return objectIn(value['element'], `${pointer}/element`);
    case 'section':
      return objectIn(value['accessory'], `${pointer}/accessory`);
    default:
      return [];
  }
}

function objectIn(value: unknown, pointer: string): readonly Located[] {
  return isJsonObject(value) ? [{ value, pointer }] : [];
}

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

/** The blocks with a `block_id` on each and an `action_id` on each interactive element, generated where none was sent. */
export function withGeneratedIds(blocks: readonly JsonObject[], ids: Ids): readonly JsonObject[] {
  const withActionId = (element: JsonObject): JsonObject => ({ action_id: ids.next('a'), ...element });
  return blocks.map((block) => {
    const { type, elements, element, accessory } = block;
    return {
      block_id: ids.next('b'),
      ...block,
      ...(type === 'actions' ? { elements: asList(elements).map(withActionId) } : {}),
      ...(type === 'input' ? { element: withActionId(asJsonObject(element)) } : {}),
      ...(isJsonObject(accessory) ? { accessory: withActionId(accessory) } : {}),
    };
  });
}
