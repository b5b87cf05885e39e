/** The markdown block: what becomes of standard Markdown, and that hostile texts stay harmless. */
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { pageStage } from '../harness/page-harness.ts';

const { open } = pageStage();

/** The HTML of each text, rendered by the page's own code. */
function drawn(page: Page, texts: readonly string[]): Promise<readonly string[]> {
  return page.evaluate(`import('/page/blocks/markdown.ts').then(({ renderMarkdown }) =>
    ${JSON.stringify(texts)}.map((text) => renderMarkdown({ type: 'markdown', text }).innerHTML))`);
}

const paragraph = (html: string) => `<p>${html}</p>`;
const link = (href: string, label: string) =>
  `<a href="${href}" target="_blank" rel="noopener noreferrer">${label}</a>`;

const table: readonly (readonly [string, string])[] = [
  [
    '**b** __b__ *i* _i_ ~~s~~ `c *c*` \\*',
    paragraph('<b>b</b> <b>b</b> <i>i</i> <i>i</i> <s>s</s> <code>c *c*</code> *'),
  ],
  ['snake_case_name, пример_слова_здесь, 2*3', paragraph('snake_case_name, пример_слова_здесь, 2*3')],
  ['(_with p_) {_and L_}', paragraph('(<i>with p</i>) {<i>and L</i>}')],
  ['one\ntwo  \nthree', paragraph('one\ntwo<br>three')],
  ['## Two\n***', '<div class="md-heading" role="heading" aria-level="4">Two</div><hr>'],
  ['> one\n> > two', `<blockquote><p>one</p><blockquote><p>two</p></blockquote></blockquote>`],
  ['```sh\n<b> *x*\n```', '<pre>&lt;b&gt; *x*</pre>'],
  ['3. c\n4. d', '<ol start="3"><li>c</li><li>d</li></ol>'],
  [
    '- [x] **done**',
    '<ul><li class="task-item"><input type="checkbox" disabled="" checked="" aria-label="**done**"><b>done</b></li></ul>',
  ],
  [
    '|a|b|\n|-|-:|\n|1|',
    '<div class="table-place"><table><thead><tr><th scope="col" class="align-left">a</th>' +
      '<th scope="col" class="align-right">b</th></tr></thead><tbody><tr><td class="align-left">1</td>' +
      '<td class="align-right"></td></tr></tbody></table></div>',
  ],
  [
    '[**go**](https://a.example/b "t") <https://a.example> a@b.example',
    paragraph(
      [
        link('https://a.example/b', '<b>go</b>'),
        link('https://a.example', 'https://a.example'),
        link('mailto:a@b.example', 'a@b.example'),
      ].join(' '),
    ),
  ],
  [
    '![Logo](https://a.example/l.png) ![](javascript:x)',
    paragraph(`${link('https://a.example/l.png', 'Logo')} javascript:x`),
  ],
  [':tada: :white_check_mark_: :wave::skin-tone-3:', paragraph('🎉 :white_check_mark_: 👋🏼')],
];

test('Markdown becomes what Slack makes of it', async () => {
  const page = await open();
  const html = await drawn(
    page,
    table.map(([text]) => text),
  );
  expect(html).toEqual(table.map(([, expected]) => expected));
});

test.each([
  ['[x](javascript:alert(1)) [y](JaVaScRiPt:0) [z](data:text/html,x)', paragraph('x y z')],
  ['[x](//evil.example) [y](/sandbox/reset) [z](file:///etc/passwd)', paragraph('x y z')],
  ['[x][r]\n\n[r]: javascript:alert(1)', paragraph('x')],
  ['<javascript:alert(1)> <vbscript:x>', paragraph('javascript:alert(1) vbscript:x')],
  ['[x](java&#115;cript:0) [y]( javascript:0)', paragraph('x y')],
  [
    'a <img src=x onerror=alert(1)> <b onclick="x">b</b>',
    paragraph('a &lt;img src=x onerror=alert(1)&gt; &lt;b onclick="x"&gt;b&lt;/b&gt;'),
  ],
  ['<script>alert(1)</script>', paragraph('&lt;script&gt;alert(1)&lt;/script&gt;')],
  ['<!-- x --><style>*{}</style>', paragraph('&lt;!-- x --&gt;&lt;style&gt;*{}&lt;/style&gt;')],
])('%s stays harmless', async (text, expected) => {
  const page = await open();
  expect(await drawn(page, [text])).toEqual([expected]);
});

/** Names of elements and attributes that Markdown may become, and the schemes of its addresses. */
const ALLOWED = new Set([
  ...[
    'p',
    'div',
    'b',
    'i',
    's',
    'code',
    'pre',
    'blockquote',
    'ul',
    'ol',
    'li',
    'input',
    'a',
    'hr',
    'br',
    'span',
  ],
  ...[
    'table',
    'thead',
    'tbody',
    'tr',
    'th',
    'td',
    'class',
    'role',
    'scope',
    'start',
    'type',
    'disabled',
    'checked',
  ],
  ...['aria-level', 'aria-label', 'title', 'target', 'rel', 'href=http', 'href=https', 'href=mailto'],
]);

test('no text becomes an element or an address that a text cannot be', async () => {
  const page = await open();
  const piece = fc.constantFrom(
    ...['*', '_', '~~', '`', '```', '<', '>', '|', '!', '[', ']', '(', ')', ':', '\\', '#', '- ', '1. ', '-'],
    ...['http://a', 'javascript:', 'data:', '<img onerror=x>', '<svg/onload=x>', '\n', ' ', 'a', '&lt;', '"'],
    ...['](', '](javascript:x)', '[r]: javascript:x\n', '[r]', '> ', '- [ ] ', '|-|-|\n', '    ', '&#x6A;'],
  );
  const texts = fc.sample(
    fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join('')),
    400,
  );
  const found = await page.evaluate<readonly string[]>(`import('/page/blocks/markdown.ts').then(
    ({ renderMarkdown }) => [...new Set(${JSON.stringify(texts)}
      .flatMap((text) => [...renderMarkdown({ type: 'markdown', text }).querySelectorAll('*')])
      .flatMap((node) => [node.localName, ...[...node.attributes].map(({ name, value }) =>
        name === 'href' ? 'href=' + value.split(':')[0] : name)]))])`);
  expect(found.filter((each) => !ALLOWED.has(each))).toEqual([]);
  expect(found).toContain('href=http');
});

test('long hostile texts are drawn; what is nested too deep is shown as written', async () => {
  const page = await open();
  const texts = ['*a ', '**a*', '[', '[a](', '![a', '<a ', '~~a', '`a``', '|a', '- ', 'http://', 'a.'].map(
    (part) => part.repeat(12_000 / part.length),
  );
  expect(await drawn(page, texts)).toHaveLength(texts.length);
  const nested = '>'.repeat(12_000);
  expect(await drawn(page, [nested])).toEqual([paragraph(nested.replaceAll('>', '&gt;'))]);
});
