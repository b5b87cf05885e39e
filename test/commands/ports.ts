/** The ports that commands get, over a fleet in memory and a clock that stands still. */
import { createManualClock, type MovableClock } from '../../src/clock.ts';
import { EXPIRY_MS, needsApproval } from '../../src/approvals/policy.ts';
import type { ReadPorts } from '../../src/commands/command.ts';
import { DIALECTS } from '../../src/fleet/dialect.ts';
import { organizationId, personId } from '../../src/ids.ts';
import { createInventory } from '../../src/inventory/directory.ts';
import { createMisses } from '../../src/inventory/misses.ts';
import { START } from '../harness/builders.ts';
import { createFakeFleet, type FakeFleet, type FakeFleetContent } from './fake-fleet.ts';
import { createFakeRecords, HEALTHY, type Kept } from './fake-records.ts';

export type TestPorts = {
  readonly ports: ReadPorts;
  readonly fleet: FakeFleet;
  readonly clock: MovableClock;
};

export function testPorts(content: FakeFleetContent, kept: Kept = {}): TestPorts {
  const clock = createManualClock(START);
  const fleet = createFakeFleet(content);
  const inventory = createInventory({ fleet, clock });
  const ports: ReadPorts = {
    fleet,
    clock,
    dialect: DIALECTS.live,
    inventory,
    misses: createMisses({ fleet, clock, onNames: inventory.learnPackages }),
    organizationId: organizationId(7),
    asker: personId('UOPERATOR'),
    records: createFakeRecords(kept),
    health: async () => HEALTHY,
    approvalMs: (order) => (needsApproval(order) ? EXPIRY_MS : null),
  };
  return { ports, fleet, clock };
}
