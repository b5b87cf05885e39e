import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { deviceId, requestId } from '../../../src/lib/ids.ts';
import {
  actions,
  button,
  context,
  divider,
  fields,
  rowBlocks,
  section,
} from '../../../src/views/kit/blocks.ts';
import { readButtonValue, writeButtonValue } from '../../../src/views/kit/buttons.ts';
import {
  bold,
  boldHeading,
  escapeMrkdwn,
  inlineCode,
  md,
  plainName,
  plainText,
  truncate,
  trustedMrkdwn,
} from '../../../src/views/kit/escape.ts';
import { withTicketLinks } from '../../../src/views/kit/mentions.ts';
import { buildMessage, fallbackText } from '../../../src/views/kit/message.ts';
import { bar, barChart } from '../../../src/views/kit/table.ts';
import { relativeDate, utcTime, whenAgo } from '../../../src/views/kit/timestamps.ts';
import type { ButtonValue } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';

describe('blocks', () => {
  it('cut a button and its dialog to what Slack takes', () => {
    const long = 'x'.repeat(1_000);
    const made = button({
      action: 'scan',
      label: long,
      value: '{}',
      confirm: { title: long, text: long, confirm: long, deny: long },
    });
    expect(made).toMatchObject({
      text: { text: `${'x'.repeat(74)}…` },
      confirm: {
        title: { text: `${'x'.repeat(99)}…` },
        text: { text: `${'x'.repeat(299)}…` },
        confirm: { text: `${'x'.repeat(29)}…` },
        deny: { text: `${'x'.repeat(29)}…` },
      },
    });
  });

  it('let Slack make no link or mention of its own', () => {
    expect(section(md`x`)).toEqual({ type: 'section', text: { type: 'mrkdwn', text: 'x', verbatim: true } });
  });

  it('put ten facts into a section and go on in another', () => {
    const facts = Array.from({ length: 23 }, () => ({ label: 'a', value: md`b` }));
    const sizes = fields(facts).map((block) => (Array.isArray(block['fields']) ? block['fields'].length : 0));
    expect(sizes).toEqual([10, 10, 3]);
  });

  it('make no row of no buttons', () => {
    expect(actions(null, null)).toEqual([]);
  });

  it('pack lines into few sections and count what is left', () => {
    const items = Array.from({ length: 10 }, () => trustedMrkdwn('x'.repeat(999)));
    const packed = rowBlocks(items, { budget: 8_000, more: (left) => md`${left} more` });
    expect(packed).toHaveLength(4);
    expect(packed.at(-1)).toEqual(context(md`2 more`));
  });
});

describe('message', () => {
  const footer = [section(md`the end`)];

  it('keeps the end and says how much of a body of too many blocks was left out', () => {
    const { blocks } = buildMessage({ text: md`x`, body: Array.from({ length: 60 }, divider), footer });
    expect(blocks).toHaveLength(50);
    expect(blocks.slice(-2)).toEqual([context(md`12 more parts didn’t fit in this message.`), ...footer]);
  });

  it('does the same for a body of too many characters', () => {
    const body = Array.from({ length: 10 }, () => section(trustedMrkdwn('x'.repeat(2_000))));
    const { blocks } = buildMessage({ text: md`x`, body, footer });
    expect(blocks.slice(-2)).toEqual([context(md`5 more parts didn’t fit in this message.`), ...footer]);
  });

  it('leaves a body alone that fits', () => {
    const body = Array.from({ length: 48 }, divider);
    expect(buildMessage({ text: md`x`, body, footer }).blocks).toEqual([...body, ...footer]);
  });
});

describe('bars', () => {
  const numbers = fc.integer({ min: 1, max: 100_000 });
  property([numbers, numbers])('never draw something as nothing, nor a part as all', (a, b) => {
    const drawn = bar(Math.min(a, b), Math.max(a, b));
    expect(drawn).toMatch(/^[█░]{20}$/);
    expect(drawn.includes('█')).toBe(true);
    expect(drawn.includes('░')).toBe(a !== b);
  });

  it('draw nothing of nothing', () => {
    expect(bar(0, 0)).toBe('░'.repeat(20));
    expect(bar(0, 9)).toBe('░'.repeat(20));
  });
});

describe('the labels of a chart', () => {
  const room = 10_000;
  const labels = (names: readonly string[]): readonly string[] => {
    const points = names.map((label) => ({ label, value: 1 }));
    const blocks = barChart('Title', 'Devices', points).flatMap(({ rich }) => rich(room));
    return [...JSON.stringify(blocks).matchAll(/"label":"((?:[^"\\]|\\.)*)"/g)].map(
      ([, label = '']) => label,
    );
  };

  it('mention nobody, also to a client that would take them for a mention', () => {
    expect(labels(['<!channel>', '<@U123ABC>', 'web'])).toEqual([
      '<\u2060!channel>',
      '<\u2060@U123ABC>',
      'web',
    ]);
  });

  it('are made different where they are alike, within their length', () => {
    const long = 'x'.repeat(40);
    const drawn = labels([
      long,
      long,
      'a',
      'a',
      '<!here> and many more words',
      '<!here> and many more words',
    ]);
    expect(new Set(drawn).size).toBe(6);
    expect(drawn.every((label) => label.length <= 20)).toBe(true);
  });
});

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

  const texts = fc.string({ unit: fc.constantFrom(...'ab1 <>&*_~:|@#!"\\😀-'), maxLength: 60 });
  property([texts])('shows every short text letter for letter, within its length', (text) => {
    const line = text.replace(/ +/g, ' ').trim();
    expect(seen(inlineCode(text, 1_000))).toBe(line === '' ? '(blank)' : line);
    for (const max of [8, 20, 120])
      expect(escapeMrkdwn(text, max).length).toBeLessThanOrEqual(Math.max(max, 9));
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

describe('times', () => {
  it('are drawn in the reader’s zone, with UTC for clients that cannot', () => {
    expect(relativeDate(START)).toBe(
      '<!date^1795168800^{date_short_pretty} at {time}|2026-11-20 at 10:00 UTC>',
    );
    expect(utcTime(START)).toBe('2026-11-20 at 10:00 UTC');
  });

  it('are drawn with their age where that matters, which each client counts as it is read', () => {
    expect(whenAgo(START)).toBe('<!date^1795168800^{date_short} at {time} ({ago})|2026-11-20 at 10:00 UTC>');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 9e15])('are called unknown where %d is no time', (time) => {
    expect(relativeDate(instant(time))).toBe('an unknown time');
    expect(whenAgo(instant(time))).toBe('an unknown time');
  });
});

describe('button values', () => {
  it.each<[string, ButtonValue]>([
    ['a decision', { do: 'decide', approval: requestId('r_1'), seal: 's' }],
    [
      'a control of a rollout',
      { do: 'control', request: requestId('r_1'), control: 'resume', hold: instant(1_000) },
    ],
    ['a command', { do: 'run', command: 'patch', input: { device: 1, packages: ['x'], reason: null } }],
    ['a page', { do: 'run', command: 'devices', input: null, page: 0 }],
    ['a device', { do: 'device', device: deviceId(7) }],
    ['a page of a device', { do: 'device', device: deviceId(7), page: 'hardware' }],
  ])('come back as they went: %s', (_what, value) => {
    expect(readButtonValue(writeButtonValue(value) ?? '')).toEqual(value);
  });

  it('are not written when a button could not carry them', () => {
    expect(writeButtonValue({ do: 'run', command: 'patch', input: 'x'.repeat(2_000) })).toBeNull();
  });

  it.each([
    ['nothing', ''],
    ['no JSON', 'approve'],
    ['null', 'null'],
    ['an unknown deed', '{"do":"explode"}'],
    ['a decision without a seal', '{"do":"decide","approval":"a_1"}'],
    ['a device that is no id', '{"do":"device","device":"7"}'],
    ['a page before the first', '{"do":"run","command":"devices","input":{},"page":-1}'],
  ])('are refused: %s', (_what, text) => {
    expect(readButtonValue(text)).toBeNull();
  });

  property([fc.oneof(fc.string(), fc.json())])(
    'never throw on any text',
    (text) => void readButtonValue(text),
  );
});

const URL = 'https://t.example/{id}?a=1&b=2';
const link = (id: string) => `<https://t.example/${id}?a=1&amp;b=2|${id}>`;
const shown = (reason: string, max = 600): string => withTicketLinks(escapeMrkdwn(reason, max), URL);

describe('tickets in a reason', () => {
  it.each([
    ['OPS-12', link('OPS-12')],
    ['(OPS-12), AB2-7.', `(${link('OPS-12')}), ${link('AB2-7')}.`],
    ['OPS-12 and OPS-12 again', `${link('OPS-12')} and ${link('OPS-12')} again`],
    [
      'A1-1 B1-1 C1-1 AA-1 BB-2 CC-3 DD-4',
      `${link('A1-1')} ${link('B1-1')} ${link('C1-1')} AA-1 BB-2 CC-3 DD-4`,
    ],
    // Beside code, which has no links.
    ['OPS-12 & <!channel>', `\`OPS-12 &amp; &lt;!channel&gt;\` ${link('OPS-12')}`],
    ['*now*', '`*now*`'],
  ])('%s is shown as %s', (reason, text) => {
    expect(shown(reason)).toBe(text);
  });

  it('are none in other words, in parts of words and in addresses', () => {
    const words = 'ops-12 O-12 OPS-0 OPS-12345678901 XOPS_OPS-12 OPS-12a CVE-2026-1234 my-OPS-12 ÄOPS-12';
    for (const reason of [...words.split(' '), 'https://other.example/browse/OPS-12'])
      expect(shown(reason)).toBe(escapeMrkdwn(reason, 600));
  });

  it('are not linked where they are cut, or nothing says where they are', () => {
    expect(shown('see OPS-123', 10)).toBe('see OPS-1…');
    expect(withTicketLinks(md`OPS-12`, undefined)).toBe('OPS-12');
  });

  it('are text in notifications, where other links stay', () => {
    const other = md`<https://example.slack.com/p1|Open the request>`;
    const body = section(md`${withTicketLinks(md`OPS-12`, URL)} ${other}`);
    expect(fallbackText(md`Reboot`, [section(md`x`), body])).toBe(`Reboot\nOPS-12 ${other}`);
  });
});
