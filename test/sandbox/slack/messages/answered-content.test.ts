/** What Slack gives back of a message differs from what was sent. */
import { describe, expect, it } from 'vitest';
import { answerOf, OPERATOR, OPS, startWorkspace } from '../harness/workspace-harness.ts';

async function answered(sent: Record<string, unknown>) {
  const { workspace } = await startWorkspace();
  await answerOf(workspace, 'chat.postMessage', { channel: OPS, ...sent });
  const { messages } = await answerOf(workspace, 'conversations.history', { channel: OPS });
  return Object(messages)[0];
}

const titled = (text: Record<string, unknown>) => ({
  type: 'section',
  text: { type: 'plain_text', ...text },
});

describe('a message that is read', () => {
  // docs.slack.dev/messaging/formatting-message-text
  it('has names in the place of emoji', async () => {
    expect(await answered({ text: 'Frank 🤖 ⚠️ 👋🏽 §' })).toMatchObject({
      text: 'Frank :robot_face: :warning: :wave::skin-tone-4: §',
    });
  });

  it('has the defaults of text objects, and names for their emoji', async () => {
    const section = { type: 'section', text: { type: 'mrkdwn', text: '✅ done' } };
    const blocks = [section, titled({ text: '✅' }), titled({ text: '✅', emoji: false })];
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
  it('has links for addresses in its text, but for those of tokens', async () => {
    const tokens = '<https://a.example|https://a.example> <!date^1^{date}^https://a.example|x>';
    const text = `${tokens} https://b.example.`;
    const blocks = [{ type: 'section', text: { type: 'mrkdwn', text, verbatim: true } }];
    const linked = `${tokens} <https://b.example>.`;
    expect(await answered({ text, blocks })).toMatchObject({ text: linked, blocks: [{ text: { text } }] });
  });

  // docs.slack.dev/messaging/formatting-message-text, “So does this one”; slackapi/hubot-slack, issue 181
  it('has hosts without a protocol as the texts of links to them', async () => {
    const text = 'see www.example.com, <https://a.example|a.dev> ada@example.com';
    const linked = 'see <http://www.example.com|www.example.com>, <https://a.example|a.dev> ada@example.com';
    expect(await answered({ text })).toMatchObject({ text: linked });
  });

  // docs.slack.dev/reference/interaction-payloads/block_actions-payload, its example
  it('says that it has no text where it has blocks alone', async () => {
    const text = "This content can't be displayed.";
    expect(await answered({ blocks: [titled({ text: 'x' })] })).toMatchObject({ text });
  });

  it('has a block of rich text where it was text alone', async () => {
    const elements = [
      { type: 'text', text: 'Done ' },
      { type: 'emoji', name: 'tada' },
    ];
    expect(await answered({ text: 'Done 🎉' })).toMatchObject({
      blocks: [{ type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] }],
    });
  });
});

// docs.slack.dev/reference/methods/views.publish, its example; MercuryTechnologies/slack-web, `SlackView`
it('a view comes back with the defaults of its text objects, and names for their emoji', async () => {
  const { workspace } = await startWorkspace();
  const view = { type: 'home', blocks: [titled({ text: '✅ Patchbay' })] };
  expect(await answerOf(workspace, 'views.publish', { user_id: OPERATOR, view })).toMatchObject({
    view: { blocks: [{ text: { type: 'plain_text', text: ':white_check_mark: Patchbay', emoji: true } }] },
  });
});
