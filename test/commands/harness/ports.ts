/** Ports of commands, over a fleet in memory and a stopped clock. */

import type { FormPorts } from '../../../src/commands/core/command.ts';
import { createResultCaches } from '../../../src/commands/lists/result-cache.ts';
import { DIALECTS } from '../../../src/fleet/dialect.ts';
import { createInventory } from '../../../src/inventory/inventory-service.ts';
import { createMissingPatchIndex } from '../../../src/inventory/missing-patches/missing-patch-index.ts';
import { createManualClock, MINUTE } from '../../../src/lib/clock.ts';
import { channelId, organizationId, personId, userGroupId } from '../../../src/lib/ids.ts';
import { DEFAULT_ROLLOUT_LIMITS } from '../../../src/lib/rollout-limits.ts';
import { summarizeTargets } from '../../../src/requests/decide/record-request.ts';
import { needsApproval } from '../../../src/requests/decide/rules.ts';
import { START } from '../../harness/builders.ts';
import { noMissingPatchesSaved, nothingSaved } from '../../harness/nothing-saved.ts';
import { ASKS, RUNS } from '../../harness/rules.ts';
import { createFakeFleet, type FakeFleetContent } from './fake-fleet.ts';
import { createFakeRecords, type FakeRecordsContent, HEALTHY } from './fake-records.ts';
import { createFakeSettings } from './fake-settings.ts';

const nobody = { people: [], userGroups: [] };
export const ROLES_OF_TESTS = {
  viewer: nobody,
  operator: { people: [personId('UOPERATOR')], userGroups: [userGroupId('S0OPS')] },
  approver: { people: [personId('UAPPROVER')], userGroups: [] },
  admin: { people: [personId('U0ADMIN')], userGroups: [] },
};

export type TestPorts = Readonly<ReturnType<typeof testPorts>>;

export function testPorts(content: FakeFleetContent, kept: FakeRecordsContent = {}) {
  const clock = createManualClock(START);
  const fleet = createFakeFleet(content);
  const inventory = createInventory({ fleet, clock, store: nothingSaved });
  const ports: FormPorts = {
    fleet,
    clock,
    dialect: DIALECTS.live,
    inventory,
    missingPatches: createMissingPatchIndex({
      fleet,
      clock,
      onNames: inventory.learnPackages,
      ...noMissingPatchesSaved,
    }),
    results: createResultCaches(clock),
    organizationId: organizationId(7),
    asker: personId('UOPERATOR'),
    channel: channelId('C0OPS'),
    settings: createFakeSettings(),
    records: createFakeRecords(kept),
    health: async () => HEALTHY,
    summarize: summarizeTargets,
    judge: async ({ proposal: { command } }) => (needsApproval(command) ? ASKS : RUNS),
    maxAgeMs: 15 * MINUTE,
    rollouts: () => DEFAULT_ROLLOUT_LIMITS,
    roles: () => ROLES_OF_TESTS,
  };
  return { ports, fleet, clock };
}
