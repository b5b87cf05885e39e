/** The sample bot by the Chat SDK and its Slack adapter, which brings older releases of Slack's own clients. */
import { createSlackAdapter } from '@chat-adapter/slack';
import { createMemoryState } from '@chat-adapter/state-memory';
import { Actions, Button, Card, CardText, Chat, ConsoleLogger, Modal, TextInput } from 'chat';
import { onTestFinished } from 'vitest';
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import {
  ACTION,
  cardText,
  changedText,
  FIELD,
  FORM,
  LEAST_LENGTH,
  notesOf,
  placeIn,
  privateAnswer,
  REFUSAL,
  type SampleBot,
  serveBot,
} from './sample-bot.ts';

async function start(workspace: Workspace, mode: 'socket' | 'webhook') {
  const logger = new ConsoleLogger('error');
  const slack = createSlackAdapter({
    logger,
    mode,
    apiUrl: workspace.apiUrl,
    botToken: workspace.botToken,
    appToken: workspace.appToken,
    signingSecret: workspace.signingSecret,
  });
  const chat = new Chat({
    userName: 'patchbay',
    adapters: { slack },
    state: createMemoryState(),
    logger,
  });
  chat.onSlashCommand('/fleet', async ({ channel, user, text }) => {
    await channel.postEphemeral(user, privateAnswer(text), { fallbackToDM: false });
    const button = Button({ id: ACTION, label: 'Why?', value: text });
    await channel.post(Card({ children: [CardText(cardText(text)), Actions([button])] }));
  });
  chat.onAction(ACTION, async ({ openModal, threadId, messageId }) => {
    await openModal(
      Modal({
        callbackId: FORM,
        // After a refusal the SDK itself no longer knows the message.
        privateMetadata: JSON.stringify({ channel: threadId, ts: messageId }),
        title: 'Reason',
        submitLabel: 'Send',
        children: [TextInput({ id: FIELD, label: 'Reason' })],
      }),
    );
  });
  chat.onModalSubmit(FORM, async ({ values, privateMetadata = '{}' }) => {
    const reason = values[FIELD] ?? '';
    if (reason.length < LEAST_LENGTH) return { action: 'errors', errors: { [FIELD]: REFUSAL } };
    const { channel, ts } = placeIn(privateMetadata);
    await slack.editMessage(channel, ts, changedText(reason));
    return undefined;
  });
  chat.onNewMention(async (thread) => {
    const texts: string[] = [];
    for await (const message of thread.channel.messages) texts.push(message.text);
    await thread.post(notesOf(texts));
  });
  await chat.initialize();
  onTestFinished(() => chat.shutdown());
  return chat;
}

async function startOverHttp(workspace: Workspace): Promise<void> {
  const chat = await start(workspace, 'webhook');
  await serveBot(workspace, (request) => chat.webhooks.slack(request));
}

export const CHAT_SDK_BOTS: readonly SampleBot[] = [
  { name: '@chat-adapter/slack', transport: 'http', start: startOverHttp },
  {
    name: '@chat-adapter/slack',
    transport: 'socket',
    start: async (workspace) => {
      await start(workspace, 'socket');
    },
  },
];
