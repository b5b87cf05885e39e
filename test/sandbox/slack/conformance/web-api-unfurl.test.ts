/** chat.unfurl: https://docs.slack.dev/reference/methods/chat.unfurl. */
import { describe, expect, it } from 'vitest';
import { startRawBot } from '../harness/raw-bot.ts';
import { answerOf, OPS, RANDOM, section, startWorkspace } from '../harness/workspace-harness.ts';
import { bench, type ConformanceBench, METHODS, refusals, typed } from './conformance-harness.ts';

const on = bench({ unfurlDomains: ['x.example'] });
const error = (reply: unknown, word: string) => expect(reply).toMatchObject({ ok: false, error: word });
const URL_1 = 'https://x.example/1';
const RICH_TEXT = {
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'x' }] }],
};
const unfurling = async (it: ConformanceBench, blocks: readonly unknown[]) => ({
  channel: OPS,
  ts: await typed(it, `see ${URL_1}`),
  unfurls: { [URL_1]: { blocks } },
});
const byId = (unfurl_id: string, source = 'conversations_history') => ({ unfurl_id, source, unfurls: {} });

describe('refusals', () => {
  refusals(
    on,
    [
      ['chat.unfurl', 'no channel', { ts: '1.000001', unfurls: {} }, 'missing_channel'],
      ['chat.unfurl', 'no message', { channel: OPS, unfurls: {} }, 'missing_ts'],
      ['chat.unfurl', 'no unfurls', { channel: OPS, ts: '1.000001' }, 'missing_unfurls'],
      [
        'chat.unfurl',
        'an unknown channel',
        { channel: 'C0NOWHERE01', ts: '1.000001', unfurls: {} },
        'cannot_find_channel',
      ],
      [
        'chat.unfurl',
        'an unknown message',
        { channel: OPS, ts: '1.000001', unfurls: {} },
        'cannot_find_message',
      ],
      [
        'chat.unfurl',
        'unfurls that are no map',
        async (it) => ({ channel: OPS, ts: await typed(it), unfurls: '[]' }),
        'invalid_unfurls_format',
      ],
      [
        'chat.unfurl',
        'an unfurl that is none',
        async (it) => ({ channel: OPS, ts: await typed(it), unfurls: { x: 1 } }),
        'cannot_parse_attachment',
      ],
      [
        'chat.unfurl',
        'a link that was not said',
        async (it) => ({ channel: OPS, ts: await typed(it), unfurls: { 'https://x.example': {} } }),
        'cannot_unfurl_message',
      ],
      [
        'chat.unfurl',
        'a link into a domain that is not the app’s',
        async (it) => ({
          channel: OPS,
          ts: await typed(it, 'see https://y.example'),
          unfurls: { 'https://y.example': {} },
        }),
        'cannot_unfurl_url',
      ],
      ['chat.unfurl', 'blocks that are none', (it) => unfurling(it, [{ type: 'nope' }]), 'invalid_blocks'],
      ['chat.unfurl', 'rich text', (it) => unfurling(it, [RICH_TEXT]), 'invalid_blocks'],
      [
        'chat.unfurl',
        'a colour that is hidden beside other blocks than a file',
        async (it) => ({
          channel: OPS,
          ts: await typed(it, `see ${URL_1}`),
          unfurls: { [URL_1]: { hide_color: true, blocks: [section('x')] } },
        }),
        'cannot_parse_attachment',
      ],
      [
        'chat.unfurl',
        'metadata that is no object',
        async (it) => ({ channel: OPS, ts: await typed(it), metadata: '[]' }),
        'invalid_metadata_format',
      ],
      [
        'chat.unfurl',
        'metadata without entities',
        async (it) => ({ channel: OPS, ts: await typed(it), metadata: '{}' }),
        'error_processing_metadata',
      ],
      ['chat.unfurl', 'a source without an id', { source: 'composer', unfurls: {} }, 'missing_unfurl_id'],
      ['chat.unfurl', 'an id without a source', { unfurl_id: 'x', unfurls: {} }, 'missing_source'],
      ['chat.unfurl', 'an id without unfurls', { unfurl_id: 'x', source: 'composer' }, 'missing_unfurls'],
      ['chat.unfurl', 'an unknown source', byId('x', 'history'), 'invalid_source'],
      ['chat.unfurl', 'an unknown id', byId('x'), 'invalid_unfurl_id'],
      ['chat.unfurl', 'an invented id', byId(`${OPS}.1.000001.0`), 'invalid_unfurl_id'],
    ],
    error,
  );
});

describe(`${METHODS}chat.unfurl`, () => {
  it('hangs what a link shows under the message', async () => {
    const url = 'https://x.example/1?a=1&b=2';
    const ts = await typed(on, `see ${url}`);
    const unfurls = { [url]: { blocks: [section('x')] } };
    expect(await on.call('chat.unfurl', { channel: OPS, ts, unfurls })).toEqual({
      ok: true,
      response_metadata: expect.anything(),
    });
    const { messages } = await on.call('conversations.history', { channel: OPS });
    expect(messages).toMatchObject([
      {
        attachments: [
          { id: 1, app_unfurl_url: url, blocks: [{ type: 'section', block_id: expect.stringMatching(/./) }] },
        ],
      },
    ]);
  });

  it('takes work objects in place of unfurls, and shows none', async () => {
    const ts = await typed(on, `see ${URL_1}`);
    const metadata = { entities: [{ app_unfurl_url: URL_1, url: URL_1 }] };
    expect(await on.call('chat.unfurl', { channel: OPS, ts, metadata })).toMatchObject({ ok: true });
    const [message] = on.workspace.messages({ user: 'operator', channel: 'ops' }) ?? [];
    expect(message).not.toHaveProperty('attachments');
  });

  it('ignores the preview for a message that is being written', async () => {
    const ts = await typed(on, `see ${URL_1}`);
    const preview = { title: { type: 'plain_text', text: 'x' } };
    await on.call('chat.unfurl', { channel: OPS, ts, unfurls: { [URL_1]: { text: 'x', preview } } });
    const [message] = on.workspace.messages({ user: 'operator', channel: 'ops' }) ?? [];
    expect(message?.attachments?.[0]).not.toHaveProperty('preview');
  });

  // docs.slack.dev/reference/events/link_shared: “message_ts and channel always work to supply chat.unfurl”
  it('finds the message by its channel and timestamp where the bot is no member', async () => {
    const ts = await typed(on, `see ${URL_1}`, 'random');
    const unfurls = { [URL_1]: { text: 'x' } };
    expect(await on.call('chat.unfurl', { channel: RANDOM, ts, unfurls })).toMatchObject({ ok: true });
  });

  it('finds the message by the id and source of link_shared, also where the bot is no member', async () => {
    const { workspace } = await startWorkspace({
      events: ['link_shared'],
      scopes: ['links:read', 'links:write'],
      unfurlDomains: ['x.example'],
    });
    const bot = await startRawBot(workspace);
    const { ts = '' } = await workspace.message({
      user: 'operator',
      channel: 'random',
      text: `see ${URL_1}`,
    });
    await expect.poll(() => bot.envelopes.length).toBe(1);
    const { event } = bot.last() as { event: { unfurl_id: string; source: string } }; // of link_shared
    const { unfurl_id, source } = event;
    const unfurls = { [URL_1]: { text: 'x' } };
    error(
      await answerOf(workspace, 'chat.unfurl', { unfurl_id, source: 'composer', unfurls }),
      'invalid_unfurl_id',
    );
    expect(await answerOf(workspace, 'chat.unfurl', { unfurl_id, source, unfurls })).toMatchObject({
      ok: true,
    });
    expect(workspace.messages({ user: 'operator', channel: 'random' })).toMatchObject([
      { ts, attachments: [{ app_unfurl_url: URL_1, text: 'x' }] },
    ]);
  });
});

it('https://docs.slack.dev/messaging/unfurling-links-in-messages: an app can register up to five domains', async () => {
  const domains = (count: number) => Array.from({ length: count }, (_, index) => `${index}.example`);
  await startWorkspace({ unfurlDomains: domains(5) });
  await expect(startWorkspace({ unfurlDomains: domains(6) })).rejects.toThrow('unfurl_domains');
});
