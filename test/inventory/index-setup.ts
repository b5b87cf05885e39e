/** A living fleet and its index, on a clock that is moved by hand. */
import { afterEach } from 'vitest';
import type { Device, FleetEvent } from '../../src/fleet/model/resources.ts';
import type { InventoryService } from '../../src/inventory/inventory.ts';
import { createInventory } from '../../src/inventory/inventory-service.ts';
import { createManualClock, SECOND } from '../../src/lib/clock.ts';
import { deviceId, eventId, groupId, organizationId } from '../../src/lib/ids.ts';
import type { InventoryStore } from '../../src/store/port/store.ts';
import { aDevice, aGroup, anEvent, START } from '../harness/builders.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { nothingSaved } from '../harness/nothing-saved.ts';
import { createChangingFleet, settlePromises } from './changing-fleet.ts';

export const manyDevices = (count: number): readonly Device[] =>
  Array.from({ length: count }, (_, at) => aDevice({ id: deviceId(at + 1), name: `pc-${at + 1}` }));
export const deviceAddedEvent = (id: number, device: number): FleetEvent =>
  anEvent({ id: eventId(id), name: 'system.add', deviceId: deviceId(device), createTime: null });
export const deviceRemovedEvent = (id: number, device: number): FleetEvent => ({
  ...deviceAddedEvent(id, device),
  name: 'system.delete',
});

const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (let end = ends.pop(); end !== undefined; end = ends.pop()) await end();
});

export async function aStore() {
  const store = await memoryStore(organizationId(7));
  ends.push(store.close);
  return store.inventory;
}

export function createIndexSetup(content: readonly Device[], store: InventoryStore = nothingSaved) {
  const clock = createManualClock(START);
  const groups = [aGroup({ id: groupId(20), name: 'Linux servers' })];
  const living = createChangingFleet(clock, content, groups);
  const inventory = createInventory({ fleet: living.fleet, clock, store });
  ends.push(inventory.stop);
  /** Moves the clock in small steps, so that what waits for each other can go on in between. */
  const pass = async (ms: number) => {
    for (let left = ms; left > 0; left -= SECOND) {
      await clock.advance(Math.min(left, SECOND));
      await settlePromises();
    }
  };
  return { clock, living, inventory, pass };
}

export async function namesIn(inventory: InventoryService): Promise<readonly string[]> {
  return (await inventory.snapshot()).devices.map(({ name }) => name);
}
