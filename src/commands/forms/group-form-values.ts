/** Reads the fields of a group as input of a command. Pure. */
import type { FieldValues } from '../../views/models/form-model.ts';
import type { GroupInput } from '../changes/group-fields.ts';
import { FIELD_IDS, WSUS_SERVER_FIELD } from './group-form-fields.ts';
import { idValue, idValues, selectedValue, textLines, textValue } from './shared/field-values.ts';

/** Missing and unselected fields are left out; an empty text is a value. */
export function groupInputOf(ending: string, values: FieldValues): GroupInput {
  const id = (field: string) => `${field}${ending}`;
  const parent = idValue(values, id('parent'));
  const every = selectedValue(values, id('every'));
  const color = selectedValue(values, id('color'));
  const os = triState(values, id('os'));
  const wsus = triState(values, id('wsus'));
  const server = textValue(values, id(WSUS_SERVER_FIELD));
  return {
    ...(values.has(id('name')) ? { name: textValue(values, id('name')) } : {}),
    ...(parent === null ? {} : { parent }),
    ...(every === null ? {} : { every: Number(every) }),
    ...(color === null ? {} : { color }),
    ...(values.has(id('notes')) ? { notes: textLines(values, id('notes')) } : {}),
    ...(os === undefined ? {} : { osAutoUpdate: os }),
    ...(wsus === undefined
      ? {}
      : { wsus: { enabled: wsus, ...(wsus === true && server !== '' ? { server } : {}) } }),
    ...(values.has(id('policies')) ? { policies: [...idValues(values, id('policies'))] } : {}),
  };
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

function triState(values: FieldValues, field: string): boolean | null | undefined {
  switch (selectedValue(values, field)) {
    case 'on':
      return true;
    case 'off':
      return false;
    case 'device':
      return null;
    default:
      return undefined;
  }
}
