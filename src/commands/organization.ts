/** `organization`: the organization that Patchbay works for, as the service has it. */
import { collectRows } from '../fleet/reads/read-helpers.ts';
import { defineReadCommand, type NoInput, noInput, parseNoInput } from './core/define-command.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';

export const organizationCommand = defineReadCommand<NoInput>({
  name: 'organization',
  usage: 'organization',
  summary: 'Show the organization: its name, tier, devices and device limit.',
  examples: ['organization'],
  input: noInput,
  parse: parseNoInput,
  run: async (_asked, _page, { fleet, clock, organizationId }) => {
    const asOf = clock.now();
    const all = await collectRows(fleet.organizations(PERSON_PRIORITY));
    const ours = all.find(({ id }) => id === organizationId) ?? null;
    return { kind: 'organization', organization: ours, id: organizationId, asOf };
  },
});
