/** How typed text reaches the bot. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { styledParts, toRichText } from '../../../../src/sandbox/slack/messages/typed-text.ts';
import { property } from '../../../harness/property.ts';
import { startWithBot } from '../harness/bots.ts';
import { OPERATOR, seenBy, startWorkspace } from '../harness/workspace-harness.ts';

describe('the text of a command', () => {
  async function heard(text: string, shouldEscape: boolean) {
    const { workspace, bot } = await startWithBot({ shouldEscape });
    await workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text });
    return bot.last()['text'];
  }

  it.each([
    ['  device   web-01 ', 'device   web-01'],
    ['because <b> & co', 'because &lt;b&gt; &amp; co'],
    ['ask @viewer', 'ask @viewer'],
    ['ask @here in #ops', 'ask @here in #ops'],
    ['see https://example.com/?a=1', 'see https://example.com/?a=1'],
    ['<!channel>', '&lt;!channel&gt;'],
  ])('%j arrives as %j', async (typed, arrived) => {
    expect(await heard(typed, false)).toBe(arrived);
  });

  it.each([
    ['ask @viewer', 'ask <@U0VIEWER001>'],
    ['ask @viewer, now', 'ask <@U0VIEWER001>, now'],
    ['ask @viewer.', 'ask <@U0VIEWER001>.'],
    ['ask @Viewer', 'ask <@U0VIEWER001>'],
    ['@Patchbay device web-01', '<@U0PATCHBAY1> device web-01'],
    ['ask <@U0VIEWER001>', 'ask <@U0VIEWER001>'],
    ['ask <@U0VIEWER001|vera>', 'ask <@U0VIEWER001|vera>'],
    ['ask <@W0VIEWER001>', 'ask <@W0VIEWER001>'],
    ['ask @fleet-approvers', 'ask <!subteam^S0APPROVERS|@fleet-approvers>'],
    ['ask <!subteam^S0APPROVERS>', 'ask <!subteam^S0APPROVERS>'],
    ['ask @nobody', 'ask @nobody'],
    ['ask @here', 'ask <!here>'],
    ['ask <!here>', 'ask <!here>'],
    ['ask @channel and @everyone', 'ask <!channel> and <!everyone>'],
    ['in #ops', 'in <#C0OPS000001|ops>'],
    ['in <#C0OPS000001|>', 'in <#C0OPS000001|>'],
    ['in <#C0OPS000001>', 'in <#C0OPS000001>'],
    ['in #nowhere', 'in #nowhere'],
    ['see https://example.com/?a=1&b=2', 'see <https://example.com/?a=1&amp;b=2>'],
    ['see https://example.com/a.', 'see <https://example.com/a>.'],
    ['see example.com.', 'see <http://example.com|example.com>.'],
    ['www.example.com/a?b&c', '<http://www.example.com/a?b&amp;c|www.example.com/a?b&amp;c>'],
    ['web-01.local 1.2.3 run.ts', 'web-01.local 1.2.3 run.ts'],
    ['see <https://example.com|the page>', 'see <https://example.com|the page>'],
    ['to ada@example.com', 'to <mailto:ada@example.com|ada@example.com>'],
    ['<script> @viewer', '&lt;script&gt; <@U0VIEWER001>'],
    ['<!dance> <@nobody>', '&lt;!dance&gt; &lt;@nobody&gt;'],
    ['a < b & c', 'a &lt; b &amp; c'],
  ])('%j arrives as %j when the app asked for entities', async (typed, arrived) => {
    expect(await heard(typed, true)).toBe(arrived);
  });

  it('comes with everything that Slack sends', async () => {
    const { workspace, bot } = await startWithBot();
    await workspace.command({ user: 'operator', channel: '@operator', command: '/fleet', text: 'help' });
    expect(bot.envelopes).toMatchObject([{ type: 'slash_commands', accepts_response_payload: true }]);
    expect(bot.last()).toMatchObject({
      team_id: 'T0SANDBOX01',
      team_domain: 'sandbox',
      channel_id: 'D0OPERATOR1',
      channel_name: 'directmessage',
      user_id: OPERATOR,
      user_name: 'operator',
      command: '/fleet',
      text: 'help',
      api_app_id: 'A0PATCHBAY1',
      is_enterprise_install: 'false',
    });
  });

  it.each([
    ['an unknown command', { command: '/flee' }, 'invalid_command'],
    ['an unknown person', { user: 'nobody' }, 'user_not_found'],
    ['somebody else’s direct message', { channel: '@admin' }, 'channel_not_found'],
  ])('does not arrive for %s', async (_what, change, error) => {
    const { workspace, bot } = await startWithBot();
    const order = { user: 'operator', channel: 'ops', command: '/fleet', text: '', ...change };
    expect(await workspace.command(order)).toEqual({ ok: false, error });
    expect(bot.envelopes).toEqual([]);
  });
});

// docs.slack.dev/messaging/formatting-message-text, “Block quotes”; slack.com/help/articles/202288908
describe('the rich text of lines that begin with >', () => {
  const text = (words: string, style?: object) => ({
    type: 'text',
    text: words,
    ...(style ? { style } : {}),
  });
  const section = (words: string) => ({ type: 'rich_text_section', elements: [text(words)] });
  const quote = (...elements: readonly object[]) => ({ type: 'rich_text_quote', elements });

  it.each([
    ['Before\n&gt; one\n&gt;two\nafter', [section('Before\n'), quote(text('one\ntwo')), section('after')]],
    ['>of an *app*', [quote(text('of an '), text('app', { bold: true }))]],
    ['&gt;&gt;&gt; all\nthat\n&gt; follows', [quote(text('all\nthat\n> follows'))]],
    ['2 &gt; 1', [section('2 > 1')]],
    ['&gt;', [section('>')]],
  ])('%j', (typed, elements) => {
    expect(toRichText(typed, 'b1')).toEqual({ type: 'rich_text', block_id: 'b1', elements });
  });
});

// github.com/brekkylab/backlot/issues/74
it.each([
  ['```code fence```', [{ type: 'rich_text_preformatted', elements: [{ text: 'code fence' }], border: 0 }]],
  [
    'so:\n• bullet 1\n• bullet 2',
    [
      { type: 'rich_text_section', elements: [{ text: 'so:\n' }] },
      {
        type: 'rich_text_list',
        style: 'bullet',
        indent: 0,
        border: 0,
        elements: [{ elements: [{ text: 'bullet 1' }] }, { elements: [{ text: 'bullet 2' }] }],
      },
    ],
  ],
])('the rich text of %j', (typed, elements) => {
  expect(toRichText(typed, 'b1')).toMatchObject({ type: 'rich_text', elements });
});

it('keeps a typed text’s words, whatever they are', async () => {
  const { workspace } = await startWorkspace();
  const near = fc.string({ unit: fc.constantFrom(...'ab:c/.)(<>&|"• \n1-+'), maxLength: 12 });
  const words = fc
    .oneof(fc.string(), near)
    .map((text) => text.trim())
    .filter((text) => text !== '' && !/[@#*_~`]|https?:|<[!]|:[\w+-]+:|^(?:• |>)/m.test(text));
  const space = fc.constantFrom('', ' ', '\n');
  await fc.assert(
    fc.asyncProperty(words, space, space, async (text, before, after) => {
      await workspace.message({ user: 'operator', channel: 'ops', text: `${before}${text}${after}` });
      const shown = seenBy(workspace, 'operator').at(-1);
      const read = shown?.text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
      expect(read).toBe(text);
      expect(shown?.blocks).toMatchObject([{ elements: [{ elements: [{ type: 'text', text }] }] }]);
    }),
    { numRuns: 100 },
  );
});

const styled = (words: string, style?: Record<string, boolean>) => ({
  type: 'text',
  text: words,
  ...(style === undefined ? {} : { style }),
});
const emoji = (name: string, unicode: string) => ({ type: 'emoji', name, unicode });

describe('what a person types', () => {
  it.each([
    ['*now* please', [styled('now', { bold: true }), styled(' please')]],
    [
      'see (_it_), ~no~',
      [styled('see ('), styled('it', { italic: true }), styled('), '), styled('no', { strike: true })],
    ],
    ['run `a *b* c`', [styled('run '), styled('a *b* c', { code: true })]],
    ['done :tada: :+1:', [styled('done '), emoji('tada', '1f389'), styled(' '), emoji('+1', '1f44d')]],
    ['hi :wave::skin-tone-3:', [styled('hi '), emoji('wave::skin-tone-3', '1f44b-1f3fc')]],
  ])('%j is styled as the composer of Slack does', (typed, parts) => {
    expect(styledParts(typed)).toEqual(parts);
  });

  it.each(['a_b_c', '2*3*4', 'at 10:30:45', '* a list', '**', '_ _', 'a: b: c', '*two\nlines*', 'C:\\a:b'])(
    '%j stays as it is',
    (typed) => {
      expect(styledParts(typed)).toEqual([styled(typed)]);
    },
  );

  const typed = fc.string({ unit: fc.constantFrom('a', ' ', '*', '_', '~', '`', ':', '\n') });
  const letters = (words: string) => words.replace(/[^a]/g, '');
  property([typed])('keeps every word, whatever signs stand in it', (line) => {
    const words = styledParts(line).map((part) => String(part['text'] ?? part['name']));
    expect(letters(words.join(''))).toBe(letters(line));
    expect(words.every((each) => each !== '')).toBe(true);
  });
});
