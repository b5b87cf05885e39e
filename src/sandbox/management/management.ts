/**
 * The management service on this machine: a stand-in that speaks the real interface over HTTP, with a fleet that
 * changes with the clock. It shares no code and no schema with the product's client: a fake with the client's own
 * schema cannot reveal the client's mistakes.
 */
import type { ManagementOptions, ManagementService } from '../contracts/services.ts';
import { createManagementApp } from './http-app.ts';
import { KEYS } from './keys.ts';
import { profileOf } from './profiles.ts';
import { withResponseHeaders } from './response-headers.ts';
import { createManagementRateLimits } from './service-rate-limits.ts';
import { createRunningWorld } from './world/activity/running-world.ts';
import { searchDevicesByName } from './world/queries/find-device.ts';

/** Size of the seeded fleet in the design. */
const DEVICES = 240;

/** Starts the service with its seed, on 127.0.0.1. */
export async function createManagement(options: ManagementOptions): Promise<ManagementService> {
  const { clock, wire, port = 0, devices = DEVICES, rateLimits: strict = false, mount } = options;
  const size = { devices, events: options.events };
  // Listens first: a port in use fails at once, and no request is read before the seed exists.
  const served = await wire.serve({
    service: 'management',
    port,
    fetch: (request) => door(request),
    ...(mount === undefined ? {} : { mount }),
  });
  let moving = createRunningWorld(clock, size);
  const profile = profileOf(options.profile);
  const app = createManagementApp({ clock, profile, world: () => moving });
  const openDoor = () =>
    withResponseHeaders({
      clock,
      limits: createManagementRateLimits(clock),
      strict,
      profile,
      fetch: (request) => app.fetch(request),
    });
  let door = openDoor();
  return {
    baseUrl: `${served.url}${mount?.root ?? ''}`,
    apiKey: KEYS.full,
    readOnlyKey: KEYS.readOnly,
    expiredKey: KEYS.expired,
    organizationId: moving.state.organizationId,
    world: (request) => moving.perform(request),
    searchDevices: (part, most) => searchDevicesByName(moving.state.devices, part, most),
    isLive: () => moving.isLive(),
    reset() {
      moving.end();
      moving = createRunningWorld(clock, size);
      door = openDoor();
    },
    async stop() {
      moving.end();
      await served.stop();
    },
  };
}
