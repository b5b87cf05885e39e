/**
 * A Slack workspace on one machine: Web API, Socket Mode and signed HTTP for the bot, actions for people. It knows
 * Slack's rules and nothing of the product. This file only builds the parts and joins them.
 */
import type { DeliveryFaultAnswer, DeliveryFaultInput } from '../contracts/people.ts';
import type { Workspace, WorkspaceOptions } from '../contracts/services.ts';
import { createWorkspaceCore, type WorkspaceCore } from './core/core.ts';
import { createIds } from './core/ids.ts';
import { installApp, readManifest } from './core/installed-app.ts';
import { withInteractivity } from './delivery/delivery.ts';
import {
  createEventDisorder,
  createEventsApi,
  type EventDisorder,
  withMessageEvents,
} from './delivery/events.ts';
import { createHttpDelivery, type HttpDelivery } from './delivery/signed-http.ts';
import { createSocketMode, type SocketMode } from './delivery/socket-mode.ts';
import { createWorkspaceHttp } from './http/workspace-http.ts';
import { closeView, openViews, submitView } from './people/modals.ts';
import { conversationsOf, readExcerpt, readFile, visibleMessages } from './people/read-messages.ts';
import { inviteBot, joinChannel, openHome, reactToMessage, sendMessage } from './people/send-messages.ts';
import { clickElement, sendSlashCommand, suggestOptions, useShortcut } from './people/use-elements.ts';
import { createSlackRateLimits, createWebApi } from './web-api/web-api.ts';

/** Starts a workspace in which the app of the manifest is installed. */
export async function createWorkspace(options: WorkspaceOptions): Promise<Workspace> {
  const { clock, wire, transport, port } = options;
  const app = installApp();
  const ids = createIds(clock);
  const manifest = readManifest(options.manifest);
  const listeners = new Set<() => void>();
  const changed = () => {
    for (const listener of listeners) listener();
  };
  let url = '';
  let botUrl: string | null = null;
  const origin = () => url;

  const socket = createSocketMode({ app, clock, ids, origin });
  const http = createHttpDelivery({ app, botUrl: () => botUrl });
  const { deliver } = transport === 'socket' ? socket : http;
  const disorder = createEventDisorder(clock, deliver);
  const events = createEventsApi({ app, clock, ids, manifest, deliver: disorder.deliver });
  const core = createWorkspaceCore({
    clock,
    ids,
    app,
    manifest,
    origin,
    changed,
    announce: events.announce,
    announced: withMessageEvents,
  });
  const interact = withInteractivity(deliver, manifest.interactivity);
  const rateLimits = options.rateLimits === true ? createSlackRateLimits(clock) : undefined;
  const webApi = createWebApi({ core, openConnection: socket.open, rateLimits });
  const served = await wire.serve({
    service: 'slack',
    fetch: createWorkspaceHttp(core, webApi),
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
    ...workspaceFacts(core),
    command: (input) => sendSlashCommand(core, interact, input),
    message: async (input) => sendMessage(core, input),
    messages: (view) => visibleMessages(core, view),
    excerpt: (input) => readExcerpt(core, input),
    cursor: core.messageChanges.cursor,
    channelsSince: core.messageChanges.channels,
    conversations: (user) => conversationsOf(core, user),
    file: (input) => readFile(core, input),
    click: (input) => clickElement(core, interact, input),
    views: (user) => openViews(core, user),
    submit: (input) => submitView(core, interact, input),
    close: async (input) => closeView(core, input),
    suggest: (input) => suggestOptions(core, interact, input),
    invite: async (input) => inviteBot(core, input),
    shortcut: (input) => useShortcut(core, interact, input),
    home: async (input) => openHome(core, input),
    react: async (input) => reactToMessage(core, input),
    join: async (input) => joinChannel(core, input),
    delivery: createDeliveryFaults({ transport, socket, http, disorder }),
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    reset() {
      for (const part of [core, events, disorder, rateLimits]) part?.reset();
      changed();
    },
    async stop() {
      for (const part of [events, disorder]) part.reset();
      socket.stop();
      await served.stop();
    },
  };
}

type DeliveryParts = {
  readonly transport: WorkspaceOptions['transport'];
  readonly socket: Pick<SocketMode, 'applyFault'>;
  readonly http: Pick<HttpDelivery, 'verify'>;
  readonly disorder: EventDisorder;
};

function createDeliveryFaults({ transport, socket, http, disorder }: DeliveryParts) {
  return async ({ do: what, times }: DeliveryFaultInput): Promise<DeliveryFaultAnswer> => {
    switch (what) {
      case 'duplicate':
      case 'reorder':
        disorder.request(what, times ?? 1);
        return { ok: true };
      case 'verify':
        return transport === 'http' ? http.verify() : { ok: false, error: 'not_over_http' };
      case 'disconnect':
      case 'refresh':
      case 'half-open':
      case 'kill-socket': {
        const connections = socket.applyFault(what, times ?? Number.POSITIVE_INFINITY);
        return connections === 0 ? { ok: false, error: 'no_connection' } : { ok: true, connections };
      }
    }
  };
}

/** Exactly the contract's fields: the control interface forwards them unchanged. */
function workspaceFacts({
  directory,
  manifest,
}: WorkspaceCore): Pick<Workspace, 'users' | 'channels' | 'userGroups' | 'commands' | 'shortcuts'> {
  return {
    users: () => directory.people().map(({ id, name, role }) => ({ id, name, role })),
    channels: () =>
      directory
        .channels()
        .map(({ id, name, kind }) => ({ id, name, ...(kind === 'private' ? { isPrivate: true } : {}) })),
    userGroups: () => directory.userGroups().map(({ id, handle, users }) => ({ id, handle, users })),
    commands: () =>
      manifest.commands.map(({ command, description, usageHint }) => ({ command, description, usageHint })),
    shortcuts: () =>
      manifest.shortcuts.map(({ callbackId, ...shortcut }) => ({ ...shortcut, callback_id: callbackId })),
  };
}
