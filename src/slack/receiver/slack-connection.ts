/**
 * Bolt, its receiver for either transport, and the listeners. Nothing here decides: a listener acknowledges and passes
 * on. Both transports follow the stricter one (one acknowledgement within 3 s).
 */
import type { Server } from 'node:http';
import { type AckFn, App, type AppOptions, type Receiver, type ReceiverEvent } from '@slack/bolt';
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
import { type Identity, modalView } from '../web-api/slack-web.ts';
import { createHttpReceiver, type HttpRoute } from './http-receiver.ts';
import {
  createLogRejected,
  createSignatureMemory,
  isPayload,
  type LogRejected,
  logListenerFailed,
  type Payload,
} from './request-checks.ts';

export type SlackConnection = {
  readonly start: () => Promise<void>;
  /** Accepts nothing more from Slack, which then tries another connection or shows its error. Accepted work continues. */
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
      receiver.stopAccepting();
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

type PayloadGuard = {
  readonly logRejected: LogRejected;
  /** Whether a payload belongs to another app, team or enterprise, or to a person of another team. Logs it itself. */
  readonly isForeign: (payload: Payload) => boolean;
  /** `SLACK_API_URL`: its host may take answers, too. */
  readonly slackHost: Pick<URL, 'protocol' | 'hostname'>;
};

/** Payloads that are not Slack's, or of another app or team, are dropped; all end acknowledged and without an exception. */
class GuardedApp extends App {
  readonly #guard: PayloadGuard;

  constructor(options: AppOptions, guard: PayloadGuard) {
    super(options);
    this.#guard = guard;
  }

  /** Never rejects, and acknowledges at the latest when the event was processed. */
  override async processEvent(event: ReceiverEvent): Promise<void> {
    const { logRejected, isForeign, slackHost } = this.#guard;
    const { ack, acknowledgeAnyway } = sendOnce(event.ack, logRejected);
    const { body }: { readonly body: unknown } = event;
    try {
      if (!isPayload(body) || !isSlackPayload(body)) logRejected('payload', 'no payload of a known kind');
      else if (!isForeign(body)) {
        // No window of ours asks for `response_urls`.
        const { response_url: url, response_urls: _, ...rest } = body;
        const isAnswerable = url === undefined || url === '' || isResponseUrl(url, slackHost);
        if (!isAnswerable) logRejected('payload', 'a response URL elsewhere');
        // Without its address, so the answer is an ephemeral message.
        await super.processEvent({
          ...event,
          ack,
          body: isAnswerable ? { ...rest, response_url: url } : rest,
        });
      }
    } catch {
      // The error's message may contain the payload.
      logRejected('payload', 'failed before its listener');
    }
    await acknowledgeAnyway();
  }
}

/**
 * Whether some listener could handle it: checks the fields that Bolt reads without checking that they exist
 * (docs.slack.dev/reference/interaction-payloads). The listeners validate the rest.
 */
function isSlackPayload({ event, type, command, actions, view, ...payload }: Payload): boolean {
  if (event !== undefined) return type === 'event_callback' && isPayload(event) && isText(event['type']);
  if (command !== undefined) return isText(command);
  switch (type) {
    case 'block_actions':
      return Array.isArray(actions) && isPayload(actions[0]) && isText(actions[0]['action_id']);
    case 'view_submission':
      return isPayload(view) && isText(view['callback_id']);
    case 'block_suggestion':
      return isText(payload['action_id']);
    case 'shortcut':
    case 'message_action':
      return isText(payload['callback_id']);
    default:
      return false;
  }
}

/** For workspaces, and for those of GovSlack (docs.slack.dev/interactivity/handling-user-interaction; docs.slack.dev/govslack). */
const RESPONSE_HOSTS: readonly string[] = ['hooks.slack.com', 'hooks.slack-gov.com'];

/** Answers hold facts of the fleet, so they go to Slack alone. */
function isResponseUrl(value: unknown, slackHost: PayloadGuard['slackHost']): boolean {
  const url = typeof value === 'string' ? URL.parse(value) : null;
  if (url === null) return false;
  const { protocol, hostname, port, username, password } = url;
  if (username !== '' || password !== '') return false;
  if (protocol === slackHost.protocol && hostname === slackHost.hostname) return true;
  return protocol === 'https:' && port === '' && RESPONSE_HOSTS.includes(hostname);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

/** Sends the acknowledgement at most once; a failure to send is only logged. */
function sendOnce(send: AckFn<unknown>, logRejected: LogRejected) {
  let sent = false;
  const ack: AckFn<unknown> = async (answer) => {
    if (sent) throw new Error('acknowledged twice');
    sent = true;
    await send(answer);
  };
  return {
    ack,
    acknowledgeAnyway: async (): Promise<void> => {
      if (!sent) await ack().catch(() => logRejected('payload', 'could not be acknowledged'));
    },
  };
}
