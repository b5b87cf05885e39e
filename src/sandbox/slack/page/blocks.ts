/** Every type of block with its component. */
import { renderElement } from './elements/elements.ts';
import { renderUnsupported, useNewId } from './kit.ts';
import { html, useErrorBoundary, useState } from './preact.ts';
import { formatDate, showFull } from './text/dates.ts';
import { emojiCharacter, withSigns } from './text/emoji.ts';
import {
  Collapsible,
  plainNode,
  renderChannel,
  renderLink,
  renderMention,
  renderPlainText,
  renderText,
} from './text/mrkdwn.ts';
import type {
  Block,
  ChartSeries,
  Drawn,
  Element,
  ElementSlot,
  RenderContext,
  RichPart,
  RichStyle,
  TableCell,
  TextObject,
  ViewerContext,
} from './types.ts';

/** `error`: what is wrong with the input; `failure`: why the action of an element failed. */
type BlockParts = {
  readonly block: Block;
  readonly surface: RenderContext;
  readonly slot: ElementSlot;
  readonly error: string | undefined;
  readonly failure: Drawn;
};

const COMPONENTS: ReadonlyMap<string, (parts: BlockParts) => Drawn> = new Map(
  Object.entries({
    actions: ActionsBlock,
    context: ContextBlock,
    data_visualization: Chart,
    divider: () => html`<hr data-block="divider" />`,
    input: InputBlock,
    rich_text: MessageText,
    section: SectionBlock,
    table: TableBlock,
  }),
);

type BlocksProps = {
  readonly blocks: readonly Block[];
  readonly surface: RenderContext;
  /** Errors of a form, by block id. */
  readonly errors?: Readonly<Record<string, string>>;
};

export const renderBlocks = ({ blocks, surface, errors = {} }: BlocksProps) =>
  blocks.map((block, at) => {
    const { type, block_id = '' } = block;
    const props = { block, surface, error: errors[block_id] };
    return html`<${BlockView} key=${`${type} ${block_id || at}`} ...${props} />`;
  });

/** A block that cannot be drawn is shown as such and does not affect the others. */
function BlockView({ block, surface, error }: Pick<BlockParts, 'block' | 'surface' | 'error'>) {
  /** `of`: the block as it was then; another look of it has not failed. */
  const [failed, setFailed] = useState<{ words: string; of: string } | null>(null);
  const fail = (words: string | null) =>
    setFailed(words === null ? null : { words, of: JSON.stringify(block) });
  const slot = { blockId: block.block_id ?? '', dispatches: true, fail };
  const isFailed = failed !== null && failed.of === JSON.stringify(block);
  const failure = isFailed && html`<p class="failure" role="alert">${failed.words}</p>`;
  const [thrown] = useErrorBoundary();
  const component = COMPONENTS.get(block.type);
  if (!component) return renderUnsupported('block', block);
  if (thrown) return renderUnsupported('block', block, String(thrown));
  return html`<${component} ...${{ block, surface, slot, error, failure }} />`;
}

function SectionBlock({ block, surface, slot, failure }: BlockParts) {
  const { text, fields = [], expand, accessory } = block;
  const drawn = text && html`<div class="section-text">${renderText(text, surface)}</div>`;
  const folded = text && html`<${Collapsible} text=${text.text} drawn=${drawn} />`;
  const beside = accessory && renderElement({ element: accessory, slot, surface });
  const sides = fields.map((field) => html`<div class="field">${renderText(field, surface)}</div>`);
  return html`
    <div class="section" data-block="section">
      <div class="section-body">
        ${expand ? drawn : folded}
        ${sides.length > 0 && html`<div class="fields">${sides}</div>`}
      </div>
      ${beside && html`<div class="accessory">${beside}</div>`}
      ${failure}
    </div>`;
}

function ContextBlock({ block: { elements = [] }, surface }: BlockParts) {
  // The elements of a context are texts; those of other blocks are elements, or parts of a rich text.
  const texts = elements as readonly TextObject[];
  return html`
    <div class="context" data-block="context">
      ${texts.map((text) => html`<span>${renderText(text, surface)}</span>`)}
    </div>`;
}

function ActionsBlock({ block, surface, slot, failure }: BlockParts) {
  // As above.
  const elements = (block.elements ?? []) as readonly Element[];
  return html`
    <div class="actions" data-block="actions">
      ${elements.map((element) => renderElement({ element, slot, surface }))}
      ${failure}
    </div>`;
}

/** A labeled form field. */
function InputBlock({ block, surface, slot, error, failure }: BlockParts) {
  const ids = { label: useNewId('label'), hint: useNewId('hint'), error: useNewId('error') };
  const { block_id = '', element, label, hint, optional: isOptional = false, dispatch_action } = block;
  if (!element) return renderUnsupported('block', block, 'no element');
  const describedBy = [hint && ids.hint, error && ids.error].filter(Boolean).join(' ');
  const inputSlot: ElementSlot = {
    ...slot,
    dispatches: dispatch_action === true,
    labelledBy: ids.label,
    describedBy: describedBy || undefined,
    isInvalid: error !== undefined,
    isOptional,
  };
  return html`
    <div class="input-block" data-block="input" data-input-block=${block_id}>
      <div id=${ids.label} class="input-label">
        ${plainNode(label)}${isOptional && html`<span class="optional"> (optional)</span>`}
      </div>
      ${renderElement({ element, slot: inputSlot, surface })}
      ${hint && html`<p id=${ids.hint} class="hint">${plainNode(hint)}</p>`}
      ${error && html`<p id=${ids.error} class="field-error" role="alert" data-error=${block_id}>${error}</p>`}
      ${failure}
    </div>`;
}

/** A person's own message. */
function MessageText({ block, surface }: BlockParts) {
  // As above.
  const parts = (block.elements ?? []) as readonly RichPart[];
  return html`<div data-block="rich_text">${renderRichText(parts, surface)}</div>`;
}

/** The first row is the header, as in Slack. */
function TableBlock({ block, surface }: BlockParts) {
  const [head = [], ...rows] = block.rows ?? [];
  const look = (column: number) => {
    const { align = 'left', is_wrapped = false } = block.column_settings?.[column] ?? {};
    return `align-${align}${is_wrapped ? ' wrapped' : ''}`;
  };
  const heads = head.map(
    (cell, at) => html`<th scope="col" class=${look(at)}>${renderCell(cell, surface)}</th>`,
  );
  const lines = rows.map(
    (row) =>
      html`<tr>${row.map((cell, at) => html`<td class=${look(at)}>${renderCell(cell, surface)}</td>`)}</tr>`,
  );
  return html`
    <div class="table-place" data-block="table" tabindex="0" role="region" aria-label="Table">
      <table><thead><tr>${heads}</tr></thead><tbody>${lines}</tbody></table>
    </div>`;
}

function renderCell(cell: TableCell, surface: RenderContext): Drawn {
  if (cell.type === 'raw_text') return withSigns(cell.text ?? '');
  if (cell.type === 'rich_text') return renderRichText(cell.elements ?? [], surface);
  return renderUnsupported('element', cell);
}

const WIDTH = 600;
const HEIGHT = 280;
const LEFT = 52;
const RIGHT = 12;
const TOP = 12;
/** Space below the axis for labels in one line. */
const BOTTOM = 30;
/** Angle of labels that would overlap, and which part of their length goes down and to the left. */
const SLANT = { degrees: -50, down: 0.77, left: 0.65 };
/** Width of a letter in the phone's larger font, and the space around a slanted label. */
const LARGE_LETTER = 8.5;
const AROUND = 22;
/** Width of a letter at the normal size. */
const LETTER = 7;
const MAX_TICKS = 5;

/** Bar charts of one series over categories, with a legend and a text for screen readers. */
function Chart({ block }: { block: Block }) {
  const { type, series: [series, ...others] = [] } = block.chart ?? {};
  if (type !== 'bar' || !series || others.length > 0)
    return renderUnsupported('block', block, 'no bar chart of one series');
  const title = renderPlainText(block.title);
  const values = series.data.map(({ label, value }) => `${label} ${numberText(value)}`).join(', ');
  return html`
    <figure class="chart" data-block="data_visualization">
      <figcaption class="chart-title">${title}</figcaption>
      <div class="chart-place">
        ${renderBars(series, `bar chart: ${title}. ${series.name}: ${values}.`)}
        <p class="legend"><span class="legend-patch" aria-hidden="true" />${series.name}</p>
      </div>
    </figure>`;
}

type Frame = {
  x: (at: number) => number;
  y: (value: number) => number;
  band: number;
};

function renderBars({ name, data }: ChartSeries, words: string) {
  const categories = data.map(({ label }) => label);
  const count = Math.max(1, categories.length);
  const widest = (WIDTH - LEFT - RIGHT) / count;
  const isSlanted = categories.some((label) => label.length * LETTER > widest);
  const left = isSlanted ? Math.max(LEFT, leftOfSlanted(categories, widest)) : LEFT;
  const band = (WIDTH - left - RIGHT) / count;
  const slanted = isSlanted ? Math.max(0, AROUND + lengthOf(categories) * SLANT.down - BOTTOM) : 0;
  const ticks = ticksOf(data.map(({ value }) => value));
  const [least = 0, most = 1] = [ticks[0], ticks.at(-1)];
  const frame: Frame = {
    x: (at) => rounded(left + band * (at + 0.5)),
    y: (value) => rounded(HEIGHT - BOTTOM - ((value - least) / (most - least)) * (HEIGHT - BOTTOM - TOP)),
    band,
  };
  return html`
    <svg viewBox="0 0 ${WIDTH} ${HEIGHT + slanted}" role="img" aria-label=${words}>
      ${ticks.map((tick) => axisLine(tick, frame, left))}
      ${categories.map((label, at) => categoryLabel(label, frame.x(at), isSlanted))}
      ${data.map((point, at) => bar(name, point, at, frame))}
    </svg>`;
}

const lengthOf = (labels: readonly string[]) =>
  Math.max(0, ...labels.map((label) => label.length)) * LARGE_LETTER;

/** Space that slanted labels need left of the first band, so that none is cut. */
function leftOfSlanted(labels: readonly string[], band: number) {
  const needs = labels.map((label, at) => lengthOf([label]) * SLANT.left - band * (at + 0.5));
  return Math.ceil(Math.max(0, ...needs)) + AROUND / 2;
}

/** Round numbers from at or below the smallest value (or 0) to at or above the largest. */
function ticksOf(values: readonly number[]): readonly number[] {
  const least = Math.min(0, ...values);
  const most = Math.max(0, ...values);
  const rough = (most - least || 1) / MAX_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5].find((each) => each * power >= rough) ?? 10) * power;
  const first = Math.floor(least / step);
  const count = Math.max(1, Math.ceil(most / step) - first);
  return Array.from({ length: count + 1 }, (_, at) => Number(((first + at) * step).toPrecision(12)));
}

function axisLine(tick: number, { y }: Frame, left: number) {
  const at = y(tick);
  return html`
    <line x1=${left} x2=${WIDTH - RIGHT} y1=${at} y2=${at} class=${tick === 0 ? 'axis' : 'grid'} />
    <text x=${left - 8} y=${at + 4} class="axis-label end">${axisNumber(tick)}</text>`;
}

function categoryLabel(label: string, x: number, isSlanted: boolean) {
  const y = HEIGHT - BOTTOM + (isSlanted ? 14 : 20);
  const turn = isSlanted ? `rotate(${SLANT.degrees} ${x} ${y})` : undefined;
  return html`
    <text x=${x} y=${y} transform=${turn} class="axis-label ${isSlanted ? 'end' : 'middle'}">${label}</text>`;
}

/** The browser shows its title when the pointer is over the bar. */
function bar(name: string, point: ChartSeries['data'][number], at: number, { x, y, band }: Frame) {
  const { label, value } = point;
  const room = band * 0.7;
  return html`
    <rect
      x=${rounded(x(at) - room / 2)}
      y=${Math.min(y(value), y(0))}
      width=${rounded(Math.max(1, room - 2))}
      height=${rounded(Math.max(1, Math.abs(y(value) - y(0))))}
      rx="2"
      class="bar"
    >
      <title>${name}, ${label}: ${numberText(value)}</title>
    </rect>`;
}

/** A coordinate rounded to a hundredth. */
const rounded = (number: number) => Number(number.toFixed(2));

const numbers = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });

const numberText = (number: number) => numbers.format(number);

const axisNumber = (number: number) =>
  Math.abs(number) < 10_000 ? numbers.format(number) : compact.format(number);

const renderRichText = (parts: readonly RichPart[], reader: ViewerContext) =>
  html`<div class="rich-text">${parts.map((part) => renderPart(part, reader))}</div>`;

function renderPart(part: RichPart, reader: ViewerContext): Drawn {
  const { elements = [] } = part;
  const inside = () => elements.map((each) => renderInline(each, reader));
  switch (part.type) {
    case 'rich_text_section':
      return html`<div class="lines">${inside()}</div>`;
    case 'rich_text_quote':
      return html`<blockquote>${inside()}</blockquote>`;
    case 'rich_text_preformatted':
      return html`<pre>${inside()}</pre>`;
    case 'rich_text_list': {
      const items = elements.map((each) => html`<li>${renderPart(each, reader)}</li>`);
      return html`<ul class="rich-list">${items}</ul>`;
    }
    default:
      return renderUnsupported('element', part);
  }
}

function renderInline(part: RichPart, reader: ViewerContext): Drawn {
  const { names } = reader;
  switch (part.type) {
    case 'text':
      return styled(withSigns(part.text ?? ''), part.style ?? {});
    case 'link':
      return renderLink(part.url ?? '', part.text || (part.url ?? ''));
    case 'user':
      return renderMention(`@${names.person(part.user_id ?? '')}`, 'person');
    case 'channel':
      return renderChannel(part.channel_id ?? '', names);
    case 'usergroup':
      return renderMention(`@${names.group(part.usergroup_id ?? '')}`, 'group');
    case 'broadcast':
      return renderMention(`@${part.range ?? ''}`, 'everyone');
    case 'emoji':
      return withSigns(emojiCharacter(part.name ?? '') ?? `:${part.name ?? ''}:`);
    case 'date':
      return date(part, reader);
    default:
      return renderUnsupported('element', part);
  }
}

/** docs.slack.dev/reference/block-kit/block-elements/date-element */
function date({ timestamp = Number.NaN, format = '', fallback = '' }: RichPart, { now }: ViewerContext) {
  const words = formatDate(timestamp, format, now()) ?? fallback;
  return html`<time title=${showFull(timestamp * 1000) || undefined}>${words}</time>`;
}

/** The names are those of docs.slack.dev/reference/block-kit/block-elements/text-element. */
function styled(text: Drawn, { bold, italic, strike, code }: RichStyle): Drawn {
  let out = text;
  if (code) out = html`<code>${out}</code>`;
  if (strike) out = html`<s>${out}</s>`;
  if (italic) out = html`<i>${out}</i>`;
  if (bold) out = html`<b>${out}</b>`;
  return out;
}
