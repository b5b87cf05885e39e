/** `group-remove`: removes a group from the management service, after approval. */
import { z } from 'zod';
import { readGroupForRemoval } from '../fleet/facts/read-facts.ts';
import { isDefaultGroup } from '../fleet/model/derived-fields.ts';
import type { GroupId } from '../lib/ids.ts';
import { confirmationForm, proposeRemoval, typedName } from './changes/removal.ts';
import type { Planned, ReadPorts } from './core/command.ts';
import { defineWriteCommand, type TypedInput } from './core/define-command.ts';
import { groupRemoveForm } from './forms/group-remove-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { unexpectedWord } from './parser/usage-errors.ts';
import { nameOrId } from './targets/name-lookup.ts';
import { devicePrefill, PERSON_PRIORITY, reasonSchema } from './targets/resolve-device.ts';
import { resolveGroup, unknownGroupView } from './targets/resolve-group.ts';

const input = z.object({
  group: nameOrId,
  confirm: typedName.exactOptional(),
  reason: reasonSchema,
});
type Input = z.infer<typeof input>;

const HEAD = { name: 'group-remove', usage: 'group-remove NAME|#ID [because REASON]' };

export const groupRemoveCommand = defineWriteCommand<Input>({
  ...HEAD,
  summary:
    'Open the form that requests the removal of a group. It shows what goes with the group and asks for its name. Needs approval.',
  examples: ['group-remove "Web servers" because the site closed'],
  input,
  form: groupRemoveForm,
  parse,
  plan: planGroupRemoval,
});

function parse(words: LineWords): TypedInput<Input> {
  const fault = unexpectedWord(words, { reason: true });
  if (fault !== null) return { kind: 'fault', fault };
  const group = words.free.join(' ');
  if (group === '') {
    const prefill = devicePrefill('', words);
    return { kind: 'fault', fault: { kind: 'missing', what: 'Which group?', prefill } };
  }
  return { kind: 'input', input: { group, reason: words.reason } };
}

async function planGroupRemoval({ group, confirm, reason }: Input, ports: ReadPorts): Promise<Planned> {
  const again = (id: number) => ({ command: HEAD.name, input: { group: id, reason } });
  const found = await resolveGroup(group, again, ports);
  if (found.kind === 'view') return found;
  const { id } = found;
  if (await isDefault(id, ports)) return { kind: 'problem', problem: { kind: 'default-group' } };
  if (confirm === undefined && ports.onlyExplains !== true)
    return confirmationForm(HEAD, { group: id, reason });
  const facts = await readGroupForRemoval(ports.fleet, {
    groupId: id,
    asOf: ports.clock.now(),
    lane: 'person',
  });
  if (facts === null) return { kind: 'view', view: unknownGroupView(`#${id}`) };
  const command = { kind: 'group-remove', groupId: id } as const;
  return proposeRemoval({ command, facts, id, confirm, reason });
}

/** The devices of removed groups go there, so the service keeps it (§4.10). */
async function isDefault(id: GroupId, { inventory }: ReadPorts): Promise<boolean> {
  const group = (await inventory.snapshot(PERSON_PRIORITY)).groups.get(id);
  return group !== undefined && isDefaultGroup(group);
}
