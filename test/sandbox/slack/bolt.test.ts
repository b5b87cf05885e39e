/** Slack's own framework against the workspace, on both transports. */
import type { App as BoltApp } from '@slack/bolt';
import type { KnownBlock } from '@slack/types';
import { describe, expect, it } from 'vitest';
import { aModal, anExternalModal } from './harness/sample-views.ts';
import {
  button,
  OPERATOR,
  OPS,
  RANDOM,
  section,
  seenBy,
  startBolt,
  startWorkspace,
} from './harness/workspace-harness.ts';

const asking = { user: 'operator', channel: 'ops', command: '/fleet', text: 'device web-01' };

/** A workspace with a bot that has these listeners. */
async function withBot(transport: 'socket' | 'http', listen: (app: BoltApp) => void, options = {}) {
  const started = await startWorkspace({ transport, ...options });
  await startBolt(started, transport, listen);
  return started;
}

describe.each(['socket', 'http'] as const)('Bolt over %s', (transport) => {
  it('answers a command later through its response URL, also where the bot is no member', async () => {
    const answered = Promise.withResolvers<void>();
    const { workspace } = await withBot(transport, (app) => {
      app.command('/fleet', async ({ ack, respond }) => {
        await ack();
        await respond({ text: 'for all', response_type: 'in_channel' });
        answered.resolve();
      });
    });
    await workspace.command({ ...asking, channel: 'random' });
    await answered.promise;
    expect(seenBy(workspace, 'viewer', RANDOM)).toMatchObject([{ text: 'for all', ephemeral: false }]);
  });

  it('shows a timeout when a command is not acknowledged within three seconds', async () => {
    const { workspace } = await withBot(transport, (app) => {
      app.command('/fleet', async () => undefined);
    });
    expect(await workspace.command(asking)).toEqual({ ok: false, error: 'operation_timeout' });
  });

  it('brings a click to the bot, which changes the message', async () => {
    const changed = Promise.withResolvers<void>();
    const { workspace } = await withBot(transport, (app) => {
      app.action('approve', async ({ ack, body, client, payload }) => {
        await ack();
        if (body.type !== 'block_actions' || payload.type !== 'button') return;
        const text = `${body.user.id} pressed ${payload.value}`;
        await client.chat.update({ channel: OPS, ts: body.message?.ts ?? '', text });
        changed.resolve();
      });
      app.command('/fleet', async ({ ack, client }) => {
        const row = { type: 'actions', elements: [button('approve', { value: 'a_1' })] };
        await client.chat.postMessage({ channel: OPS, text: 'card', blocks: [section(), row] });
        await ack();
      });
    });
    await workspace.command(asking);
    const [card] = seenBy(workspace, 'approver');
    const click = { user: 'approver', channel: 'ops', ts: card?.ts ?? '', action_id: 'approve' };
    expect(await workspace.click(click)).toEqual({ ok: true });
    await changed.promise;
    expect(seenBy(workspace, 'approver')).toMatchObject([{ text: 'U0APPROVER1 pressed a_1', blocks: [] }]);
  });

  it('replaces an ephemeral message through the response URL of a click on it', async () => {
    const replaced = Promise.withResolvers<void>();
    const { workspace } = await withBot(transport, (app) => {
      app.action('more', async ({ ack, respond, body }) => {
        await ack();
        const isEphemeral = body.type === 'block_actions' && body.container['is_ephemeral'] === true;
        await respond({ replace_original: true, text: `ephemeral: ${isEphemeral}` });
        replaced.resolve();
      });
      app.command('/fleet', async ({ ack, respond }) => {
        await respond({
          text: 'pick',
          blocks: [section('pick', { accessory: button('more') }) as KnownBlock],
        });
        await ack();
      });
    });
    await workspace.command(asking);
    const [shown] = seenBy(workspace, 'operator');
    await workspace.click({ user: 'operator', channel: 'ops', ts: shown?.ts ?? '', action_id: 'more' });
    await replaced.promise;
    expect(seenBy(workspace, 'operator')).toMatchObject([{ text: 'ephemeral: true', ephemeral: true }]);
  });

  it('opens a modal, shows field errors, takes corrections and closes', async () => {
    const { workspace } = await withBot(
      transport,
      (app) => {
        app.command('/fleet', async ({ ack, client, command }) => {
          await client.views.open({ trigger_id: command.trigger_id, view: aModal() });
          await ack();
        });
        app.view('ask', async ({ ack, view }) => {
          const reason = view.state.values['why']?.['reason']?.value;
          if (reason === 'no') await ack({ response_action: 'errors', errors: { why: 'Say more' } });
          else await ack();
        });
      },
      { ticking: true },
    );
    await workspace.command(asking);
    const [modal] = workspace.views('operator').modals as { id: string }[];
    const submit = (reason: string) =>
      workspace.submit({ user: 'operator', view_id: modal?.id ?? '', values: { why: { reason } } });
    expect(await submit('no')).toEqual({ ok: false, error: 'invalid_input', errors: { why: 'Say more' } });
    expect(workspace.views('operator').modals).toHaveLength(1);
    expect(await submit('kernel update')).toEqual({ ok: true });
    expect(workspace.views('operator').modals).toEqual([]);
  });

  it('asks the bot for suggestions and lets a person submit one of them', async () => {
    const submitted = Promise.withResolvers<unknown>();
    const { workspace } = await withBot(
      transport,
      (app) => {
        app.command('/fleet', async ({ ack, client, command }) => {
          await client.views.open({ trigger_id: command.trigger_id, view: anExternalModal() });
          await ack();
        });
        app.options('device', async ({ ack, payload }) => {
          await ack({ options: [{ text: { type: 'plain_text', text: payload.value }, value: 'd1' }] });
        });
        app.view('pick', async ({ ack, view }) => {
          await ack();
          submitted.resolve(view.state.values['which']?.['device']?.selected_option);
        });
      },
      { ticking: true },
    );
    await workspace.command(asking);
    const [modal] = workspace.views('operator').modals as { id: string }[];
    const place = { user: 'operator', view_id: modal?.id ?? '' };
    const typed = { ...place, block_id: 'which', action_id: 'device', value: 'web' };
    const option = { text: { type: 'plain_text', text: 'web' }, value: 'd1' };
    expect(await workspace.suggest(typed)).toEqual({ ok: true, options: [option] });
    await workspace.submit({ ...place, values: { which: { device: 'd1' } } });
    expect(await submitted.promise).toEqual({ ...option, text: { ...option.text, emoji: true } });
  });

  it('delivers mentions and invitations as events', async () => {
    const heard: string[] = [];
    const mentioned = Promise.withResolvers<void>();
    const { workspace } = await withBot(transport, (app) => {
      app.event('member_joined_channel', async ({ event, say }) => {
        heard.push(`${event.user} in ${event.channel}`);
        await say('Hello');
      });
      app.event('app_mention', async ({ event }) => {
        heard.push(event.text);
        mentioned.resolve();
      });
    });
    expect(await workspace.invite({ user: 'viewer', channel: 'random' })).toEqual({ ok: true });
    await expect.poll(() => seenBy(workspace, 'viewer', 'random')).toMatchObject([{ text: 'Hello' }]);
    await workspace.message({ user: 'operator', channel: 'ops', text: '@patchbay are you there?' });
    await mentioned.promise;
    expect(heard).toEqual([`U0PATCHBAY1 in ${RANDOM}`, '<@U0PATCHBAY1> are you there?']);
    expect(seenBy(workspace, 'operator')).toMatchObject([{ user: OPERATOR, bot: false }]);
  });
});

it('says at once that nobody is there when no bot is connected', async () => {
  const { workspace } = await startWorkspace();
  expect(await workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
  const overHttp = await startWorkspace({ transport: 'http' });
  overHttp.workspace.setBotUrl('http://127.0.0.1:1');
  expect(await overHttp.workspace.command(asking)).toEqual({ ok: false, error: 'dispatch_failed' });
});

it('keeps the connections of a bot over a reset', async () => {
  const { workspace } = await withBot('socket', (app) => {
    app.command('/fleet', async ({ ack }) => ack());
  });
  await workspace.command(asking);
  workspace.reset();
  expect(seenBy(workspace, 'operator')).toEqual([]);
  expect(await workspace.command(asking)).toMatchObject({ ok: true });
});
