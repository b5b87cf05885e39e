/**
 * A Slack workspace on one machine: Web API, Socket Mode and signed HTTP for the bot, gestures for people. It
 * knows Slack's rules and nothing of the product. This file only builds the parts and joins them.
 */
import type { Workspace, WorkspaceOptions } from '../contracts.ts';
import { installApp } from './app.ts';
import { createCore } from './core.ts';
import { createDisorder } from './delivery/disorder.ts';
import { createEvents } from './delivery/events.ts';
import { createHttpDelivery } from './delivery/http.ts';
import { createOrders } from './delivery/orders.ts';
import { createSocketMode } from './delivery/socket-mode.ts';
import { createDoor } from './door.ts';
import { createIds } from './ids.ts';
import { createListeners } from './listeners.ts';
import { readManifest } from './manifest.ts';
import { createGestures } from './people/gestures.ts';
import { createRateLimits } from './web-api/rate-limits.ts';
import { allMethods } from './web-api/registry.ts';
import { createWebApi } from './web-api/web-api.ts';

/** Starts a workspace in which the manifest's app is installed. */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { clock, wire, transport, port } = options;
  const app = installApp();
  const ids = createIds(clock);
  const manifest = readManifest(options.manifest);
  const listeners = createListeners();
  let url = '';
  let botUrl: string | null = null;
  const origin = () => url;

  const socket = createSocketMode({ app, clock, ids, origin });
  const http = createHttpDelivery({ app, botUrl: () => botUrl });
  const { deliver } = transport === 'socket' ? socket : http;
  const disorder = createDisorder(clock, deliver);
  const { events: subscribed, scopes } = manifest;
  const events = createEvents({ app, clock, ids, subscribed, scopes, deliver: disorder.deliver });
  const { announce } = events;
  const core = createCore({ clock, ids, app, manifest, origin, changed: listeners.tell, announce });
  const rateLimits = options.rateLimits === true ? createRateLimits(clock) : undefined;
  const webApi = createWebApi({ core, methods: allMethods(socket.open), rateLimits });
  const served = await wire.serve({
    service: 'slack',
    fetch: createDoor(core, webApi),
    upgrade: socket.upgrade,
    ...(port === undefined ? {} : { port }),
  });
  url = served.url;

  return {
    apiUrl: `${url}/api/`,
    botToken: app.botToken,
    appToken: app.appToken,
    signingSecret: app.signingSecret,
    setBotUrl(to) {
      botUrl = to;
    },
    ...createGestures(core, deliver),
    delivery: createOrders({ transport, socket, http, disorder }),
    onChange: listeners.add,
    reset() {
      for (const part of [core, events, disorder, rateLimits]) part?.reset();
      listeners.tell();
    },
    async stop() {
      for (const part of [events, disorder, core.schedule]) part.reset();
      socket.stop();
      await served.stop();
    },
  };
}
