/**
 * Clients of Slack that were written elsewhere, unpatched, against the workspace. Each is a bot that does the same; people
 * see no difference.
 */
import { afterAll, describe, expect, it } from 'vitest';
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { asJsonObject, asList } from '../../../../src/sandbox/slack/core/json-object.ts';
import { watchHosts } from '../harness/watch-hosts.ts';
import { OPERATOR, seenBy, startWorkspace } from '../harness/workspace-harness.ts';
import { CHAT_SDK_BOTS } from './chat-sdk-bot.ts';
import { EDGE_BOTS } from './edge-bot.ts';
import { ACTION, cardText, changedText, notesOf, privateAnswer, REFUSAL } from './sample-bot.ts';
import { SOCKET_MODE_BOT } from './socket-mode-bot.ts';

const ASKING = { user: 'operator', channel: 'ops', command: '/fleet', text: 'web-01' };
const watched = watchHosts();
afterAll(watched.stop);

/** The open form of the operator, with the names of its only field. */
function formOf(workspace: Workspace) {
  const [form] = workspace.views('operator').modals.map(asJsonObject);
  const [block] = asList(form?.['blocks']).map(asJsonObject);
  const element = asJsonObject(block?.['element']);
  return {
    view_id: String(form?.['id']),
    block: String(block?.['block_id']),
    action: String(element['action_id']),
  };
}

describe.each([SOCKET_MODE_BOT, ...EDGE_BOTS, ...CHAT_SDK_BOTS])('$name over $transport', (bot) => {
  async function started() {
    const { workspace } = await startWorkspace({ transport: bot.transport, ticking: true });
    await bot.start(workspace);
    return workspace;
  }

  async function withCard() {
    const workspace = await started();
    expect(await workspace.command(ASKING)).toMatchObject({ ok: true });
    await expect
      .poll(() => seenBy(workspace, 'operator').map(({ text, ephemeral }) => ({ text, ephemeral })))
      .toEqual([
        { text: privateAnswer('web-01'), ephemeral: true },
        { text: expect.stringContaining(cardText('web-01')), ephemeral: false },
      ]);
    return workspace;
  }

  it('answers a command privately and posts a card for all', async () => {
    const workspace = await withCard();
    expect(seenBy(workspace, 'approver')).toMatchObject([{ bot: true, ephemeral: false }]);
    const blocks = asList(seenBy(workspace, 'approver')[0]?.blocks).map(asJsonObject);
    expect(blocks.map(({ type }) => type)).toEqual(['section', 'actions']);
  });

  it('opens a form for a button, refuses a reason and changes the card for another', async () => {
    const workspace = await withCard();
    const [card] = seenBy(workspace, 'approver');
    const click = { user: 'operator', channel: 'ops', ts: card?.ts ?? '', action_id: ACTION };
    expect(await workspace.click(click)).toEqual({ ok: true });
    await expect.poll(() => workspace.views('operator').modals.length).toBe(1);
    const { view_id, block, action } = formOf(workspace);
    const submit = (reason: string) =>
      workspace.submit({ user: 'operator', view_id, values: { [block]: { [action]: reason } } });
    expect(await submit('no')).toEqual({ ok: false, error: 'invalid_input', errors: { [block]: REFUSAL } });
    expect(await submit('kernel update')).toEqual({ ok: true });
    await expect
      .poll(() => seenBy(workspace, 'approver'))
      .toMatchObject([{ ts: card?.ts, text: changedText('kernel update') }]);
    expect(workspace.views('operator').modals).toEqual([]);
  });

  it('reads the history when it is mentioned, and answers in the thread', async () => {
    const workspace = await started();
    const say = (text: string) => workspace.message({ user: 'operator', channel: 'ops', text });
    for (const text of ['note: disk full', 'unrelated', 'note: disk replaced']) await say(text);
    const { ts } = await say('@patchbay what was noted?');
    await expect
      .poll(() => seenBy(workspace, 'viewer').at(-1))
      .toMatchObject({ bot: true, text: notesOf(['note: disk replaced', 'note: disk full']), thread_ts: ts });
    expect(seenBy(workspace, 'viewer').filter(({ user }) => user === OPERATOR)).toHaveLength(4);
  });
});

it('none of them leaves this machine', () => {
  expect([...watched.hosts]).toEqual(['127.0.0.1']);
});
