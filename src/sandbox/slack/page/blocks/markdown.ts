/** The markdown block: `marked` reads the text, and its tokens become DOM nodes. HTML in the text stays text. */
import type { MarkedToken, Token, Tokens } from 'marked';
import { lexer } from '/page/packages/marked.js';
import { h } from '../dom/dom.ts';
import { withEmoji } from '../emoji/emoji.ts';
import { renderLink } from '../text/link.ts';
import { withSigns } from '../text/signs.ts';
import type { Block } from '../types.ts';

export function renderMarkdown({ text }: Block) {
  const source = typeof text === 'string' ? text : '';
  try {
    return h('div', { class: 'markdown' }, renderTokens(lexer(source)));
  } catch (error) {
    // Thousands of nested quotes or lists exhaust the stack: such a text is shown as written.
    if (error instanceof RangeError) return h('div', { class: 'markdown' }, h('p', {}, source));
    throw error;
  }
}

function renderTokens(tokens: readonly Token[] = []) {
  const out = document.createDocumentFragment();
  // Without extensions, marked makes only its own tokens.
  for (const token of tokens as readonly MarkedToken[]) out.append(renderToken(token));
  return out;
}

function renderToken(token: MarkedToken): Node | string {
  switch (token.type) {
    case 'paragraph':
      return h('p', {}, renderTokens(token.tokens));
    case 'heading':
      return h(
        'div',
        { class: 'md-heading', role: 'heading', 'aria-level': token.depth + 2 },
        renderTokens(token.tokens),
      );
    case 'blockquote':
      return h('blockquote', {}, renderTokens(token.tokens));
    case 'list':
      return h(
        token.ordered ? 'ol' : 'ul',
        { start: token.ordered ? token.start : null },
        ...token.items.map(renderItem),
      );
    case 'table':
      return renderTable(token);
    case 'code':
      return h('pre', {}, token.text);
    case 'codespan':
      return h('code', {}, token.text);
    case 'hr':
    case 'br':
      return h(token.type, {});
    case 'strong':
      return h('b', {}, renderTokens(token.tokens));
    case 'em':
      return h('i', {}, renderTokens(token.tokens));
    case 'del':
      return h('s', {}, renderTokens(token.tokens));
    case 'link':
      return renderLink(token.href, 'autolink' in token ? token.text : renderTokens(token.tokens));
    // “Translated as hyperlink text” (docs.slack.dev/reference/block-kit/blocks/markdown-block).
    case 'image':
      return renderLink(token.href, token.text || token.href);
    case 'text':
      return token.tokens ? renderTokens(token.tokens) : withSigns(withEmoji(token.text));
    case 'html':
      return token.block ? h('p', {}, token.text) : token.text;
    case 'escape':
      return token.text;
    default:
      return '';
  }
}

function renderItem({ task, checked, text, tokens }: Tokens.ListItem) {
  if (!task) return h('li', {}, renderTokens(tokens));
  const box = h('input', {
    type: 'checkbox',
    disabled: true,
    checked: checked === true,
    'aria-label': text,
  });
  return h('li', { class: 'task-item' }, box, renderTokens(tokens));
}

function renderTable({ header, rows }: Tokens.Table) {
  const cell = ({ header: isHead, align, tokens }: Tokens.TableCell) =>
    h(
      isHead ? 'th' : 'td',
      { scope: isHead ? 'col' : null, class: `align-${align ?? 'left'}` },
      renderTokens(tokens),
    );
  const lines = [header, ...rows].map((cells) => h('tr', {}, ...cells.map(cell)));
  return h(
    'div',
    { class: 'table-place' },
    h('table', {}, h('thead', {}, ...lines.slice(0, 1)), h('tbody', {}, ...lines.slice(1))),
  );
}
