/**
 * The sample bot by slack-edge and slack-web-api-client. slack-edge knows Slack's own address only, so its listeners
 * call a client of their own, and its option `authorize` asks that one who the bot is. Over Socket Mode it receives
 * what @slack/socket-mode does, as it recommends itself.
 */
import { SocketModeClient } from '@slack/socket-mode';
import {
  type AuthorizeResult,
  fromResponseToSocketModePayload,
  fromSocketModeToRequest,
  SlackApp,
} from 'slack-edge';
import { SlackAPIClient } from 'slack-web-api-client';
import { onTestFinished } from 'vitest';
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { SILENT } from '../harness/workspace-harness.ts';
import {
  ACTION,
  cardBlocks,
  cardText,
  changedText,
  FIELD,
  FORM,
  formView,
  LEAST_LENGTH,
  notesOf,
  placeIn,
  privateAnswer,
  REFUSAL,
  type SampleBot,
  serveBot,
} from './sample-bot.ts';

async function whoIs(api: SlackAPIClient, botToken: string): Promise<AuthorizeResult> {
  const { bot_id: botId = '', user_id: botUserId = '', headers } = await api.auth.test();
  return { botToken, botId, botUserId, botScopes: headers.get('x-oauth-scopes')?.split(',') ?? [] };
}

function createApp(workspace: Workspace, socketMode: boolean) {
  const api = new SlackAPIClient(workspace.botToken, { baseUrl: workspace.apiUrl });
  const app = new SlackApp({
    env: {
      SLACK_SIGNING_SECRET: workspace.signingSecret,
      SLACK_BOT_TOKEN: workspace.botToken,
      SLACK_APP_TOKEN: workspace.appToken,
    },
    authorize: () => whoIs(api, workspace.botToken),
    socketMode,
    startLazyListenerAfterAck: true,
  });
  app.command(
    '/fleet',
    async () => undefined,
    async ({ payload: { channel_id: channel, user_id: user, text } }) => {
      await api.chat.postEphemeral({ channel, user, text: privateAnswer(text) });
      await api.chat.postMessage({ channel, text: cardText(text), blocks: cardBlocks(text) });
    },
  );
  app.action(
    ACTION,
    async () => undefined,
    async ({ payload: { trigger_id, container } }) => {
      if (container.type !== 'message') return;
      const view = formView({ channel: container.channel_id, ts: container.message_ts });
      await api.views.open({ trigger_id, view });
    },
  );
  const reasonIn = (values: Record<string, Record<string, { value?: string | null }>>) =>
    values[FIELD]?.[FIELD]?.value ?? '';
  const isRefused = (reason: string) => reason.length < LEAST_LENGTH;
  app.viewSubmission(
    FORM,
    async ({ payload: { view } }) =>
      isRefused(reasonIn(view.state.values))
        ? { response_action: 'errors', errors: { [FIELD]: REFUSAL } }
        : undefined,
    async ({ payload: { view } }) => {
      const reason = reasonIn(view.state.values);
      if (isRefused(reason)) return;
      await api.chat.update({
        ...placeIn(view.private_metadata),
        text: changedText(reason),
        blocks: [],
      });
    },
  );
  app.event('app_mention', async ({ payload: { channel, ts } }) => {
    const { messages = [] } = await api.conversations.history({ channel });
    const text = notesOf(messages.map((message) => message.text));
    await api.chat.postMessage({ channel, thread_ts: ts, text });
  });
  return app;
}

async function startOverHttp(workspace: Workspace): Promise<void> {
  const app = createApp(workspace, false);
  await serveBot(workspace, (request) => app.run(request));
}

async function startOverSocket(workspace: Workspace): Promise<void> {
  const app = createApp(workspace, true);
  const socket = new SocketModeClient({
    appToken: workspace.appToken,
    clientOptions: { slackApiUrl: workspace.apiUrl },
    logger: SILENT,
  });
  socket.on('slack_event', async ({ ack, body }) => {
    const request = fromSocketModeToRequest({ body });
    if (request === undefined) return;
    const response = await app.run(request);
    await ack(await fromResponseToSocketModePayload({ response }));
  });
  await socket.start();
  onTestFinished(() => socket.disconnect());
}

export const EDGE_BOTS: readonly SampleBot[] = [
  { name: 'slack-edge', transport: 'http', start: startOverHttp },
  { name: 'slack-edge', transport: 'socket', start: startOverSocket },
];
