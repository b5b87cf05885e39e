/** The field of a policy, before it is known on which devices. */
import type { FormField } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/ports.ts';
import { matchName, type NameOrId } from '../../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../../targets/resolve-device.ts';

export const POLICY_FIELD = 'policy';

/** Whether it can be run, and on which of the devices, is found out when it is requested. */
export async function policySearchField(
  ref: NameOrId | undefined,
  { inventory }: Pick<ReadPorts, 'inventory'>,
): Promise<Extract<FormField, { kind: 'search' }>> {
  const { policies } = await inventory.snapshot(PERSON_PRIORITY);
  const found = ref === undefined ? null : matchName(ref, policies, ({ name }) => name);
  const known = found?.kind === 'one' ? policies.find(({ id }) => id === found.id) : undefined;
  const initial = known === undefined ? null : { value: String(known.id), label: known.name };
  return { kind: 'search', id: POLICY_FIELD, label: 'Policy', of: 'policy', initial };
}
