import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonText } from '../../src/lib/json.ts';
import {
  compareNames,
  fold,
  lowerFirst,
  straightenQuotes,
  stripControls,
  upperFirst,
  withEmoji,
} from '../../src/lib/text.ts';
import { readMessageEvent } from '../../src/slack/interactions/text-commands.ts';
import { readSlashCommand } from '../../src/slack/receiver/payloads.ts';
import { property } from '../harness/property.ts';

const anything = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));

describe('quotes and dashes of keyboards', () => {
  it.each([
    ['“web 01”', '"web 01"'],
    ['„web 01“', '"web 01"'],
    ['«web»', '"web"'],
    ['ann’s ‘mac’', "ann's 'mac'"],
    ['web–01', 'web-01'],
    ['web‑01 −1', 'web-01 -1'],
    ['—all', '--all'],
    ['plain "text" \'and\' -- dashes', 'plain "text" \'and\' -- dashes'],
  ])('%j is %j', (text, straight) => {
    expect(straightenQuotes(text)).toBe(straight);
  });

  property([anything])(
    'are straightened once: a second time changes nothing',
    (text) => straightenQuotes(straightenQuotes(text)) === straightenQuotes(text),
  );
});

describe('invisible characters', () => {
  it.each([
    ['a\u0000b\u0007c', 'abc', 'controls'],
    ['a\u200Bb\uFEFFc\u00ADd', 'abcd', 'what is drawn as nothing'],
    ['\u202Etxt.exe\u2066', 'txt.exe', 'what turns the direction'],
    ['a\nb\r\nc\td\u00A0e\u3000f', 'a b  c d e f', 'spaces of other kinds'],
    ['a\uD800b', 'a\uFFFDb', 'half a character'],
  ])('%j is %j: %s', (text, plain) => {
    expect(stripControls(text)).toBe(plain);
  });

  it.each(['👩\u200D💻', '❤\uFE0F', 'می\u200Cخواهم'])('keep %s, which needs its joiners', (text) => {
    expect(stripControls(text)).toBe(text);
  });

  property([anything])('are removed from any text at once', (text) => {
    const plain = stripControls(text);
    expect(plain).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u);
    expect(plain.isWellFormed()).toBe(true);
    expect(stripControls(plain)).toBe(plain);
  });
});

describe('the form in which names are compared', () => {
  it.each([
    ['  WEB-01 ', 'web-01'],
    ['Linux \u00A0  Servers', 'linux servers'],
    ['Zu\u0308rich', 'zürich'],
    ['“Büro”', '"büro"'],
    ['', ''],
    [' \n ', ''],
  ])('of %j is %j', (text, folded) => {
    expect(fold(text)).toBe(folded);
  });

  property([fc.stringMatching(/^[a-zäöüé0-9 ._-]{0,20}$/u)])(
    'is the same in capitals, composed or not, and with spaces around',
    (name) => {
      for (const written of [name.toUpperCase(), name.normalize('NFD'), ` ${name}\n`])
        expect(fold(written)).toBe(fold(name));
    },
  );
});

describe('the first letter', () => {
  it.each([
    ['two devices', 'Two devices'],
    ['über', 'Über'],
    ['7 days', '7 days'],
    ['', ''],
  ])('of %j is upper case at the start of a sentence', (words, sentence) => {
    expect(upperFirst(words)).toBe(sentence);
  });

  it('is lower case inside one, and nothing else changes', () => {
    expect(lowerFirst('Windows 11 Pro')).toBe('windows 11 Pro');
    expect(lowerFirst('')).toBe('');
    fc.assert(fc.property(fc.string(), (words) => lowerFirst(words).slice(1) === words.slice(1)));
  });
});

describe('the order of names', () => {
  it('follows their numbers, whatever the case', () => {
    const names = ['web-10', 'Web-2', 'web-1', 'Äpfel', 'zoo', 'apfel-3', 'WEB-02'];
    expect(names.toSorted(compareNames)).toEqual([
      ...['Äpfel', 'apfel-3', 'web-1', 'Web-2', 'WEB-02', 'web-10', 'zoo'],
    ]);
  });

  const name = fc.tuple(fc.constantFrom('web', 'db', 'ber-web'), fc.nat(1_000));
  property([fc.uniqueArray(name.map(([kind, number]) => `${kind}-${number}`))])(
    'does not depend on their earlier order',
    (names) => {
      const ordered = names.toSorted(compareNames);
      expect(names.toReversed().toSorted(compareNames)).toEqual(ordered);
    },
  );
});

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

describe('JSON text', () => {
  property([fc.jsonValue()])('is what JSON.stringify writes', (value) => {
    expect(jsonText(value)).toBe(JSON.stringify(value));
  });

  it('leaves out what is undefined', () => {
    const value = { a: undefined, b: [undefined, 1] };
    expect(jsonText(value)).toBe(JSON.stringify(value));
  });

  it.each([150, 100_000])('is whole at %i levels', (depth) => {
    const text = `${'[{"a":'.repeat(depth / 2)}"echo"${'}]'.repeat(depth / 2)}`;
    expect(jsonText(JSON.parse(text))).toBe(text);
  });
});
