/** Reads an editable field as a rich text block. */
import type { Block, RichPart, RichStyle } from '../../types.ts';
import { partOf } from './render-rich.ts';

/** `null` for an empty field. */
export function readRichText(field: HTMLElement): Block | null {
  const parts: RichPart[] = [];
  readInto(field, parts);
  const elements = parts.map(trimmed).filter(({ elements: inside = [] }) => inside.length > 0);
  return elements.length === 0 ? null : { type: 'rich_text', elements };
}

function readInto(parent: Node, parts: RichPart[]) {
  for (const node of parent.childNodes) {
    const tag = node instanceof HTMLElement ? node.tagName : '';
    if (tag === 'UL' || tag === 'OL') readList(node, parts, 0);
    else if (tag === 'BLOCKQUOTE') parts.push({ type: 'rich_text_quote', elements: inlineOf(node, {}) });
    else if (tag === 'PRE')
      parts.push({
        type: 'rich_text_preformatted',
        elements: [{ type: 'text', text: node.textContent ?? '' }],
      });
    else if (tag === 'DIV' || tag === 'P') {
      newLine(parts);
      readInto(node, parts);
      newLine(parts);
    } else addToSection(parts, inlineOf(node, {}, true));
  }
}

function readList(list: Node, parts: RichPart[], indent: number) {
  const style = list instanceof HTMLOListElement ? 'ordered' : 'bullet';
  for (const item of list.childNodes) {
    if (item instanceof HTMLUListElement || item instanceof HTMLOListElement) {
      readList(item, parts, indent + 1);
      continue;
    }
    const section = { type: 'rich_text_section', elements: inlineOf(item, {}) };
    const last = parts.at(-1);
    if (last?.type === 'rich_text_list' && last.style === style && last.indent === indent)
      parts[parts.length - 1] = { ...last, elements: [...(last.elements ?? []), section] };
    else parts.push({ type: 'rich_text_list', style, indent, elements: [section] });
  }
}

function addToSection(parts: RichPart[], more: readonly RichPart[]) {
  const last = parts.at(-1);
  if (last?.type === 'rich_text_section')
    parts[parts.length - 1] = { ...last, elements: joined([...(last.elements ?? []), ...more]) };
  else parts.push({ type: 'rich_text_section', elements: [...more] });
}

/** Ends the line of the section before, once. */
function newLine(parts: RichPart[]) {
  const last = parts.at(-1);
  const text = last?.elements?.at(-1);
  if (last?.type === 'rich_text_section' && text && !(text.type === 'text' && text.text?.endsWith('\n')))
    addToSection(parts, [{ type: 'text', text: '\n' }]);
}

/** `isItself`: read the node itself, not only its content. */
function inlineOf(node: Node, style: RichStyle, isItself = false): readonly RichPart[] {
  if (!isItself) return joined([...node.childNodes].flatMap((child) => inlineOf(child, style, true)));
  const keptPart = partOf(node);
  if (keptPart) return [keptPart];
  if (node instanceof Text) return text(node.data.replaceAll('\u200b', ''), style);
  if (node instanceof HTMLBRElement) return text('\n', style);
  const more = node instanceof HTMLElement ? STYLES[node.tagName] : undefined;
  return inlineOf(node, { ...style, ...more });
}

const STYLES: Readonly<Record<string, RichStyle | undefined>> = {
  B: { bold: true },
  STRONG: { bold: true },
  I: { italic: true },
  EM: { italic: true },
  S: { strike: true },
  STRIKE: { strike: true },
  DEL: { strike: true },
  CODE: { code: true },
};

function text(words: string, style: RichStyle): readonly RichPart[] {
  if (words === '') return [];
  const isStyled = Object.keys(style).length > 0;
  return [{ type: 'text', text: words.replaceAll('\u00a0', ' '), ...(isStyled ? { style } : {}) }];
}

/** Merges neighboring parts of the same style. */
function joined(parts: readonly RichPart[]) {
  const out: RichPart[] = [];
  for (const part of parts) {
    const last = out.at(-1);
    const isSame =
      last?.type === 'text' &&
      part.type === 'text' &&
      JSON.stringify(last.style) === JSON.stringify(part.style);
    if (isSame) out[out.length - 1] = { ...last, text: `${last.text ?? ''}${part.text ?? ''}` };
    else out.push(part);
  }
  return out;
}

/** Removes the line break that browsers leave at the end of a field. */
function trimmed(part: RichPart): RichPart {
  const inside = part.elements ?? [];
  const last = inside.at(-1);
  if (last?.type !== 'text' || !last.text?.endsWith('\n')) return part;
  const words = last.text.replace(/\n+$/, '');
  const withoutLast = inside.slice(0, -1);
  return { ...part, elements: words === '' ? withoutLast : [...withoutLast, { ...last, text: words }] };
}
