/** A device id of another organization: the service may show it, and the answer says that it cannot be trusted. */

import { describe, expect, it } from 'vitest';
import { registry } from '../../src/commands/index.ts';
import { FleetFailure } from '../../src/fleet/fleet.ts';
import { createInventory } from '../../src/inventory/inventory-service.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { newReference } from '../../src/lib/ids.ts';
import { renderView } from '../../src/views/views.ts';
import { scriptedFleet } from '../fleet/harness.ts';
import { START } from '../harness/builders.ts';
import { nothingSaved } from '../harness/nothing-saved.ts';
import { testPorts } from './harness/ports.ts';

describe('a device of another organization', () => {
  it('is shown to nobody, gets no command, and has an error message', async () => {
    const foreign = { id: 42, organization_id: 999, name: 'secret-host', tags: [] };
    const { reader, service } = await scriptedFleet(() => ({ body: foreign }));
    const clock = createManualClock(START);
    const inventory = createInventory({ fleet: reader, clock, store: nothingSaved });
    const ports = { ...testPorts({}).ports, fleet: reader, inventory, clock };
    const reboot = registry.find('reboot');
    if (reboot?.kind !== 'write') throw new Error('reboot is a write command');
    const failed: unknown = await reboot.plan({ device: 42, reason: null }, ports).catch((error) => error);
    if (!(failed instanceof FleetFailure)) throw new Error('the plan went through');
    const reference = newReference();
    const words = renderView({
      kind: 'problem',
      problem: { kind: 'fleet', error: failed.error, changed: 'nothing', reference },
    });
    expect(words.text).toMatch(/Nothing was changed/);
    expect(JSON.stringify(words)).not.toContain('secret-host');
    expect(service.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});
