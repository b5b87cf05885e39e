/** The form of `group-remove`: a group, what goes with it, and its name to be typed. */

import { z } from 'zod';
import { readGroupForRemoval } from '../../fleet/facts/read-removal-facts.ts';
import { removalEffects } from '../../fleet/facts/removal-effects.ts';
import { isDefaultGroup } from '../../fleet/model/derived-fields.ts';
import { groupId } from '../../lib/ids.ts';
import type { FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { nameOrId } from '../targets/name-lookup.ts';
import type { CommandForm, OpenedForm } from './shared/command-form.ts';
import { confirmContextOf, confirmField, readConfirmation } from './shared/confirm-field.ts';
import { type DrawnFields, textBlockField } from './shared/device-dependent-form.ts';
import { enteredReason, reasonField } from './shared/device-form.ts';
import { fieldError, idValue } from './shared/field-values.ts';
import { groupOption } from './shared/group-or-policy-form.ts';

const GROUP = 'group';

/** What was typed before the form opens. Values that do not fit are dropped. */
const prefillSchema = z
  .object({
    group: nameOrId.optional().catch(undefined),
    reason: z.string().nullable().catch(null).default(null),
  })
  .catch({ group: undefined, reason: null });

export const groupRemoveForm: CommandForm = {
  open: async (typed, ports) => {
    const { group, reason } = prefillSchema.parse(typed);
    return drawForm(await groupOption(group, ports), reason, ports);
  },
  redraw: async (values, _context, ports) =>
    drawForm(await groupOption(idValue(values, GROUP) ?? undefined, ports), enteredReason(values), ports),
  read: (values, context) => {
    const group = idValue(values, GROUP);
    if (group === null) return fieldError(GROUP, 'Choose a group.');
    const read = readConfirmation(values, { id: group, context, field: GROUP });
    if (read.kind === 'errors') return read;
    return { kind: 'input', input: { group, confirm: read.confirm, reason: enteredReason(values) } };
  },
};

async function drawForm(
  option: FormOption | null,
  reason: string | null,
  ports: ReadPorts,
): Promise<OpenedForm> {
  const { fields, context } = await drawFields(option, ports);
  const search: FormField = {
    kind: 'search',
    id: GROUP,
    label: 'Group',
    of: 'group',
    initial: option,
    live: true,
  };
  const why = reasonField(reason, 'Approvers see it with the request.');
  const head = { command: 'group-remove', title: 'Remove a group', submit: 'Request approval', context };
  return { kind: 'form', form: { ...head, fields: [search, ...fields, why] } };
}

async function drawFields(option: FormOption | null, { fleet, clock }: ReadPorts): Promise<DrawnFields> {
  if (option === null) return nothingToConfirm('Choose a group to see what goes with it.');
  const id = groupId(Number(option.value));
  const facts = await readGroupForRemoval(fleet, { groupId: id, asOf: clock.now(), lane: 'person' });
  if (facts?.group === null || facts === null)
    return nothingToConfirm('This group no longer exists. Choose another one.');
  const { group, displayName: name } = facts;
  if (isDefaultGroup({ id, ...group }))
    return nothingToConfirm('The Default Group can’t be removed. Choose another one.');
  const lines = [
    'Removes the group from the management service. This can’t be undone.',
    ...removalEffects(facts).map(({ label, value }) => `${label}: ${value}`),
    ...(facts.removal?.subgroups.length === 0
      ? []
      : ['The management service doesn’t document where subgroups go.']),
  ];
  return {
    fields: [textBlockField(lines.join('\n')), confirmField('group', { id, name })],
    context: confirmContextOf({ id, name }),
  };
}

function nothingToConfirm(why: string): DrawnFields {
  return { fields: [textBlockField(why)], context: { confirms: null } };
}
