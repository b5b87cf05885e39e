/** What Slack gives back of a message differs from what was sent. */
import { describe, expect, it } from 'vitest';
import { answerOf, OPERATOR, OPS, startWorkspace } from '../harness/workspace-harness.ts';

async function answered(sent: Record<string, unknown>) {
  const { workspace } = await startWorkspace();
  await answerOf(workspace, 'chat.postMessage', { channel: OPS, ...sent });
  const { messages } = await answerOf(workspace, 'conversations.history', { channel: OPS });
  return Object(messages)[0];
}

const header = (text: Record<string, unknown>) => ({ type: 'header', text: { type: 'plain_text', ...text } });

describe('a message that is read', () => {
  // docs.slack.dev/messaging/formatting-message-text
  it('has names in the place of emoji', async () => {
    expect(await answered({ text: 'Frank 🤖 ⚠️ 👋🏽 §' })).toMatchObject({
      text: 'Frank :robot_face: :warning: :wave::skin-tone-4: §',
    });
  });

  it('has the defaults of text objects, and names for their emoji', async () => {
    const section = { type: 'section', text: { type: 'mrkdwn', text: '✅ done' } };
    const blocks = [section, header({ text: '✅' }), header({ text: '✅', emoji: false })];
    expect(await answered({ text: 'x', blocks })).toMatchObject({
      blocks: [
        { text: { type: 'mrkdwn', text: ':white_check_mark: done', verbatim: false } },
        { text: { type: 'plain_text', text: ':white_check_mark:', emoji: true } },
        { text: { type: 'plain_text', text: '✅', emoji: false } },
      ],
    });
  });

  // docs.slack.dev/reference/interaction-payloads/block_suggestion-payload
  it('has the defaults of input blocks', async () => {
    const input = { type: 'input', label: { type: 'plain_text', text: 'Why' } };
    const element = { type: 'plain_text_input', action_id: 'a' };
    const blocks = [
      { ...input, element },
      { ...input, element, optional: true, dispatch_action: true },
    ];
    expect(await answered({ text: 'x', blocks })).toMatchObject({
      blocks: [
        { optional: false, dispatch_action: false },
        { optional: true, dispatch_action: true },
      ],
    });
  });

  // docs.slack.dev/messaging/formatting-message-text
  it('has links for addresses, but for those of tokens and of verbatim text', async () => {
    const tokens = '<https://a.example|https://a.example> <!date^1^{date}^https://a.example|x>';
    const section = (verbatim: boolean) => ({
      type: 'section',
      text: { type: 'mrkdwn', text: `${tokens} https://b.example.`, verbatim },
    });
    expect(await answered({ text: tokens, blocks: [section(false), section(true)] })).toMatchObject({
      text: tokens,
      blocks: [{ text: { text: `${tokens} <https://b.example>.` } }, section(true)],
    });
  });

  // docs.slack.dev/messaging/formatting-message-text, “So does this one”; slackapi/hubot-slack, issue 181
  it('has hosts without a protocol as the texts of links to them', async () => {
    const text = 'see www.example.com, <https://a.example|a.dev> ada@example.com';
    const linked = 'see <http://www.example.com|www.example.com>, <https://a.example|a.dev> ada@example.com';
    expect(await answered({ text })).toMatchObject({ text: linked });
    expect(await answered({ text, parse: 'none' })).toMatchObject({ text });
  });

  // docs.slack.dev/messaging/formatting-message-text, “Automatic parsing”
  it('has links for names in texts of blocks that are not verbatim', async () => {
    const text =
      '<https://a.example/#ops|a> https://b.example/#ops #ops, @here @fleet-approvers @viewer #nowhere';
    const linked =
      '<https://a.example/#ops|a> <https://b.example/#ops> <#C0OPS000001|ops>, <!here> ' +
      '<!subteam^S0APPROVERS|@fleet-approvers> @viewer #nowhere';
    const fields = [{ type: 'mrkdwn', text }];
    const section = { type: 'section', text: { type: 'mrkdwn', text, verbatim: true }, fields };
    const title = header({ text: '#ops' });
    expect(
      await answered({ text, blocks: [section, title], attachments: [{ blocks: [section] }] }),
    ).toMatchObject({
      text: expect.stringContaining(' #ops, @here'),
      blocks: [{ text: { text }, fields: [{ text: linked }] }, title],
      attachments: [{ blocks: [{ text: { text }, fields: [{ text: linked }] }] }],
    });
  });

  // docs.slack.dev/messaging/formatting-message-text: “text in secondary message attachments”
  it('has links and names for emoji in its attachments', async () => {
    const attachment = (text: string) => ({ pretext: text, text, fields: [{ title: 'x', value: text }] });
    const text = '🎉 https://a.example #ops';
    const attachments = [attachment(text)];
    const linked = ':tada: <https://a.example> <#C0OPS000001|ops>';
    expect(await answered({ attachments, link_names: true })).toMatchObject({
      attachments: [attachment(linked)],
    });
    expect(await answered({ attachments })).toMatchObject({
      attachments: [attachment(':tada: <https://a.example> #ops')],
    });
    expect(await answered({ attachments, parse: 'none' })).toMatchObject({
      attachments: [attachment(':tada: https://a.example #ops')],
    });
  });

  // docs.slack.dev/messaging/work-objects-implementation; slackapi/java-slack-sdk, BlockActionPayloadTest
  it('has a fallback in each attachment, and the defaults of its blocks', async () => {
    const blocks = [header({ text: 'x' })];
    const attachments = [
      { title: 'Create page', text: 'Issue' },
      { blocks },
      { text: 'x', fallback: 'mine' },
    ];
    expect(await answered({ attachments })).toMatchObject({
      attachments: [
        { fallback: 'Create page\n Issue' },
        { fallback: '[no preview available]', blocks: [{ text: { emoji: true } }] },
        { fallback: 'mine' },
      ],
    });
  });

  // docs.slack.dev/reference/interaction-payloads/block_actions-payload, its example
  it('says that it has no text where it has blocks alone', async () => {
    const text = "This content can't be displayed.";
    expect(await answered({ blocks: [header({ text: 'x' })] })).toMatchObject({ text });
    expect(await answered({ attachments: [{ text: 'x' }] })).toMatchObject({ text: '' });
  });

  // docs.slack.dev/messaging/formatting-message-text
  it('has the same text in the answer to its edit', async () => {
    const { workspace } = await startWorkspace();
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'x' });
    const edited = await answerOf(workspace, 'chat.update', { channel: OPS, ts, text: 'Done 🎉' });
    expect(edited).toMatchObject({ text: 'Done :tada:', message: { text: 'Done :tada:' } });
  });

  // docs.slack.dev/reference/block-kit/blocks/markdown-block
  it('has other ids of its markdown blocks than those that were sent', async () => {
    const blocks = [{ type: 'markdown', block_id: 'mine', text: '*x*' }];
    const { blocks: read } = await answered({ blocks });
    expect(read).toEqual([{ type: 'markdown', text: '*x*', block_id: expect.not.stringMatching(/^mine$/) }]);
  });

  // MercuryTechnologies/slack-web, tests/golden/InfoRsp/im.json; docs.slack.dev/reference/methods/conversations.replies
  it('says whether its thread is locked', async () => {
    const { workspace } = await startWorkspace();
    const { ts } = await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'x' });
    await answerOf(workspace, 'chat.postMessage', { channel: OPS, text: 'y', thread_ts: ts });
    const { messages } = await answerOf(workspace, 'conversations.replies', { channel: OPS, ts });
    expect(Object(messages)[0]).toMatchObject({ is_locked: false, subscribed: false });
    // business4s/chatOps4s, responses/chat.postMessage.json, 2026-02
    expect(Object(messages)[0].bot_profile).toHaveProperty('user_id');
    const { channel } = await answerOf(workspace, 'conversations.info', { channel: OPS });
    expect(channel).toMatchObject({ is_read_only: false, is_thread_only: false, is_non_threadable: false });
    // docs.slack.dev/reference/methods/conversations.info, its example of 2026-09-15
    expect(channel).toMatchObject({ is_frozen: false });
  });

  it('has a block of rich text where it was text alone', async () => {
    const elements = [
      { type: 'text', text: 'Done ' },
      { type: 'emoji', name: 'tada' },
    ];
    expect(await answered({ text: 'Done 🎉' })).toMatchObject({
      blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
    });
    expect(await answered({ text: 'x', attachments: [{ text: 'y' }] })).not.toHaveProperty('blocks');
  });
});

// docs.slack.dev/reference/methods/views.publish, its example; MercuryTechnologies/slack-web, `SlackView`
it('a view comes back with the defaults of its text objects, and names for their emoji', async () => {
  const { workspace } = await startWorkspace();
  const view = { type: 'home', blocks: [header({ text: '✅ Patchbay' })] };
  expect(await answerOf(workspace, 'views.publish', { user_id: OPERATOR, view })).toMatchObject({
    view: { blocks: [{ text: { type: 'plain_text', text: ':white_check_mark: Patchbay', emoji: true } }] },
  });
});
