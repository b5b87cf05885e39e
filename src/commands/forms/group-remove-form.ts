/** The form of `group-remove`: a group, what goes with it, and its name to be typed. */
import { removalEffects } from '../../fleet/facts/edit-changes.ts';
import { readGroupForRemoval } from '../../fleet/facts/read-facts.ts';
import { isDefaultGroup } from '../../fleet/model/derived-fields.ts';
import { groupId } from '../../lib/ids.ts';
import { quoteStructure } from '../../lib/text.ts';
import type { FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { confirmFields, nothingToConfirm, readConfirmation } from './shared/confirm-field.ts';
import { type DrawnFields, dependentForm } from './shared/dependent-form.ts';
import { GROUP_FIELD, GROUP_SUBJECT } from './shared/group-or-policy-form.ts';

export const groupRemoveForm = dependentForm<null>(GROUP_SUBJECT, {
  command: 'group-remove',
  title: 'Remove a group',
  submit: 'Request approval',
  reason: 'Approvers see it with the request.',
  parsePrefill: () => null,
  buildFields: drawFields,
  read: (group, values, context) => readConfirmation(values, { id: group, context, field: GROUP_FIELD }),
});

async function drawFields(
  option: FormOption | null,
  _given: null,
  { fleet, clock }: ReadPorts,
): Promise<DrawnFields> {
  if (option === null) return nothingToConfirm('Choose a group to see what goes with it.');
  const id = groupId(Number(option.value));
  const facts = await readGroupForRemoval(fleet, { groupId: id, asOf: clock.now(), lane: 'person' });
  if (facts === null || facts.group === null)
    return nothingToConfirm('This group no longer exists. Choose another one.');
  const { group, displayName: name } = facts;
  if (isDefaultGroup({ id, ...group }))
    return nothingToConfirm('The Default Group can’t be removed. Choose another one.');
  return confirmFields('group', { id, name }, [
    'Removes the group from the management service. This can’t be undone.',
    ...removalEffects(facts).map(({ label, value }) => `${label}: ${quoteStructure(value)}`),
    ...(facts.removal?.subgroups.length === 0
      ? []
      : ['The management service doesn’t document where subgroups go.']),
  ]);
}
