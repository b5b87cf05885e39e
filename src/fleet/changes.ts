/** An edit as rows of field, before and after, in plain words. Pure; whoever shows a row escapes it. */
import type { GroupId } from '../ids.ts';
import { colorName, colorValue } from './colors.ts';
import type { Editable, GroupFacts, NamedPolicy } from './edit-facts.ts';
import { tagged } from './editor/tag-change.ts';
import type { DeviceChange, EditedField, GroupChange } from './edits.ts';
import type { Facts } from './facts.ts';
import { type FleetEdit, fieldsOf } from './orders.ts';

export type Change = {
  readonly field: EditedField;
  /** Null: there is no before, because the thing is new. */
  readonly before: string | null;
  readonly after: string;
  /** Of a list that is too long to be shown as it was and as it will be: what comes into it and what leaves it. */
  readonly difference?: Difference;
};
export type Difference = { readonly added: readonly string[]; readonly removed: readonly string[] };

/** In characters. */
export const LONGEST_LIST = 120;

/** Names of fields in the middle of a sentence. */
export const FIELD_WORDS: Readonly<Record<EditedField, string>> = {
  customName: 'custom name',
  groupId: 'group',
  tags: 'tags',
  exception: 'exclusion from reports and statistics',
  addresses: 'addresses',
  name: 'name',
  parentId: 'parent group',
  refreshIntervalMinutes: 'scan interval',
  color: 'color',
  notes: 'notes',
  osAutoUpdate: 'operating system updates',
  wsus: 'source of Windows updates',
  policyIds: 'policies',
};

/** What the edit changes of this thing; the facts of another kind of thing have no rows. */
export function changesOf(edit: FleetEdit, facts: Facts | GroupFacts): readonly Change[] {
  if (edit.kind === 'device-edit') {
    if (facts.deviceId === null || facts.editable === null) return [];
    const { editable } = facts;
    const one = { facts, editable, change: edit.change };
    return rowsOf(edit, (field) => deviceChange(field, one));
  }
  if (facts.deviceId !== null) return [];
  const wanted = edit.kind === 'group-create' ? edit.group : edit.change;
  return rowsOf(edit, (field) => groupChange(field, facts, wanted));
}

type BeforeAndAfter = readonly [before: string | null, after: string, difference?: Difference];

function rowsOf(edit: FleetEdit, read: (field: EditedField) => BeforeAndAfter | null): readonly Change[] {
  return fieldsOf(edit).flatMap((field) => {
    const row = read(field);
    if (row === null) return [];
    const [before, after, difference] = row;
    return [{ field, before, after, ...(difference === undefined ? {} : { difference }) }];
  });
}

type OfDevice = { readonly facts: Facts; readonly editable: Editable; readonly change: DeviceChange };

function deviceChange(field: EditedField, { facts, editable, change }: OfDevice): BeforeAndAfter | null {
  switch (field) {
    case 'customName':
      return [textWords(editable.customName), textWords(change.customName ?? null)];
    case 'groupId':
      return [
        groupWords(facts.groupId, facts.groupName),
        groupWords(change.groupId ?? null, editable.intoGroup),
      ];
    case 'tags': {
      const { tags = change.retag === undefined ? editable.tags : tagged(editable.tags, change.retag) } =
        change;
      return listChange(editable.tags, tags);
    }
    case 'exception':
      return [yesOrNo(editable.exception), yesOrNo(change.exception ?? null)];
    case 'addresses':
      return listChange(editable.addresses, change.addresses ?? []);
    default:
      return null;
  }
}

function groupChange(field: EditedField, facts: GroupFacts, wanted: GroupChange): BeforeAndAfter | null {
  const { group, parentName } = facts;
  const before = <T>(words: (state: NonNullable<GroupFacts['group']>) => T) =>
    group === null ? null : words(group);
  switch (field) {
    case 'name':
      return [before(({ name }) => textWords(name)), textWords(wanted.name ?? null)];
    case 'parentId':
      return [
        before((state) => groupWords(state.parentId, state.parentName)),
        groupWords(wanted.parentId ?? null, parentName),
      ];
    case 'refreshIntervalMinutes':
      return [
        before((state) => everyWords(state.refreshIntervalMinutes)),
        everyWords(wanted.refreshIntervalMinutes ?? null),
      ];
    case 'color':
      return [before(({ color }) => colorWords(color)), colorWords(colorValue(wanted.color ?? ''))];
    case 'notes':
      return [before(({ notes }) => textWords(notes)), textWords(wanted.notes ?? null)];
    case 'osAutoUpdate':
      return [
        before(({ osAutoUpdate }) => switchWords(osAutoUpdate)),
        switchWords(wanted.osAutoUpdate ?? null),
      ];
    case 'wsus': {
      const { enabled = null } = wanted.wsus ?? {};
      // Without one of its own the change keeps the server that is set.
      const server = wanted.wsus?.server ?? group?.wsus?.server ?? null;
      return [
        before(({ wsus }) => wsusWords(wsus?.managed ?? null, wsus?.server ?? null)),
        wsusWords(enabled, server),
      ];
    }
    case 'policyIds':
      return group === null
        ? [null, listWords(facts.policies.map(policyWords))]
        : listChange(group.policies.map(policyWords), facts.policies.map(policyWords));
    default:
      return null;
  }
}

function textWords(text: string | null): string {
  return text === null || text === '' ? 'none' : text;
}

/** Sorted, because the service keeps no order. */
function listWords(items: readonly string[]): string {
  const shown = [...new Set(items)].toSorted().map((item) => (item.includes(',') ? `"${item}"` : item));
  return shown.length === 0 ? 'none' : shown.join(', ');
}

function listChange(before: readonly string[], after: readonly string[]): BeforeAndAfter {
  const words = [listWords(before), listWords(after)] as const;
  if (words.every(({ length }) => length <= LONGEST_LIST)) return words;
  const [was, will] = [new Set(before), new Set(after)];
  const added = [...will.difference(was)].toSorted();
  return [...words, { added, removed: [...was.difference(will)].toSorted() }];
}

function groupWords(id: GroupId | null, name: string | null): string {
  if (id === null) return 'unknown';
  return name === null ? `#${id} (name unknown)` : `${name} (#${id})`;
}

function yesOrNo(value: boolean | null): string {
  if (value === null) return 'unknown';
  return value ? 'yes' : 'no';
}

function everyWords(minutes: number | null): string {
  if (minutes === null) return 'unknown';
  return minutes % 60 === 0 ? `${minutes / 60} hours` : `${minutes} minutes`;
}

/** A colour that the console does not know is shown there as its first one (§2.1), so both are said. */
function colorWords(value: string | null): string {
  const name = colorName(value);
  return value === null || value === '' || name === null ? 'none' : `${value}, shown as ${name}`;
}

function switchWords(value: boolean | null): string {
  if (value === null) return 'the device’s own setting';
  return value ? 'on' : 'off';
}

function wsusWords(managed: boolean | null, server: string | null): string {
  if (managed === null) return 'the device’s own setting';
  if (!managed) return 'the Windows update service';
  return server === null || server === '' ? 'WSUS' : `WSUS, server ${server}`;
}

function policyWords({ id, name }: NamedPolicy): string {
  return name === null ? `#${id} (name unknown)` : `${name === '' ? 'no name' : name} (#${id})`;
}
