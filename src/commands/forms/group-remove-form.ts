/** The form of `group-remove`: a group, what goes with it, and its name to be typed. */

import { readGroupForRemoval } from '../../fleet/facts/read-removal-facts.ts';
import { removalEffects } from '../../fleet/facts/removal-effects.ts';
import { isDefaultGroup } from '../../fleet/model/derived-fields.ts';
import { groupId } from '../../lib/ids.ts';
import type { FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../core/command.ts';
import type { CommandForm, OpenedForm } from './shared/command-form.ts';
import { confirmFields, nothingToConfirm, readConfirmation } from './shared/confirm-field.ts';
import type { DrawnFields } from './shared/device-dependent-form.ts';
import { enteredReason, reasonField } from './shared/device-form.ts';
import { fieldError, idValue } from './shared/field-values.ts';
import { GROUP_FIELD, groupField, groupOption, groupPrefillSchema } from './shared/group-or-policy-form.ts';

export const groupRemoveForm: CommandForm = {
  open: async (typed, ports) => {
    const { group, reason } = groupPrefillSchema.parse(typed);
    return drawForm(await groupOption(group, ports), reason, ports);
  },
  redraw: async (values, _context, ports) =>
    drawForm(
      await groupOption(idValue(values, GROUP_FIELD) ?? undefined, ports),
      enteredReason(values),
      ports,
    ),
  read: (values, context) => {
    const group = idValue(values, GROUP_FIELD);
    if (group === null) return fieldError(GROUP_FIELD, 'Choose a group.');
    const read = readConfirmation(values, { id: group, context, field: GROUP_FIELD });
    if (read.kind === 'errors') return read;
    return { kind: 'input', input: { group, ...read.input, reason: enteredReason(values) } };
  },
};

async function drawForm(
  option: FormOption | null,
  reason: string | null,
  ports: ReadPorts,
): Promise<OpenedForm> {
  const { fields, context } = await drawFields(option, ports);
  const why = reasonField(reason, 'Approvers see it with the request.');
  const head = { command: 'group-remove', title: 'Remove a group', submit: 'Request approval', context };
  return { kind: 'form', form: { ...head, fields: [groupField(option), ...fields, why] } };
}

async function drawFields(option: FormOption | null, { fleet, clock }: ReadPorts): Promise<DrawnFields> {
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
    ...removalEffects(facts).map(({ label, value }) => `${label}: ${value}`),
    ...(facts.removal?.subgroups.length === 0
      ? []
      : ['The management service doesn’t document where subgroups go.']),
  ]);
}
