/** The sample bot by Slack's bare Socket Mode client and its Web API client. */
import { SocketModeClient } from '@slack/socket-mode';
import { onTestFinished } from 'vitest';
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { clientOf, SILENT } from '../harness/workspace-harness.ts';
import {
  cardBlocks,
  cardText,
  changedText,
  FIELD,
  formView,
  LEAST_LENGTH,
  notesOf,
  placeIn,
  privateAnswer,
  REFUSAL,
  type SampleBot,
} from './sample-bot.ts';

async function start(workspace: Workspace): Promise<void> {
  const web = clientOf(workspace);
  const socket = new SocketModeClient({
    appToken: workspace.appToken,
    clientOptions: { slackApiUrl: workspace.apiUrl },
    logger: SILENT,
  });
  socket.on('slash_commands', async ({ ack, body }) => {
    await ack();
    const { channel_id: channel, user_id: user, text } = body;
    await web.chat.postEphemeral({ channel, user, text: privateAnswer(text) });
    await web.chat.postMessage({ channel, text: cardText(text), blocks: cardBlocks(text) });
  });
  socket.on('interactive', async ({ ack, body }) => {
    if (body.type === 'block_actions') {
      await ack();
      const view = formView({ channel: body.channel.id, ts: body.message.ts });
      await web.views.open({ trigger_id: body.trigger_id, view });
      return;
    }
    const reason: string = body.view.state.values[FIELD][FIELD].value;
    if (reason.length < LEAST_LENGTH) {
      await ack({ response_action: 'errors', errors: { [FIELD]: REFUSAL } });
      return;
    }
    await ack();
    await web.chat.update({
      ...placeIn(body.view.private_metadata),
      text: changedText(reason),
      blocks: [],
    });
  });
  socket.on('app_mention', async ({ ack, event }) => {
    await ack();
    const { messages = [] } = await web.conversations.history({ channel: event.channel });
    const text = notesOf(messages.map((message) => message.text));
    await web.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text });
  });
  await socket.start();
  onTestFinished(() => socket.disconnect());
}

export const SOCKET_MODE_BOT: SampleBot = { name: '@slack/socket-mode', transport: 'socket', start };
