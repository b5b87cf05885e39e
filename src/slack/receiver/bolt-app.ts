/**
 * Bolt, its receiver for either transport, and the listeners. Nothing here decides: a listener acknowledges and passes
 * on. Both transports follow the stricter one (one acknowledgement within 3 s).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { App, Receiver } from '@slack/bolt';
import type { Config } from '../../config/config.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Log, Secret } from '../../lib/log.ts';
import { createWebSocketDispatcher } from '../../lib/proxy.ts';
import { slashCommands } from '../../lib/slash-commands.ts';
import type { ReplicaStore } from '../../store/port/replica-records.ts';
import type { Forms } from '../forms/forms.ts';
import type { ButtonActions } from '../interactions/button-actions.ts';
import type { TextCommands } from '../interactions/text-commands.ts';
import { createRequestConnectionUrl } from '../socket-mode/connection-urls.ts';
import { createSocketReceiver } from '../socket-mode/socket-receiver.ts';
import { clientOptions, createAppClient, slackLogger } from '../web-api/clients.ts';
import type { Identity } from '../web-api/slack-web.ts';
import { modalView } from '../web-api/slack-web.ts';
import { GuardedApp, type PayloadGuard } from './guarded-app.ts';
import { createHttpReceiver, type HttpRoute } from './http-receiver.ts';
import {
  createLogRejected,
  createSignatureMemory,
  type LogRejected,
  logListenerFailed,
} from './request-checks.ts';

export type SlackConnection = {
  readonly start: () => Promise<void>;
  /**
   * Accepts nothing more from Slack, which then tries another connection or shows its error. Accepted work continues.
   */
  readonly stopAccepting: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Whether Slack can reach this process, as far as it knows. */
  readonly connected: () => boolean;
  /** Connections of Socket Mode; none over HTTP. */
  readonly connections: () => number;
  /** Has Slack count the connections of the app again; nothing over HTTP. */
  readonly recount: () => void;
};

export type BoltOptions = {
  readonly config: Pick<Config, 'slack'>;
  readonly root: string;
  readonly identity: Identity;
  readonly conversation: TextCommands;
  readonly actions: Pick<ButtonActions, 'press' | 'submit'>;
  readonly forms: Pick<Forms, 'onOptions'>;
  /** A shortcut of the app, from anywhere or on a message. Already acknowledged. */
  readonly onShortcut: (payload: unknown) => Promise<void>;
  readonly onChannelJoined: (payload: unknown) => Promise<void>;
  readonly onHomeOpened: (payload: unknown) => Promise<void>;
  readonly onLinkShared: (payload: unknown) => Promise<void>;
  /** Slack refuses the app for this reason until a person fixes it. */
  readonly onFatal: (reason: string) => void;
  /** Slack counted the connections of the app; `own`: those of this process. */
  readonly onCounted: (counted: number, own: number) => void;
  /** Health routes, served beside Slack's own with the HTTP transport. */
  readonly routes: readonly HttpRoute[];
  /** The HTTP server, already listening for health checks. */
  readonly server: Server;
  readonly isForeign: PayloadGuard['isForeign'];
  /** Remembers signatures. */
  readonly store: { readonly replicas: Pick<ReplicaStore, 'rememberSignature'> };
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};

export function createSlackConnection(options: BoltOptions): SlackConnection {
  const transport = options.config.slack.transport;
  switch (transport.kind) {
    case 'socket':
      return socketModeConnection(options, transport.appToken);
    case 'http':
      return httpConnection(options, transport.signingSecret.reveal());
  }
}

function socketModeConnection(options: BoltOptions, appToken: Secret): SlackConnection {
  const { config, onFatal, onCounted, log } = options;
  const logRejected = createLogRejected(log, options.clock);
  const receiver = createSocketReceiver({
    dispatcher: createWebSocketDispatcher(config.slack.proxy),
    request: createRequestConnectionUrl(createAppClient(config.slack, appToken, log, 0)),
    onFatal,
    onCounted,
    log,
  });
  const app = createBoltApp(options, receiver, logRejected);
  return {
    start: async () => {
      await app.init();
      await receiver.start();
    },
    stopAccepting: receiver.stopAccepting,
    stop: receiver.stop,
    connected: () => receiver.connections() > 0,
    connections: receiver.connections,
    recount: receiver.recount,
  };
}

function httpConnection(options: BoltOptions, signingSecret: string): SlackConnection {
  const { log, clock, routes, server } = options;
  const logRejected = createLogRejected(log, clock);
  const isFirstUse = createSignatureMemory(options.store.replicas, log);
  const receiver = createHttpReceiver({ signingSecret, routes, server, logRejected, isFirstUse });
  const app = createBoltApp(options, receiver, logRejected);
  let listening = false;
  return {
    start: async () => {
      await app.init();
      await receiver.start();
      listening = true;
    },
    stopAccepting: async () => {
      listening = false;
      rejectPosts(server);
    },
    stop: async () => {
      listening = false;
      await receiver.stop();
    },
    connected: () => listening,
    connections: () => 0,
    recount: () => undefined,
  };
}

/**
 * Answers Slack with 503, so that it sends an event again and shows its error for a command. Health checks still work.
 */
function rejectPosts(server: Server): void {
  const before = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'POST') {
      for (const listener of before) Reflect.apply(listener, server, [request, response]);
      return;
    }
    response.writeHead(503, { connection: 'close', 'retry-after': '5' }).end();
  });
}

function createBoltApp(options: BoltOptions, receiver: Receiver, logRejected: LogRejected): App {
  const { config, identity, log, isForeign } = options;
  const bolt = {
    receiver,
    // Our own auth.test ran before; Bolt's, made in its constructor, would fail as an unhandled rejection.
    authorize: async () => ({
      botToken: config.slack.botToken.reveal(),
      botUserId: identity.botUserId,
      ...(identity.botId === null ? {} : { botId: identity.botId }),
    }),
    clientOptions: clientOptions(config.slack, log, 0),
    logger: slackLogger(log),
    deferInitialization: true,
    convoStore: false,
  } as const;
  const app = new GuardedApp(bolt, { logRejected, isForeign, slackHost: new URL(config.slack.apiUrl) });
  registerListeners(app, options, logRejected);
  return app;
}

function registerListeners(app: App, options: BoltOptions, logRejected: LogRejected): void {
  const { root, conversation, actions, forms, onShortcut, onChannelJoined, onHomeOpened, onLinkShared, log } =
    options;
  for (const { slash, subcommand } of slashCommands(root)) {
    app.command(slash, async ({ ack, payload, respond, context }) => {
      await ack();
      // Only over HTTP does Slack say when it was sent.
      const age: unknown = context['ageMs'];
      const ageMs = typeof age === 'number' ? age : 0;
      await conversation.onSlashCommand(subcommand, payload, respond, ageMs);
    });
  }
  // Bolt acknowledges events before it calls their listeners.
  app.event('app_mention', ({ body }) => conversation.onMessage(body));
  app.event('message', ({ body }) => conversation.onMessage(body));
  app.action({ type: 'block_actions' }, async ({ ack, body, respond }) => {
    await actions.press(body, () => ack(), respond);
  });
  app.view(/.*/, async ({ ack, body }) => {
    await actions.submit(body, (answer) => {
      switch (answer?.kind) {
        case undefined:
          return ack();
        case 'errors':
          return ack({ response_action: 'errors', errors: { ...answer.errors } });
        case 'window':
          return ack({ response_action: 'update', view: modalView(answer.window) });
      }
    });
  });
  app.options(/.*/, async ({ ack, body }) => {
    await forms.onOptions(body, (options) => ack({ options: [...options] }));
  });
  app.shortcut(/.*/, async ({ ack, body }) => {
    await ack();
    await onShortcut(body);
  });
  app.event('app_home_opened', async ({ payload }) => {
    await onHomeOpened(payload);
  });
  app.event('link_shared', async ({ payload }) => {
    await onLinkShared(payload);
  });
  app.event('member_joined_channel', async ({ payload }) => {
    await onChannelJoined(payload);
  });
  app.error(async (error) => {
    logListenerFailed(error, logRejected, log);
  });
}
