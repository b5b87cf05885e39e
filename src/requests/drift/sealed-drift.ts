/**
 * Everything sealed is compared before it is sent: pure. Whatever changed is named by its field, so a new fact is
 * compared without being named anywhere.
 */
import { nameWithId } from '../../fleet/facts/edit-changes.ts';
import { canonical, hiddenPolicies, sealedFields, type TargetFacts } from '../../fleet/facts/facts.ts';
import { policyIdOf } from '../../fleet/model/policy-status.ts';
import { quoteValue } from '../../lib/text.ts';
import type { Drift } from '../../store/port/evidence.ts';
import { type ChangedField, type Comparison, isOtherMachine, isWithin, mayChange } from './may-change.ts';

export type DriftList = readonly Drift[];

/** Empty only where nothing sealed changed that may not, and nothing runs unseen. */
export function sealedDrift(comparison: Comparison): DriftList {
  const { sealed, current } = comparison;
  const changes = changedFields(comparison).filter((change) => !mayChange(change, comparison));
  const paths = changes.map(({ path }) => path);
  return [
    ...(isOtherMachine(sealed, current)
      ? [{ kind: 'other-machine', name: quoteValue(sealed.displayName) } as const]
      : []),
    ...changes
      .filter((change) => !isSaidOtherwise(change, paths))
      .map((change) => toDrift(change, comparison)),
    ...hiddenPolicies(current).map(({ name }) => ({ kind: 'policy-hidden', policy: name }) as const),
  ];
}

/** A policy that is hidden is named for that; a digest changes with what is shown or counted, a group’s number with its name. */
function isSaidOtherwise({ path, after }: ChangedField, paths: readonly string[]): boolean {
  if (path.endsWith('.digest') && after === null) return true;
  if (path === 'members') return paths.some((one) => /^devices$|count$/i.test(one));
  if (path === 'group.parentId') return paths.includes('group.parentName');
  return path === 'current.digest' && paths.some((other) => other !== path && isWithin(other, 'current'));
}

function changedFields({ sealed, current }: Comparison): readonly ChangedField[] {
  const [was, is] = [sealedFields(sealed), sealedFields(current)];
  return [...new Set([...was.keys(), ...is.keys()])].flatMap((path) => {
    const [before, after] = [was.get(path), is.get(path)];
    if (before?.form === after?.form) return [];
    const whole = { path, item: null, before: before?.value, after: after?.value };
    if (before?.isOrdered === true || after?.isOrdered === true) return [whole];
    const parts = listChanges(path, toItems(whole.before), toItems(whole.after));
    return parts.length === 0 ? [whole] : parts;
  });
}

type Item = { readonly key: unknown; readonly label: string; readonly fields: ReadonlyMap<string, unknown> };

/** What a list holds: things with an id or a name, or texts. */
function toItems(list: unknown): readonly Item[] {
  const values: readonly unknown[] = Array.isArray(list) ? list : [];
  return values.map((value) => {
    const fields = new Map<string, unknown>(
      typeof value === 'object' && value !== null ? Object.entries(value) : [],
    );
    const [id, name] = [fields.get('id'), fields.get('name')];
    const isNamed = typeof id === 'number' && (typeof name === 'string' || name === null);
    const text = String(name ?? fields.get('type') ?? value);
    const label = isNamed ? nameWithId({ id, name }) : quoteValue(text);
    return { key: id ?? text, label, fields };
  });
}

function listChanges(path: string, before: readonly Item[], after: readonly Item[]): readonly ChangedField[] {
  const [was, is] = [Map.groupBy(before, ({ key }) => key), Map.groupBy(after, ({ key }) => key)];
  const labelsOf = (items: readonly Item[]) => [...new Set(items.map(({ label }) => label))].toSorted();
  const added = labelsOf(after.filter(({ key }) => !was.has(key)));
  const removed = labelsOf(before.filter(({ key }) => !is.has(key)));
  return [
    ...(added.length + removed.length === 0 ? [] : [{ path, item: null, added, removed }]),
    ...[...was].flatMap(([key, items]) => itemChanges(path, items, is.get(key) ?? [])),
  ];
}

/** Several items may share a key, such as versions of a package. */
function itemChanges(path: string, before: readonly Item[], after: readonly Item[]): readonly ChangedField[] {
  const [first] = before;
  if (first === undefined || after.length === 0) return [];
  const names = new Set([...before, ...after].flatMap(({ fields }) => [...fields.keys()]));
  return [...names].flatMap((name) => {
    const [was, is] = [before, after].map((items) => items.map(({ fields }) => fields.get(name)));
    if (JSON.stringify(canonical(was)) === JSON.stringify(canonical(is))) return [];
    return [{ path: `${path}.${name}`, item: first.label, before: oneOf(was), after: oneOf(is) }];
  });
}

function oneOf(values: readonly unknown[] = []): unknown {
  return values.length === 1 ? values[0] : values.flat();
}

const MAX_NAMES = 20;
/** What channels must not see, as notes are kept and shown there; and what tells people nothing. */
const UNRECORDED = /(^|\.)(lastLoggedInUser|addresses|digest|days|weeksOfMonth|months|parentId|managed)$/;

function toDrift({ path, item, before, after, added, removed }: ChangedField, of: Comparison): Drift {
  const about = { name: nameOf(path, of), field: path };
  const isShown = !UNRECORDED.test(path);
  if (added !== undefined && removed !== undefined && isShown)
    return {
      kind: 'listed',
      ...about,
      added: added.slice(0, MAX_NAMES),
      removed: removed.slice(0, MAX_NAMES),
    };
  return {
    kind: 'changed',
    ...about,
    item,
    was: isShown ? shownValue(path, before, of.sealed) : null,
    now: isShown ? shownValue(path, after, of.current) : null,
  };
}

/** The same for all devices where it is about their policy. */
function nameOf(path: string, { action, sealed }: Comparison): string {
  const id = policyIdOf(action);
  const isOfDevice = id === null || sealed.deviceId === null || path === 'policy.status';
  if (isOfDevice || !isWithin(path, 'policy')) return quoteValue(sealed.displayName);
  return nameWithId({ id, name: sealed.policy?.name ?? null });
}

/** Null: things that cannot be told apart by what they are called. */
function shownValue(path: string, value: unknown, facts: TargetFacts): string | number | boolean | null {
  if (path === 'groupId' && facts.deviceId !== null && facts.groupId !== null)
    return nameWithId({ id: facts.groupId, name: facts.groupName });
  if (typeof value === 'boolean' || typeof value === 'number') return value;
  const values: readonly unknown[] = [value].flat();
  if (values.some((one) => typeof one === 'object' && one !== null)) return null;
  return [...new Set(values.map((one) => quoteValue(String(one ?? ''))))].toSorted().join(', ');
}
