/** A group in a form's menu. */
import type { FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../command.ts';
import { groupMeant } from '../targets/group-meant.ts';
import type { Ref } from '../targets/named.ts';
import { PERSON } from '../targets/resolve.ts';

/** The group as a menu shows it; null where none is meant, or not exactly one. */
export async function groupOption(given: Ref | undefined, ports: ReadPorts): Promise<FormOption | null> {
  if (given === undefined) return null;
  const found = await groupMeant(given, () => ({ command: 'group', input: {} }), ports);
  if (found.kind === 'view') return null;
  const name = await ports.inventory.groupName(found.id, PERSON);
  return name === null ? null : { value: String(found.id), label: name, detail: `#${found.id}` };
}
