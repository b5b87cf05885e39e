/** What the fields of a group hold, as input of a command. Pure. */
import type { FieldValues } from '../../views/models/form-model.ts';
import type { GroupInput } from '../edits/group-input.ts';
import { chosen, idIn, idsIn, linesIn, textIn } from './form-values.ts';
import { FIELD_IDS, SERVER } from './group-form-fields.ts';

/** A field that is not there, or that nobody chose in, is left out; an empty text is a value. */
export function readGroup(ending: string, values: FieldValues): GroupInput {
  const id = (field: string) => `${field}${ending}`;
  const parent = idIn(values, id('parent'));
  const every = chosen(values, id('every'));
  const color = chosen(values, id('color'));
  const os = threeOf(values, id('os'));
  const wsus = threeOf(values, id('wsus'));
  const server = textIn(values, id(SERVER));
  return {
    ...(values.has(id('name')) ? { name: textIn(values, id('name')) } : {}),
    ...(parent === null ? {} : { parent }),
    ...(every === null ? {} : { every: Number(every) }),
    ...(color === null ? {} : { color }),
    ...(values.has(id('notes')) ? { notes: linesIn(values, id('notes')) } : {}),
    ...(os === undefined ? {} : { osAutoUpdate: os }),
    ...(wsus === undefined
      ? {}
      : { wsus: { enabled: wsus, ...(wsus === true && server !== '' ? { server } : {}) } }),
    ...(values.has(id('policies')) ? { policies: [...idsIn(values, id('policies'))] } : {}),
  };
}

/**
 * Whether a server was written that would be of no use; the one that the form showed is no such, because it came with
 * the group.
 */
export function hasIdleServer(ending: string, values: FieldValues, shown: string): boolean {
  const server = textIn(values, `${SERVER}${ending}`);
  return server !== '' && server !== shown && chosen(values, `wsus${ending}`) !== 'on';
}

export const IDLE_SERVER = {
  field: SERVER,
  words: 'A server needs WSUS above. Choose WSUS, or clear this field.',
} as const;

/** Whether the fields of this group were there: they come a moment after it is chosen. */
export function areDrawn(ending: string, values: FieldValues): boolean {
  return values.has(`${FIELD_IDS.wsus}${ending}`);
}

function threeOf(values: FieldValues, field: string): boolean | null | undefined {
  switch (chosen(values, field)) {
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
