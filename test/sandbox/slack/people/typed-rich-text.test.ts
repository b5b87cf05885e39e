/** docs.slack.dev/reference/block-kit/block-elements: “the same messaging writing experience as in Slack”. */
import { expect, test } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { answerOf, OPERATOR, OPS, startWorkspace } from '../harness/workspace-harness.ts';

const plain = (text: string) => ({ type: 'plain_text', text, emoji: true });
const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style ? { style } : {}) });
const section = (...elements: readonly object[]) => ({ type: 'rich_text_section', elements });
const user = { type: 'user', user_id: 'U0VIEWER001' };

/** The value of a rich text input that the bot is told after a person typed this. */
async function told(...elements: readonly object[]): Promise<unknown> {
  const { workspace } = await startWorkspace();
  const bot = await startRawBot(workspace);
  const element = { type: 'rich_text_input', action_id: 'it' };
  const input = { type: 'input', block_id: 'row', label: plain('it'), dispatch_action: true, element };
  const view = { type: 'home', blocks: [input] };
  const { view: published } = await answerOf(workspace, 'views.publish', { user_id: OPERATOR, view });
  const view_id = String(Object(published).id);
  const place = { user: 'operator', channel: '', ts: '', view_id, action_id: 'it' };
  const value = { type: 'rich_text', elements };
  expect(await workspace.click({ ...place, value })).toEqual({ ok: true });
  const actions: unknown = bot.last()['actions'];
  return Array.isArray(actions) ? actions[0].rich_text_value.elements : actions;
}

test('addresses, names and emoji that are typed into rich text are elements of their own', async () => {
  const typed = section(text('See https://a.example or #ops, @viewer :wave:'));
  const parts = [
    text('See '),
    { type: 'link', url: 'https://a.example' },
    text(' or '),
    { type: 'channel', channel_id: OPS },
    text(', '),
    user,
    text(' '),
    { type: 'emoji', name: 'wave', unicode: '1f44b' },
  ];
  expect(await told(typed)).toEqual([section(...parts)]);
});

test('they keep their style, in lists and quotes too', async () => {
  const bold = { bold: true };
  const typed = section(text('Ask @viewer', bold));
  const quote = { type: 'rich_text_quote', elements: [text('@viewer')] };
  expect(await told({ type: 'rich_text_list', style: 'bullet', elements: [typed] }, quote)).toEqual([
    {
      type: 'rich_text_list',
      style: 'bullet',
      elements: [section(text('Ask ', bold), { ...user, style: bold })],
    },
    { ...quote, elements: [user] },
  ]);
});

test('code, and what is an element already, stays as it is', async () => {
  const typed = [
    section(text('@viewer', { code: true }), user),
    { type: 'rich_text_preformatted', elements: [text('@viewer :wave:')] },
  ];
  expect(await told(...typed)).toEqual(typed);
});
