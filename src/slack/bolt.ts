/**
 * Bolt, its receiver for either transport, and the listeners. Nothing here decides: a listener acknowledges and
 * hands over. Both transports are written for the stricter one (an acknowledgement within 3 s, once).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { App, Receiver } from '@slack/bolt';
import type { Clock } from '../clock.ts';
import { slashCommands } from '../commands/root.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { createTunnels } from '../proxy.ts';
import type { Secret } from '../secret.ts';
import type { Actions } from './actions.ts';
import { clientOptions, createAppClient, slackLogger } from './clients.ts';
import type { Conversation } from './conversation.ts';
import { type Guard, GuardedApp } from './door/guarded-app.ts';
import { createHttpReceiver } from './door/http-receiver.ts';
import { createNoteOdd, type NoteOdd, noteListenerFailed } from './door/odd.ts';
import type { Forms } from './forms/forms.ts';
import { createAskAddress } from './socket/addresses.ts';
import { createSocketReceiver } from './socket/socket-receiver.ts';
import { type Identity, modalView } from './web.ts';

export type Connection = {
  readonly start: () => Promise<void>;
  /** Takes nothing more from Slack, which then asks elsewhere or shows its error. What was taken goes on. */
  readonly refuse: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Whether Slack can reach us, as far as we know. */
  readonly connected: () => boolean;
};

export type BoltOptions = {
  readonly config: Pick<Config, 'slack'>;
  readonly root: string;
  readonly identity: Identity;
  readonly conversation: Conversation;
  readonly actions: Pick<Actions, 'press' | 'submit'>;
  readonly forms: Pick<Forms, 'suggest'>;
  /** A shortcut of the app, from anywhere or on a message. It has been acknowledged. */
  readonly onShortcut: (payload: unknown) => Promise<void>;
  readonly onJoined: (payload: unknown) => Promise<void>;
  readonly onHome: (payload: unknown) => Promise<void>;
  readonly onLink: (payload: unknown) => Promise<void>;
  /** Slack does not let us in any more, for this reason, until a person mends it. */
  readonly onFatal: (reason: string) => void;
  /** Health routes, served beside Slack's own with the HTTP transport. */
  readonly routes: readonly Route[];
  /** Serves them since the start. */
  readonly server: Server;
  readonly isForeign: Guard['isForeign'];
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
};
export type Route = { readonly path: string; readonly answer: () => Promise<RouteAnswer> };
export type RouteAnswer = { readonly status: number; readonly body: unknown };

export function createConnection(options: BoltOptions): Connection {
  const transport = options.config.slack.transport;
  switch (transport.kind) {
    case 'socket':
      return socketConnection(options, transport.appToken);
    case 'http':
      return httpConnection(options, transport.signingSecret.reveal());
  }
}

function socketConnection(options: BoltOptions, appToken: Secret): Connection {
  const { config, onFatal, log } = options;
  const noteOdd = createNoteOdd(log, options.clock);
  const receiver = createSocketReceiver({
    dispatcher: createTunnels(config.slack.proxy),
    ask: createAskAddress(createAppClient(config.slack, appToken, log, 0)),
    onFatal,
    log,
  });
  const app = createBoltApp(options, receiver, noteOdd);
  return {
    start: async () => {
      await app.init();
      await receiver.start();
    },
    refuse: receiver.refuse,
    stop: receiver.stop,
    connected: () => receiver.connections() > 0,
  };
}

function httpConnection(options: BoltOptions, signingSecret: string): Connection {
  const { log, clock, routes, server } = options;
  const noteOdd = createNoteOdd(log, clock);
  const receiver = createHttpReceiver({ signingSecret, routes, server, noteOdd });
  const app = createBoltApp(options, receiver, noteOdd);
  let listening = false;
  return {
    start: async () => {
      await app.init();
      await receiver.start();
      listening = true;
    },
    refuse: async () => {
      listening = false;
      refusePosts(server);
    },
    stop: async () => {
      listening = false;
      await receiver.stop();
    },
    connected: () => listening,
  };
}

/** Slack sends an event again that is answered so, and shows its error for a command. Health is told as before. */
function refusePosts(server: Server): void {
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

function createBoltApp(options: BoltOptions, receiver: Receiver, noteOdd: NoteOdd): App {
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
  const app = new GuardedApp(bolt, { noteOdd, isForeign });
  listen(app, options, noteOdd);
  return app;
}

function listen(app: App, options: BoltOptions, noteOdd: NoteOdd): void {
  const { root, conversation, actions, forms, onShortcut, onJoined, onHome, onLink, log } = options;
  for (const { slash, subcommand } of slashCommands(root)) {
    app.command(slash, async ({ ack, payload, respond }) => {
      await ack();
      await conversation.slash(subcommand, payload, respond);
    });
  }
  // Bolt acknowledges events before it calls their listeners.
  app.event('app_mention', ({ body }) => conversation.spoken(body));
  app.event('message', ({ body }) => conversation.spoken(body));
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
    await forms.suggest(body, (options) => ack({ options: [...options] }));
  });
  app.shortcut(/.*/, async ({ ack, body }) => {
    await ack();
    await onShortcut(body);
  });
  app.event('app_home_opened', async ({ payload }) => {
    await onHome(payload);
  });
  app.event('link_shared', async ({ payload }) => {
    await onLink(payload);
  });
  app.event('member_joined_channel', async ({ payload }) => {
    await onJoined(payload);
  });
  app.error(async (error) => {
    noteListenerFailed(error, noteOdd, log);
  });
}
