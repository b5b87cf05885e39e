/** What a person can press, and what the bot receives. */
import { describe, expect, it } from 'vitest';
import { startRawBot, startWithBot } from '../harness/bots.ts';
import {
  answerOf,
  button,
  OPERATOR,
  OPS,
  section,
  seenBy,
  startWorkspace,
} from '../harness/workspace-harness.ts';

const option = (value: string) => ({ text: { type: 'plain_text', text: value }, value });
const BLOCKS = [
  section('card', { block_id: 'top', accessory: button('go', { value: 'v1' }) }),
  {
    type: 'actions',
    block_id: 'row',
    elements: [
      button('approve', {
        value: 'a_1',
        style: 'primary',
        confirm: {
          title: { type: 'plain_text', text: 'Approve' },
          text: { type: 'plain_text', text: 'Sure?' },
          confirm: { type: 'plain_text', text: 'Yes' },
          deny: { type: 'plain_text', text: 'No' },
        },
      }),
      { type: 'static_select', action_id: 'pick', options: [option('one'), option('two')] },
      { type: 'checkboxes', action_id: 'tick', options: [option('x'), option('y')] },
      { type: 'timepicker', action_id: 'at' },
    ],
  },
  section('again', { block_id: 'bottom', accessory: button('go', { value: 'v2' }) }),
  {
    type: 'input',
    block_id: 'in',
    label: { type: 'plain_text', text: 'Note' },
    element: { type: 'plain_text_input', action_id: 'note' },
  },
];

async function withCard(method = 'chat.postMessage', args: Record<string, unknown> = {}) {
  const { workspace, bot } = await startWithBot();
  const posted = await answerOf(workspace, method, { channel: OPS, text: 'card', blocks: BLOCKS, ...args });
  const ts = String(posted['ts'] ?? posted['message_ts']);
  const click = (change: Record<string, unknown>) =>
    workspace.click({ user: 'operator', channel: 'ops', ts, action_id: 'go', ...change });
  return { workspace, bot, ts, click };
}

describe('a click', () => {
  it('finds its element by action id, or by block id too', async () => {
    const { bot, click } = await withCard();
    await click({ action_id: 'go' });
    expect(bot.last()).toMatchObject({ actions: [{ block_id: 'top', value: 'v1' }] });
    await click({ action_id: 'go', block_id: 'bottom' });
    expect(bot.last()).toMatchObject({ actions: [{ block_id: 'bottom', value: 'v2' }] });
  });

  it.each([
    ['an unknown element', { action_id: 'nothing' }, 'unknown_element'],
    ['an element of another block', { block_id: 'in' }, 'unknown_element'],
    ['an unknown message', { ts: '1.000001' }, 'message_not_found'],
    ['an unknown person', { user: 'nobody' }, 'user_not_found'],
    ['an unknown channel', { channel: 'nowhere' }, 'channel_not_found'],
    ['a person who is no member', { user: 'outsider' }, 'not_in_channel'],
    ['a confirmation answered no', { action_id: 'approve', confirm: false }, 'confirm_declined'],
    ['an option that is not there', { action_id: 'pick', value: 'three' }, 'invalid_value'],
    ['a time that is none', { action_id: 'at', value: 'soon' }, 'invalid_value'],
  ])('on %s is refused, and the bot hears nothing', async (_what, change, error) => {
    const { bot, click } = await withCard();
    expect(await click(change)).toEqual({ ok: false, error });
    expect(bot.envelopes).toEqual([]);
  });

  it('goes ahead where a confirmation is declined that was not required', async () => {
    const { click } = await withCard();
    expect(await click({ action_id: 'go', confirm: false })).toEqual({ ok: true });
  });

  it('reports everything that the person has entered so far, and nothing of others', async () => {
    const { bot, click } = await withCard();
    await click({ action_id: 'pick', value: 'two' });
    await click({ user: 'approver', action_id: 'pick', value: 'one' });
    expect(await click({ action_id: 'note', value: 'typed' })).toEqual({ ok: true });
    expect(bot.envelopes).toHaveLength(2);
    await click({ action_id: 'go' });
    expect(bot.last()).toMatchObject({
      state: {
        values: {
          row: { pick: { selected_option: option('two') }, tick: { selected_options: [] } },
          in: { note: { type: 'plain_text_input', value: 'typed' } },
        },
      },
    });
  });

  it('on an ephemeral message says so and shows no message', async () => {
    const { bot, ts, click, workspace } = await withCard('chat.postEphemeral', { user: OPERATOR });
    await click({});
    const payload = bot.last();
    expect(payload).toMatchObject({ container: { message_ts: ts, is_ephemeral: true } });
    expect(payload).toMatchObject({ response_url: expect.stringMatching(/^http/) });
    expect(payload).not.toHaveProperty('message');
    const others = workspace.click({ user: 'approver', channel: 'ops', ts, action_id: 'go' });
    expect(await others).toEqual({ ok: false, error: 'message_not_found' });
  });

  it('works in a direct message with the bot, for its person only', async () => {
    const { workspace } = await startWorkspace();
    await startRawBot(workspace);
    await answerOf(workspace, 'conversations.open', { users: OPERATOR });
    await answerOf(workspace, 'chat.postMessage', { channel: 'D0OPERATOR1', text: 'card', blocks: BLOCKS });
    const [card] = seenBy(workspace, 'operator', '@operator');
    const click = { channel: '@operator', ts: card?.ts ?? '', action_id: 'go' };
    expect(await workspace.click({ ...click, user: 'operator' })).toEqual({ ok: true });
    expect(await workspace.click({ ...click, user: 'admin' })).toEqual({
      ok: false,
      error: 'channel_not_found',
    });
  });
});
