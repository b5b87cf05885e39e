import { describe, expect, it } from 'vitest';
import { withEmoji } from '../../src/lib/emoji-names.ts';
import { fold } from '../../src/lib/text.ts';
import { readMessageEvent } from '../../src/slack/receiver/message-events.ts';
import { readSlashCommand } from '../../src/slack/receiver/payloads.ts';
import { richTextLine } from '../../src/slack/receiver/rich-text.ts';

describe('emoji in a line without blocks', () => {
  it.each([
    ['devices group:":computer: Workstations"', 'devices group:"💻 Workstations"'],
    ['group::computer:', 'group:💻'],
    ['":wave::skin-tone-3: all"', '"👋🏼 all"'],
    ['mac:00:1a:ab:2b:ff:01', 'mac:00:1a:ab:2b:ff:01'],
    ['fe80::a:b', 'fe80::a:b'],
    ['at 10:30:20', 'at 10:30:20'],
    ['name:fire:', 'name:fire:'],
    ['a :party_parrot: b', 'a :party_parrot: b'],
  ])('is read from their names: %s', (typed, read) => {
    expect(withEmoji(typed)).toBe(read);
  });

  it('is what a slash command means', () => {
    const payload = { user_id: 'U1', channel_id: 'C1', trigger_id: '1', text: 'rename ":fire: box"' };
    expect(readSlashCommand(payload).text).toBe('rename "🔥 box"');
  });

  it('is one name with the emoji where names are compared', () => {
    expect(fold(':computer: Workstations')).toBe(fold('💻 Workstations'));
    expect(fold(':arrow_forward: Run')).toBe(fold('▶️ Run'));
  });
});

const text = (words: string, style?: object) => ({ type: 'text', text: words, ...(style && { style }) });
const rich = (...elements: readonly object[]) => [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
];

describe('the line of a message', () => {
  const event = { type: 'message', channel: 'D1', channel_type: 'im', user: 'U1' };
  const said = (over: object) => readMessageEvent({ event_id: 'E1', event: { ...event, ...over } })?.text;

  it('has the emoji that was chosen, and the characters that were typed', () => {
    const blocks = rich(
      text('device-edit web-04 name:"'),
      { type: 'emoji', name: 'fire', unicode: '1f525' },
      text(' :fire: box"'),
    );
    expect(said({ text: 'device-edit web-04 name:":fire: :fire: box"', blocks })).toBe(
      'device-edit web-04 name:"🔥 :fire: box"',
    );
  });

  it('is the text where the blocks are no rich text', () => {
    expect(said({ text: 'status', blocks: [{ type: 'section' }] })).toBe('status');
    expect(said({ text: 'status' })).toBe('status');
  });

  it('has everything else as the text of a message has it', () => {
    const blocks = rich(
      { type: 'user', user_id: 'U1' },
      text(' <a> & '),
      text('b', { code: true }),
      { type: 'link', url: 'http://x.example', text: 'x' },
      { type: 'channel', channel_id: 'C1' },
      { type: 'broadcast', range: 'here' },
      { type: 'emoji', name: 'party_parrot' },
      text('bold', { bold: true }),
    );
    expect(richTextLine(blocks)).toBe(
      '<@U1> &lt;a&gt; &amp; `b`<http://x.example|x><#C1><!here>:party_parrot:*bold*',
    );
  });
});
