import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { expandAlias, expandSaved } from '../../../src/commands/parser/named-lines.ts';
import {
  commaValues,
  MAX_LINE_LENGTH,
  plainLine,
  quoteValue,
  quoteWord,
  tokenizeLine,
  tokenizeTyped,
} from '../../../src/commands/parser/tokenizer.ts';
import { personId } from '../../../src/lib/ids.ts';
import type { NamedLine } from '../../../src/store/port/settings-records.ts';
import { START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { runs } from '../../harness/runs.ts';
import { lineWords, lineWords as words } from '../harness/typed-line.ts';

describe('grammar: free words', () => {
  it.each([
    ['plain words', 'device web-01', ['device', 'web-01']],
    ['spaces of every kind', '  device\u00A0web-01 \t x ', ['device', 'web-01', 'x']],
    ['a pasted column', 'scan\n- web-01\r\n- lab 08;db-01\n', ['scan', 'web-01,', 'lab 08', ',', 'db-01']],
    ['double quotes', 'device "web 01"', ['device', 'web 01']],
    ['the marks of code, as in a copied name', 'device `lab · 08`', ['device', 'lab · 08']],
    ['single quotes', "device 'web 01'", ['device', 'web 01']],
    ['quotes as a phone makes them', 'device “web 01”', ['device', 'web 01']],
    ['German and French quotes', 'device „web 01“ «db 01»', ['device', 'web 01', 'db 01']],
    ['an apostrophe inside a word', 'device Jane’s', ['device', "Jane's"]],
    ['an apostrophe inside single quotes', "device 'Jane’s Mac'", ['device', "Jane's Mac"]],
    ['an id', 'device #1042', ['device', '#1042']],
    ['a hyphen pasted as a dash', 'device web–01', ['device', 'web-01']],
    ['control and direction characters', 'dev\u0000ice \u202Eweb\u200B-01\u0007', ['device', 'web-01']],
    ['a quoted because', 'device "because"', ['device', 'because']],
    ['a word that begins like because', 'device becauseway', ['device', 'becauseway']],
    ['nothing', '', []],
    ['only spaces', '   ', []],
  ])('reads %s', (_what, text, free) => {
    expect(words(text)).toEqual({ free, filters: [], flags: [], reason: null });
  });
});

describe('grammar: what Slack wraps', () => {
  it.each([
    [
      'a linked hostname',
      'device <http://web-01.example.com|web-01.example.com>',
      ['device', 'web-01.example.com'],
    ],
    ['a bare link', 'device <https://example.com/x>', ['device']],
    ['a mail address', 'devices <mailto:jo@example.com|jo@example.com>', ['devices', 'jo@example.com']],
    ['a bare mail address', 'devices <mailto:jo@example.com>', ['devices', 'jo@example.com']],
    ['a telephone number', 'devices <tel:+4912345|+49 12345>', ['devices', '+49', '12345']],
    ['a person with a name', 'devices <@U012AB|jo>', ['devices', '@jo']],
    ['a person', 'devices <@U012AB>', ['devices', '@U012AB']],
    ['a channel', 'devices <#C012AB|ops>', ['devices', '#ops']],
    ['an id that became a channel', 'device <#C012AB|1042>', ['device', '#1042']],
    ['a private channel', 'devices <#C012AB|>', ['devices', '#C012AB']],
    ['escaped characters', 'device "&lt;!channel&gt; &amp; *bold*"', ['device', '<!channel> & *bold*']],
    ['the same without escapes', 'device "<!channel> & *bold*"', ['device', '<!channel> & *bold*']],
    ['an entity that is escaped itself', 'device a&amp;lt;b', ['device', 'a&lt;b']],
  ])('undoes %s', (_what, text, free) => {
    expect(words(text).free).toEqual(free);
  });
});

describe('grammar: filters and flags', () => {
  const filter = (key: string, value: string, text: string, negated = false) => ({
    key,
    value,
    negated,
    text,
  });
  it.each([
    ['plain', 'is:online', filter('is', 'online', 'is:online')],
    [
      'with a quoted value',
      'group:"Linux servers"',
      filter('group', 'Linux servers', 'group:"Linux servers"'),
    ],
    ['with smart quotes', 'group:“Linux servers”', filter('group', 'Linux servers', 'group:"Linux servers"')],
    [
      'with single quotes',
      "group:'Linux servers'",
      filter('group', 'Linux servers', "group:'Linux servers'"),
    ],
    ['negated', '-is:online', filter('is', 'online', '-is:online', true)],
    ['negated by a pasted dash', '–is:online', filter('is', 'online', '-is:online', true)],
    ['with a key in capitals', 'OS:Windows', filter('os', 'Windows', 'OS:Windows')],
    ['without a value', 'group:', filter('group', '', 'group:')],
    ['with a colon in the value', 'tag:env:prod', filter('tag', 'env:prod', 'tag:env:prod')],
  ])('reads a filter %s', (_what, text, expected) => {
    const filters = [expected];
    expect(words(`devices ${text}`)).toEqual({ free: ['devices'], filters, flags: [], reason: null });
  });

  it('keeps a flag apart, also one that a phone wrote with a long dash', () => {
    const flags = ['--all', '--help', '-x'];
    expect(words('device web-01 --all —help -x')).toMatchObject({ free: ['device', 'web-01'], flags });
  });
});

describe('grammar: the reason', () => {
  it.each([
    ['the rest of the line', 'reboot web-01 because kernel update', 'kernel update'],
    [
      'filters, flags and open quotes as they are',
      'reboot web-01 because it\'s -x a:b "so',
      'it\'s -x a:b "so',
    ],
    ['one pair of quotes around it taken off', 'reboot web-01 because “kernel update”', 'kernel update'],
    ['whatever the case of the word', 'reboot web-01 Because x', 'x'],
    ['nothing after the word', 'reboot web-01 because', ''],
    ['a second because', 'reboot web-01 because because', 'because'],
  ])('is %s', (_what, text, reason) => {
    expect(words(text)).toMatchObject({ free: ['reboot', 'web-01'], filters: [], flags: [], reason });
  });
});

describe('grammar: faults', () => {
  it.each([
    ['a double quote left open', 'device "web 01', { kind: 'open-quote', near: '"web 01' }],
    ['a smart quote left open', 'device “web 01', { kind: 'open-quote', near: '"web 01' }],
    ['a single quote left open', "device 'web 01", { kind: 'open-quote', near: "'web 01" }],
    ['a quote left open in a filter', 'devices group:"Linux', { kind: 'open-quote', near: '"Linux' }],
    [
      'a word of nothing, which would stand for all packages',
      'patch web-01 ""',
      { kind: 'bad-value', word: '""', expected: 'a word between the quotes' },
    ],
    ['10,000 characters', 'x'.repeat(10_000), { kind: 'too-long', length: 10_000, limit: MAX_LINE_LENGTH }],
  ])('names %s', (_what, text, fault) => {
    expect(tokenizeTyped(text)).toEqual({ kind: 'fault', fault });
  });

  it('reads a line of exactly the limit', () => {
    expect(words('x'.repeat(MAX_LINE_LENGTH)).free).toHaveLength(1);
  });
});

describe('grammar: any text', () => {
  const pieces = fc.constantFrom(
    ...'" \' “ ’ - — : < > | @ &lt; because is web 😀'.split(' '),
    ...[' ', '\u00A0', '\u0000', '\u202E', '\uD800', '\n'],
  );
  const texts = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(pieces).map((parts) => parts.join('')),
  );

  property([texts], { numRuns: runs(500) })(
    'never throws, and lets no control or direction character through',
    (text) => {
      const read = tokenizeTyped(text);
      if (read.kind === 'fault') return;
      const { free, filters, flags, reason } = read.words;
      const all = [
        ...free,
        ...flags,
        ...filters.flatMap(({ key, value, text: typed }) => [key, value, typed]),
        reason ?? '',
      ];
      for (const part of all) expect(part).not.toMatch(/[\p{Cc}\u200B\u202A-\u202E\u2066-\u2069]/u);
      for (const word of free) expect(word).not.toBe('');
    },
  );

  const plain = fc.string({ unit: fc.constantFrom('a', 'B', '1', ' ', '-', ':', '.', '_', 'é') });
  property([plain])('gives a quoted word back as it was written, unless it is blank', (text) => {
    const read = tokenizeTyped(`device "${text}"`);
    expect(read).toMatchObject(
      text.trim() === ''
        ? { kind: 'fault', fault: { kind: 'bad-value', word: `"${text}"` } }
        : { kind: 'words', words: { free: ['device', text.trim()] } },
    );
  });
});

describe('grammar: or', () => {
  const read = (text: string) => {
    const { free, filters, flags } = words(text);
    return { free, filters: filters.map(({ text: typed, or }) => (or ? `or ${typed}` : typed)), flags };
  };
  it.each([
    ['joins two filters', 'os:a or os:b', [], ['os:a', 'or os:b'], []],
    ['joins more', 'os:a OR tag:"b c" or -is:d is:e', [], ['os:a', 'or tag:"b c"', 'or -is:d', 'is:e'], []],
    ['is a word between two words', 'device this or that', ['device', 'this', 'or', 'that'], [], []],
    ['is a word at an end', 'devices or', ['devices', 'or'], [], []],
    ['stands alone between a filter and a word', 'os:a or web', ['web'], ['os:a'], ['or']],
    ['stands alone between a word and a filter', 'web or os:a', ['web'], ['os:a'], ['or']],
    ['stands alone at the end', 'os:a or', [], ['os:a'], ['or']],
    ['is nothing within a word or quotes', 'orchid "or" os:"a or b"', ['orchid', 'or'], ['os:"a or b"'], []],
    ['is a reason’s word after because', 'scan x because this or os:a', ['scan', 'x'], [], []],
  ])('%s', (_what, text, free, filters, flags) => {
    expect(read(text)).toEqual({ free, filters, flags });
  });

  it.each([
    ['a,b', ['a', 'b']],
    ['"a,b"', ['a,b']],
    ["'a,b'", ['a,b']],
    ['a,', ['a', '']],
    ['', ['']],
    ['"a b","c,d"', ['a b', 'c,d']],
    ["'a b','c d'", ['a b', 'c d']],
    ['a,"b c",d', ['a', 'b c', 'd']],
    ['"b c",a,', ['b c', 'a', '']],
    ['a,""', ['a', '']],
    ["it's,fine", ["it's", 'fine']],
    ["a,'tis", ['a', "'tis"]],
  ])('parts the values of tag:%s', (typed, values) => {
    expect(words(`tag:${typed}`).filters.map(commaValues)).toEqual([values]);
  });

  it('reads what follows values in quotes as the words it is', () => {
    expect(words('group:"Linux servers","Database servers" is:online web because x')).toMatchObject({
      free: ['web'],
      filters: [
        {
          key: 'group',
          value: 'Linux servers,Database servers',
          text: 'group:"Linux servers","Database servers"',
        },
        { key: 'is' },
      ],
      reason: 'x',
    });
  });

  const texts = fc
    .array(fc.constantFrom('a', 'B', ' ', "'s", ',', '-', ':', 'or', 'because', 'os:', '#1', '/'), {
      minLength: 1,
    })
    .map((parts) => parts.join('').trim())
    .filter((text) => text !== '' && !/ {2}/.test(text));
  property([texts])('writes words and values so that they are read again', (text) => {
    expect(words(`x ${quoteWord(text)} y`).free).toEqual(['x', text, 'y']);
    expect(words(`tag:${quoteValue(text)}`).filters.flatMap(commaValues)).toEqual([text]);
  });
});

describe('names in lines', () => {
  const ME = personId('UME');
  const named = (name: string, line: string): NamedLine => ({ name, line, owner: ME, by: ME, at: START });
  const isCommand = (word: string) => registry.find(word) !== null;
  const among =
    (...lines: readonly NamedLine[]) =>
    async (name: string) =>
      lines.find((one) => one.name === name) ?? null;

  describe('an alias', () => {
    const find = among(
      named('lr', 'devices group:"Linux servers"'),
      named('reboot', 'status'),
      named('twice', 'lr'),
    );
    const expand = (text: string) => expandAlias(text, { isCommand, find });

    it.each([
      ['lr', 'devices group:"Linux servers"'],
      ['LR is:online', 'devices group:"Linux servers" is:online'],
      ['  lr   “web 01” ', 'devices group:"Linux servers"   "web 01"'],
      ['lr lr', 'devices group:"Linux servers" lr'],
      ['twice', 'lr'],
    ])('replaces the beginning of %j, once', async (text, line) => {
      expect((await expand(text))?.line).toBe(line);
    });

    it.each(['reboot', 'REBOOT web-01', 'device lr', 'lrx', '"lr"', 'lr:x', '', 'x'.repeat(3_000)])(
      'is nothing in %s',
      async (text) => {
        expect(await expand(text)).toBeNull();
      },
    );

    const piece = fc.constantFrom(
      ...['device', 'web-01', '"two words"', "'x y'", 'group:"a b"', '-is:online', 'or', '--all'],
      ...['because', 'why'],
      ...['“curly”', '&amp;', '&amp;lt;', '<@U1|jo>', '—', '=', 'lr', 'remove', '\u202E', 'os:windows,mac'],
    );
    const text = (least: number) =>
      fc.array(piece, { minLength: least, maxLength: 6 }).map((parts) => parts.join(' '));
    property([text(1), text(0)])(
      'never runs anything but its text and what follows it',
      async (body, rest) => {
        const line = plainLine(body);
        fc.pre(line !== '' && tokenizeLine(line).kind === 'words');
        const expanded = await expandAlias(`lr ${rest}`, { isCommand, find: among(named('lr', line)) });
        // As if the person had typed the alias's text.
        expect(tokenizeLine(expanded?.line ?? '')).toEqual(tokenizeTyped(`${body} ${rest}`));
      },
    );
  });

  describe('a saved target', () => {
    const lines = [named('web', 'web os:linux is:online'), named('odd', 'group:"Linux servers"')];
    const expand = async (text: string, takes: 'words' | 'filters' = 'words') => {
      const saved = { find: (_: unknown, name: string) => among(...lines)(name), list: async () => lines };
      return expandSaved(lineWords(text), { saved, person: ME }, takes);
    };

    it('is replaced by its filters', async () => {
      const full = await expand('x in:WEB -is:stale');
      const saved = (...texts: readonly string[]) => texts.map((text) => ({ text, saved: true }));
      expect(full).toMatchObject({
        words: { free: ['x', 'web'], filters: [...saved('os:linux', 'is:online'), { text: '-is:stale' }] },
      });
      expect(await expand('in:odd in:web')).toMatchObject({
        words: { free: ['web'], filters: saved('group:"Linux servers"', 'os:linux', 'is:online') },
      });
    });

    it('with words to search for selects nothing that is changed', async () => {
      expect(await expand('in:odd', 'filters')).toMatchObject({ words: { filters: [{ key: 'group' }] } });
      const fault = { kind: 'bad-value', word: 'in:web' };
      expect(await expand('in:web', 'filters')).toMatchObject({ kind: 'fault', fault });
    });

    it('changes no words without one', async () => {
      expect(await expand('x -is:stale because in:web')).toEqual(tokenizeTyped('x -is:stale because in:web'));
    });

    it.each([
      ['in:wb', { of: 'saved target', word: 'in:wb', nearest: expect.arrayContaining(['in:web']) }],
      ['in:', { kind: 'bad-value', word: 'in:' }],
      ['-in:web', { kind: 'bad-value', word: '-in:web' }],
      ['in:web or is:stale', { kind: 'bad-value', word: 'in:web' }],
      ['is:stale or in:web', { kind: 'bad-value', word: 'in:web' }],
    ])('names %s back', async (text, fault) => {
      expect(await expand(text)).toMatchObject({ kind: 'fault', fault });
    });
  });
});
