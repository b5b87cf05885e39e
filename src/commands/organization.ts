/** `organization`: the organization that Patchbay works for, as the service has it. */
import { collectRows } from '../fleet/collect-rows.ts';
import { defineRead } from './define.ts';
import { type Nothing, nothing, parseNothing } from './line/nothing.ts';
import { PERSON } from './targets/resolve.ts';

export const organization = defineRead<Nothing>({
  name: 'organization',
  usage: 'organization',
  summary: 'Show the organization: its name, tier, devices and device limit.',
  examples: ['organization'],
  input: nothing,
  parse: parseNothing,
  run: async (_asked, _page, { fleet, clock, organizationId }) => {
    const asOf = clock.now();
    const all = await collectRows(fleet.organizations(PERSON));
    const ours = all.find(({ id }) => id === organizationId) ?? null;
    return { kind: 'organization', organization: ours, id: organizationId, asOf };
  },
});
