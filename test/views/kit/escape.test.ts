import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  bold,
  boldHeading,
  escapeMrkdwn,
  inlineCode,
  plainName,
  plainText,
  truncate,
} from '../../../src/views/kit/escape.ts';

/** What a reader sees of our markup: code spans without backticks, escapes undone. */
function seen(text: string): string {
  return text
    .replace(/^[`*]|[`*]$/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}

describe('escape: somebody’s text', () => {
  it.each([
    ['harmless text as it is', 'web-01', 'web-01'],
    ['an underscore inside a word', 'web_01_b', 'web_01_b'],
    ['letters of any script', 'Büro–Zürich 東京', 'Büro–Zürich 東京'],
    ['one colon', 'at 10:30', 'at 10:30'],
    ['a mention as code', '<!channel> & *bold*', '`&lt;!channel&gt; &amp; *bold*`'],
    ['an underscore at the edge of a word', '_it_', '`_it_`'],
    ['what could be an emoji', ':tada:', '`:tada:`'],
    ['an address', 'https://evil.example/?a:b', '`https://evil.example/?a:b`'],
    ['a quote mark at the beginning', '> so', '`&gt; so`'],
    ['ticks, which code cannot hold', 'a`b', '`aˋb`'],
    ['lines as one', 'a\r\n\tb\u2028c', 'a b c'],
    ['no control or direction characters', 'a\u0000b\u202Ec\u200Bd', 'abcd'],
    ['half a character as a mark', '\uD800x', '`\uFFFDx`'],
    ['nothing as a word', ' \u0000 ', '(blank)'],
    ['what is drawn as nothing as a word', '\u200D\u3164\u{E0041}', '(blank)'],
    ['an emoji of several parts', '👩‍🚀', '`👩‍🚀`'],
    ['an apostrophe', 'Ann’s MacBook', 'Ann’s MacBook'],
    ['a drive', 'C:', 'C:'],
    ['Japanese, whose long vowel is drawn as a dash', 'サーバー 1', 'サーバー 1'],
    ['a separator of ours', 'lab-08 · Offline', '`lab-08 · Offline`'],
    ['a dash between words', 'Büro – Offline', '`Büro – Offline`'],
    ['a mark of a cut that is its own', 'lab-08…', '`lab-08…`'],
    ['half an emoji, which a colon of ours would end', 'x :warning', '`x :warning`'],
    ['a state sign', 'lab ✅', '`lab ✅`'],
  ])('shows %s', (_what, text, expected) => {
    expect(escapeMrkdwn(text)).toBe(expected);
  });

  it('quotes it in plain text where it could be taken for ours, also when it is cut', () => {
    expect(plainName('web-01 *x*')).toBe('web-01 *x*');
    expect(plainName('lab-08 · “Offline”')).toBe("“lab-08 · 'Offline'”");
    expect(plainName('lab-08 · Offline', 12)).toBe('“lab-08 · …”');
    expect(plainName(plainName('lab-08 · Offline'))).toBe('“lab-08 · Offline”');
    expect(plainName('x'.repeat(50), 5)).toBe('xxxx…');
  });

  it('sets harmless text in bold and the rest as code', () => {
    expect(bold('web-01')).toBe('*web-01*');
    expect(bold('*x*')).toBe('`*x*`');
  });

  it('joins our words and a name in one heading where both are harmless', () => {
    expect(boldHeading('Reboot', 'web-01')).toBe('*Reboot web-01*');
    expect(boldHeading('Reboot', '*x*')).toBe('*Reboot* `*x*`');
    expect(boldHeading('Install *x* on', 'web-01')).toBe('`Install *x* on` web-01');
  });

  it.each([
    ['an escape', '&'.repeat(50), 13, '`&amp;&amp;…`'],
    ['a character', '<😀😀😀', 10, '`&lt;😀…`'],
    ['harmless text', 'x'.repeat(50), 5, 'xxxx…'],
  ])('cuts without tearing %s', (_what, text, max, expected) => {
    expect(escapeMrkdwn(text, max)).toBe(expected);
  });

  it('shows every short text letter for letter, within its length', () => {
    const texts = fc.string({ unit: fc.constantFrom(...'ab1 <>&*_~:|@#!"\\😀-'), maxLength: 60 });
    fc.assert(
      fc.property(texts, (text) => {
        const line = text.replace(/ +/g, ' ').trim();
        expect(seen(inlineCode(text, 1_000))).toBe(line === '' ? '(blank)' : line);
        for (const max of [8, 20, 120])
          expect(escapeMrkdwn(text, max).length).toBeLessThanOrEqual(Math.max(max, 9));
      }),
    );
  });
});

describe('escape: places without markup', () => {
  it('keeps a client that resolves mentions anyway from seeing one', () => {
    expect(plainText('<!channel> <@U1> <b>', 75)).toBe('<\u2060!channel> <\u2060@U1> <b>');
  });

  it('cuts with a mark and never through a character', () => {
    expect(truncate('abcdef', 6)).toBe('abcdef');
    expect(truncate('abcdefg', 6)).toBe('abcde…');
    expect(truncate('a😀😀', 4)).toBe('a😀…');
    expect(truncate('a😀😀b', 3)).toBe('a…');
  });
});
