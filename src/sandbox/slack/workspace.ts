/**
 * A Slack workspace on one machine: Web API, Socket Mode and signed HTTP for the bot, gestures for people. It
 * knows Slack's rules and nothing of the product. This file only builds the parts and joins them.
 */
import type { Workspace, WorkspaceOptions } from '../contracts.ts';
import { installApp } from './app.ts';
import type { Core } from './core.ts';
import type { Deliver } from './delivery/delivery.ts';
import { createEvents } from './delivery/events.ts';
import { createHttpDelivery } from './delivery/http.ts';
import { createSocketMode } from './delivery/socket-mode.ts';
import { createDoor } from './door.ts';
import { createIds } from './ids.ts';
import { readManifest } from './manifest.ts';
import { createGestures } from './people/gestures.ts';
import { createResponseUrls } from './response-urls.ts';
import { createDirectory } from './state/directory.ts';
import { createInputs } from './state/inputs.ts';
import { createTimeline } from './state/timeline.ts';
import { createViewStore } from './state/views.ts';
import { createTriggers } from './triggers.ts';
import { createRateLimits } from './web-api/rate-limits.ts';
import { allMethods } from './web-api/registry.ts';
import { createWebApi } from './web-api/web-api.ts';

/** Starts a workspace in which the manifest's app is installed. */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { clock, wire, transport, port } = options;
  const app = installApp();
  const ids = createIds(clock);
  const manifest = readManifest(options.manifest);
  const listeners = new Set<() => void>();
  let url = '';
  let botUrl: string | null = null;
  const origin = () => url;

  const socket = createSocketMode({ app, ids, origin });
  const http = createHttpDelivery({ app, botUrl: () => botUrl });
  const deliver: Deliver = transport === 'socket' ? socket.deliver : http;
  const events = createEvents({ app, clock, ids, subscribed: manifest.events, deliver });
  const core: Core = {
    clock,
    ids,
    app,
    manifest,
    directory: createDirectory(app),
    timeline: createTimeline(),
    views: createViewStore(ids),
    inputs: createInputs(),
    triggers: createTriggers(clock, ids),
    responseUrls: createResponseUrls({ clock, ids, teamId: app.teamId, origin }),
    changed: () => {
      for (const listener of listeners) listener();
    },
    announce: events.announce,
  };
  const rateLimits = options.rateLimits === true ? createRateLimits(clock) : undefined;
  const webApi = createWebApi({ core, methods: allMethods(socket.open), rateLimits });
  const fetch = createDoor(core, webApi);
  const served = await wire.serve({
    service: 'slack',
    fetch,
    upgrade: socket.upgrade,
    ...(port === undefined ? {} : { port }),
  });
  url = served.url;

  return {
    apiUrl: `${served.url}/api/`,
    botToken: app.botToken,
    appToken: app.appToken,
    signingSecret: app.signingSecret,
    users: () => core.directory.people(),
    channels: () => core.directory.channels(),
    userGroups: () => core.directory.userGroups(),
    setBotUrl(to) {
      botUrl = to;
    },
    commands: () => manifest.commands,
    ...createGestures(core, deliver),
    onChange(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    reset() {
      for (const store of [core.directory, core.timeline, core.views, core.inputs]) store.reset();
      for (const store of [core.triggers, core.responseUrls, events, rateLimits]) store?.reset();
      core.changed();
    },
    async stop() {
      events.reset();
      socket.stop();
      await served.stop();
    },
  };
}
