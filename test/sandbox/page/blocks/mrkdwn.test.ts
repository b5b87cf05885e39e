import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { NOW } from '../harness/fake-control.ts';
import { pageStage } from '../harness/page-harness.ts';

const { open } = pageStage();

/** The HTML of each text, rendered by the page's own code. */
function drawn(page: Page, texts: readonly string[]): Promise<unknown> {
  return page.evaluate(`Promise.all([import('/page/text/mrkdwn.ts'), import('/page/preact.ts')]).then(
    ([{ renderMrkdwn }, { html, render }]) => {
      const names = { person: (id) => 'p' + id, channel: (id) => id === 'C0' ? null : 'c' + id, group: (id) => 'g' + id };
      return ${JSON.stringify(texts)}.map((text) => {
        const place = document.createElement('div');
        render(html\`<div>\${renderMrkdwn(text, { names, now: () => ${NOW} })}</div>\`, place);
        return place.firstChild.innerHTML;
      });
    })`);
}

const line = (html: string) => `<div class="lines">${html}</div>`;
const mention = (kind: string, label: string) => `<span class="mention mention-${kind}">${label}</span>`;
const channel = (id: string, label: string) =>
  `<a class="mention mention-channel" href="/archives/${id}">${label}</a>`;
const link = (href: string, label: string) =>
  `<a href="${href}" target="_blank" rel="noopener noreferrer">${label}</a>`;
const date = (shown: string) => `<time title="Friday, November 20, 2026 at 3:03:20 PM GMT+1">${shown}</time>`;
const AT = NOW / 1000;

const table: readonly (readonly [string, string])[] = [
  ['*bold* _it_ ~gone~', line('<b>bold</b> <i>it</i> <s>gone</s>')],
  ['*_both_*', line('<b><i>both</i></b>')],
  ['a*b*c snake_case_name 2*3*4', line('a*b*c snake_case_name 2*3*4')],
  ['* no * and *no\nno*', line('* no * and *no\nno*')],
  ['`a *b* <@U1> &lt;`', line('<code>a *b* &lt;@U1&gt; &lt;</code>')],
  ['*a `*` b*', line('<b>a <code>*</code> b</b>')],
  ['x\n```\na *b*\n  c\n```\ny', `${line('x')}<pre>a *b*\n  c</pre>${line('y')}`],
  ['&gt; one\n> *two*\nthree', `<blockquote>one\n<b>two</b></blockquote>${line('three')}`],
  ['• one\n- two', line('• one\n- two')],
  [
    '<@U1> <@W2|ann> <#C3> <#C3|> <#C3|ops>',
    line(
      [
        mention('person', '@pU1'),
        mention('person', '@ann'),
        channel('C3', '#cC3'),
        channel('C3', '#cC3'),
        channel('C3', '#cC3'),
      ].join(' '),
    ),
  ],
  ['<#C0> <#C0|plans>', line([1, 2].map(() => mention('channel', 'private channel')).join(' '))],
  [
    '<!subteam^S1> <!subteam^S1|@on-call> <!here> <!channel>',
    line(
      [
        mention('group', '@gS1'),
        mention('group', '@on-call'),
        mention('everyone', '@here'),
        mention('everyone', '@channel'),
      ].join(' '),
    ),
  ],
  ['<https://a.example/?x=1&amp;y=2|a &amp; b>', line(link('https://a.example/?x=1&amp;y=2', 'a &amp; b'))],
  ['<mailto:a@b.example|Ann>', line(link('mailto:a@b.example', 'Ann'))],
  ['see https://a.example/b, ok', line('see https://a.example/b, ok')],
  ['<javascript:alert(1)|x> <b> <b.c:d|x>', line('&lt;javascript:alert(1)|x&gt; &lt;b&gt; &lt;b.c:d|x&gt;')],
  ['< https://a.example/b|x>', line('&lt; https://a.example/b|x&gt;')],
  ['&amp;lt; &lt;!channel&gt;', line('&amp;lt; &lt;!channel&gt;')],
  [`<!date^${AT}^{date_short_pretty} at {time}|x>`, line(date('today at 3:03 PM'))],
  [`<!date^${AT}^{date_short_pretty} ({ago})|x>`, line(date('today (now)'))],
  // The year is shown from six months on, in the past and in the future.
  [
    `<!date^${Date.UTC(2026, 4, 20, 12) / 1000}^{date_short_pretty}|x>`,
    line('<time title="Wednesday, May 20, 2026 at 2:00:00 PM GMT+2">May 20, 2026</time>'),
  ],
  [
    `<!date^${Date.UTC(2027, 4, 19, 12) / 1000}^{date_short_pretty} ({ago})|x>`,
    line('<time title="Wednesday, May 19, 2027 at 2:00:00 PM GMT+2">May 19 (in 180 days)</time>'),
  ],
  [`<!date^${AT}^{unknown}|x>`, line(date('{unknown}'))],
  [':flag-de: :wave::skin-tone-2: :mage:', line('🇩🇪 👋🏻 🧙')],
  ['<!date^soon^{date}|sometime>', line('<time>sometime</time>')],
  [':tada: :no_such_emoji: 12:30:45', line('🎉 :no_such_emoji: 12:30:45')],
  ['', ''],
];

test('texts become what Slack makes of them', async () => {
  const page = await open();
  const html = await drawn(
    page,
    table.map(([text]) => text),
  );
  // Chromium puts a narrow space before AM and PM.
  const plainSpaces = JSON.parse(JSON.stringify(html).replaceAll(' ', ' '));
  expect(plainSpaces).toEqual(table.map(([, expected]) => expected));
});

test('no text becomes an element that a text cannot be', async () => {
  const page = await open();
  const piece = fc.constantFrom(
    '*',
    '_',
    '~',
    '`',
    '```',
    '<',
    '>',
    '|',
    '!',
    '@U1',
    '#C1',
    'date^1^{time}',
    '&lt;',
    'http://a',
    'javascript:',
    '<img onerror=x>',
    '\n',
    ' ',
    'a',
    ':x:',
    '&gt;',
    '"',
    "'",
  );
  const texts = fc.sample(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    400,
  );
  const html = await drawn(page, texts);
  const found = String(html).match(
    /<(?!\/?(?:div|b|i|s|code|pre|blockquote|span|time|a)\b)[^>]*>|\son\w+=(?=")|href="(?!http|mailto|\/archives\/)/g,
  );
  expect(found).toBeNull();
});

test('long hostile texts are drawn without delay or overflow of the stack', async () => {
  const page = await open();
  const texts = [
    '*a '.repeat(10_000),
    '*_~'.repeat(10_000),
    '<'.repeat(40_000),
    '`'.repeat(40_000),
    '> '.repeat(20_000),
    '*a* '.repeat(10_000),
  ];
  expect(await drawn(page, texts)).toHaveLength(texts.length);
});
