/** The ports that commands get, over a fleet in memory and a clock that stands still. */

import { EXPIRY_MS, needsApproval } from '../../src/approvals/policy.ts';
import { createManualClock, MINUTE, type MovableClock } from '../../src/clock.ts';
import type { FormPorts } from '../../src/commands/forms/form.ts';
import { createResults } from '../../src/commands/lists/results.ts';
import { DIALECTS } from '../../src/fleet/dialect.ts';
import { channelId, organizationId, personId } from '../../src/ids.ts';
import { createInventory } from '../../src/inventory/directory.ts';
import { createMisses } from '../../src/inventory/misses.ts';
import { START } from '../harness/builders.ts';
import { createFakeFleet, type FakeFleet, type FakeFleetContent } from './fake-fleet.ts';
import { createFakeRecords, HEALTHY, type Kept } from './fake-records.ts';
import { createFakeSettings } from './fake-settings.ts';

export type TestPorts = {
  readonly ports: FormPorts;
  readonly fleet: FakeFleet;
  readonly clock: MovableClock;
};

export function testPorts(content: FakeFleetContent, kept: Kept = {}): TestPorts {
  const clock = createManualClock(START);
  const fleet = createFakeFleet(content);
  const inventory = createInventory({ fleet, clock });
  const ports: FormPorts = {
    fleet,
    clock,
    dialect: DIALECTS.live,
    inventory,
    misses: createMisses({ fleet, clock, onNames: inventory.learnPackages }),
    results: createResults(clock),
    organizationId: organizationId(7),
    asker: personId('UOPERATOR'),
    channel: channelId('C0OPS'),
    settings: createFakeSettings(),
    records: createFakeRecords(kept),
    health: async () => HEALTHY,
    approvalMs: (order) => (needsApproval(order) ? EXPIRY_MS : null),
    maxAgeMs: 15 * MINUTE,
  };
  return { ports, fleet, clock };
}
