/**
 * The facts of a target as the fields that a seal covers. The seal and the comparison before sending both walk these, so
 * a new fact is sealed and compared without being named anywhere. Pure.
 */
import type { EditFacts } from './facts.ts';

/** `form`: the same for values that say the same. `isOrdered`: a list whose order people are shown. */
export type SealedField = { readonly value: unknown; readonly form: string; readonly isOrdered: boolean };

/** When it was read says nothing about the thing; a group may be renamed, or not be named for a moment. */
const UNSEALED: ReadonlySet<string> = new Set(['asOf', 'groupName']);

/** Each field by its path, such as `editable.tags`. */
export function sealedFields(facts: EditFacts): ReadonlyMap<string, SealedField> {
  const fields = new Map<string, SealedField>();
  const open: [path: string, value: unknown][] = Object.entries(facts).filter(([key]) => !UNSEALED.has(key));
  for (const [path, value] of open) {
    const isOrdered = path.includes('.settings.');
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      open.push(...Object.entries(value).map(([key, inner]): [string, unknown] => [`${path}.${key}`, inner]));
    else if (value !== undefined)
      fields.set(path, { value, form: JSON.stringify(canonical(value, isOrdered)), isOrdered });
  }
  return fields;
}

/** Whether the field at this path is `field`, or a part of it. */
export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

/**
 * One form for values that say the same: keys in order, and lists sorted and without repetition, because all of them
 * name things and the service keeps no order of those: tags, addresses, packages, CVEs, policies, groups, devices. Only
 * the settings of a policy hold lists whose order people are shown. Records and actions are never deep.
 */
export function canonical(value: unknown, isOrdered = false): unknown {
  if (Array.isArray(value)) {
    const items = value.map((item) => canonical(item, isOrdered));
    return isOrdered ? items : [...new Set(items.map((item) => JSON.stringify(item)))].toSorted();
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, item]) => [key, canonical(item, isOrdered || key === 'settings')]);
}
