/** Walks through blocks and their elements, with a JSON pointer to each. */
import { isJsonObject, type JsonObject } from '../core/json-object.ts';

export type Located = { readonly value: JsonObject; readonly pointer: string };

/** All blocks, parents before children. */
export function blocksIn(blocks: unknown, pointer = ''): readonly Located[] {
  return objectsIn(blocks, pointer).flatMap((block) => {
    const inside = block.value['type'] === 'carousel' ? 'elements' : 'child_blocks';
    return [block, ...blocksIn(block.value[inside], `${block.pointer}/${inside}`)];
  });
}

/** The interactive elements of one block. */
export function elementsIn({ value, pointer }: Located): readonly Located[] {
  switch (value['type']) {
    case 'actions':
    case 'context_actions':
      return objectsIn(value['elements'], `${pointer}/elements`);
    case 'data_table':
      return cellsIn(value['rows'], `${pointer}/rows`).flatMap((cell) =>
        objectIn(cell.value['element'], `${cell.pointer}/element`),
      );
    case 'card':
      return objectsIn(value['actions'], `${pointer}/actions`);
    case 'input':
      return objectIn(value['element'], `${pointer}/element`);
    case 'section':
      return objectIn(value['accessory'], `${pointer}/accessory`).filter(
        ({ value: { type } }) => type !== undefined && type !== 'image',
      );
    default:
      return [];
  }
}

function cellsIn(rows: unknown, pointer: string): readonly Located[] {
  return Array.isArray(rows) ? rows.flatMap((row, index) => objectsIn(row, `${pointer}/${index}`)) : [];
}

function objectsIn(list: unknown, pointer: string): readonly Located[] {
  return Array.isArray(list) ? list.flatMap((item, index) => objectIn(item, `${pointer}/${index}`)) : [];
}

function objectIn(value: unknown, pointer: string): readonly Located[] {
  return isJsonObject(value) ? [{ value, pointer }] : [];
}
