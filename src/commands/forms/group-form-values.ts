/** Reads the fields of a group as input of a command. Pure. */
import { defined } from '../../lib/record-fields.ts';
import type { FieldValues } from '../../views/models/form-model.ts';
import { type GroupInput, readTriState } from '../changes/group-fields.ts';
import { FIELD_IDS, WSUS_SERVER_FIELD } from './group-form-fields.ts';
import { idValue, idValues, selectedValue, textLines, textValue } from './shared/field-values.ts';

/** Missing and unselected fields are left out; an empty text is a value. */
export function groupInputOf(ending: string, values: FieldValues): GroupInput {
  const id = (field: string) => `${field}${ending}`;
  const parent = idValue(values, id('parent'));
  const every = selectedValue(values, id('every'));
  const color = selectedValue(values, id('color'));
  const osAutoUpdate = readTriState(selectedValue(values, id('os')));
  const enabled = readTriState(selectedValue(values, id('wsus')));
  const server = textValue(values, id(WSUS_SERVER_FIELD));
  return defined({
    name: values.has(id('name')) ? textValue(values, id('name')) : undefined,
    parent: parent ?? undefined,
    every: every === null ? undefined : Number(every),
    color: color ?? undefined,
    notes: values.has(id('notes')) ? textLines(values, id('notes')) : undefined,
    osAutoUpdate,
    wsus: enabled === undefined ? undefined : { enabled, ...(enabled && server !== '' ? { server } : {}) },
    policies: values.has(id('policies')) ? [...idValues(values, id('policies'))] : undefined,
  });
}

/**
 * Whether a server was written that would be of no use; the one that the form showed is no such, because it came with
 * the group.
 */
export function hasUnusedServer(ending: string, values: FieldValues, initialServer: string): boolean {
  const server = textValue(values, `${WSUS_SERVER_FIELD}${ending}`);
  return server !== '' && server !== initialServer && selectedValue(values, `wsus${ending}`) !== 'on';
}

export const UNUSED_SERVER_ERROR = {
  field: WSUS_SERVER_FIELD,
  words: 'A server needs WSUS above. Choose WSUS, or clear this field.',
} as const;

/** Whether the form already showed the fields of this group, which appear a moment after it is selected. */
export function hasGroupFields(ending: string, values: FieldValues): boolean {
  return values.has(`${FIELD_IDS.wsus}${ending}`);
}
