/**
 * The management service on this machine: a stand-in that speaks the real interface over HTTP, with a fleet
 * that lives on the clock. It knows nothing of the product and shares no schema with its client: a fake that
 * shares the client's schema cannot catch the client's mistakes.
 */
import type { Management, ManagementOptions } from '../contracts.ts';
import { createApp } from './app.ts';
import { profileOf } from './profiles.ts';
import { createMovingWorld } from './world/moving-world.ts';

/** The size of the seeded fleet in the design. */
const DEVICES = 240;

/** Not a secret: it opens nothing but this stand-in. */
const API_KEY = 'sandbox-management-key';

/** Starts the service at its seed, on 127.0.0.1. */
export async function createManagement(options: ManagementOptions): Promise<Management> {
  const { clock, wire, port = 0, devices = DEVICES } = options;
  let moving = createMovingWorld(clock, devices);
  const app = createApp({
    clock,
    profile: profileOf(options.profile),
    apiKey: API_KEY,
    moving: () => moving,
  });
  const served = await wire.serve({ service: 'management', port, fetch: (request) => app.fetch(request) });
  return {
    baseUrl: served.url,
    apiKey: API_KEY,
    organizationId: moving.state.organizationId,
    world: (order) => moving.order(order),
    living: () => moving.living(),
    reset() {
      moving.end();
      moving = createMovingWorld(clock, devices);
    },
    async stop() {
      moving.end();
      await served.stop();
    },
  };
}
