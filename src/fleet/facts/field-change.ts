/** One field of an edit, before and after, in plain words. Pure; whoever shows it escapes it. */
import type { EditedField } from '../model/changes.ts';

export type FieldChange = {
  readonly field: EditedField;
  /** Null for a new thing. */
  readonly before: string | null;
  readonly after: string;
  /** For a list that existed before: the items added, removed and kept. */
  readonly difference?: ListDifference;
  /** Of a group: `before` and `after` without ids, where the names alone tell them apart. */
  readonly names?: Pick<FieldChange, 'before' | 'after'>;
};
export type ListDifference = {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly kept: readonly string[];
};

export type BeforeAndAfter = readonly [
  before: string | null,
  after: string,
  more?: Pick<FieldChange, 'difference' | 'names'>,
];

export function textOrNone(text: string | null): string {
  return text === null || text === '' ? 'none' : text;
}

/** The name tells little where several have the same one, or none. */
export function nameWithId({ id, name }: { readonly id: number; readonly name: string | null }): string {
  return name === null ? `#${id} (name unknown)` : `${name === '' ? 'no name' : name} (#${id})`;
}

/** Sorted, because the service keeps no order. */
export function listText(items: readonly string[]): string {
  return items.length === 0 ? 'none' : joinItems([...new Set(items)].toSorted());
}

/** Items of a list in one line: one that holds a comma is quoted. */
export function joinItems(items: readonly string[]): string {
  return items.map((item) => (item.includes(',') ? `"${item}"` : item)).join(', ');
}

export function listChange(before: readonly string[], after: readonly string[]): BeforeAndAfter {
  const [was, will] = [new Set(before), new Set(after)];
  const added = [...will.difference(was)].toSorted();
  const removed = [...was.difference(will)].toSorted();
  const difference = { added, removed, kept: [...was.intersection(will)].toSorted() };
  return [listText(before), listText(after), { difference }];
}
