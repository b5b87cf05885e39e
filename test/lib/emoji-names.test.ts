import { describe, expect, it } from 'vitest';
import { fold, withEmoji } from '../../src/lib/text.ts';
import { readMessageEvent } from '../../src/slack/interactions/text-commands.ts';
import { readSlashCommand } from '../../src/slack/receiver/payloads.ts';

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

const text = (words: string, style = {}) => ({ type: 'text', text: words, style });
const rich = (...elements: readonly object[]) => [
  { type: 'rich_text', elements: [{ type: 'rich_text_section', elements }] },
];

describe('the line of a message', () => {
  const event = { type: 'message', channel: 'D1', channel_type: 'im', user: 'U1' };
  const said = (over: object) => readMessageEvent({ event_id: 'E1', event: { ...event, ...over } })?.text;

  const fire = { type: 'emoji', name: 'fire', unicode: '1f525' };
  const wave = { type: 'emoji', name: 'wave', unicode: '1f44b-1f3fc' };
  const parrot = { type: 'emoji', name: 'party_parrot' };
  it.each([
    ['name:":fire: :fire: box"', rich(text('name:"'), fire, text(' :fire: box"')), 'name:"🔥 :fire: box"'],
    ['`:fire:` :fire:', rich(text(':fire:', { code: true }), text(' '), fire), '`:fire:` 🔥'],
    ['group:web:fire: &amp; x', rich(text('group:web'), fire, text(' & x')), 'group:web🔥 &amp; x'],
    ['<@U1> :wave::skin-tone-3:', rich({ type: 'user', user_id: 'U1' }, text(' '), wave), '<@U1> 👋🏼'],
    [':party_parrot: :fire:', rich(parrot, text(' '), fire), ':party_parrot: 🔥'],
  ])('has the emoji that were chosen, and the characters that were typed: %s', (written, blocks, line) => {
    expect(said({ text: written, blocks })).toBe(line);
  });

  it('is the text where the blocks are no rich text', () => {
    expect(said({ text: 'status', blocks: [{ type: 'section' }] })).toBe('status');
    expect(said({ text: 'status' })).toBe('status');
  });
});
