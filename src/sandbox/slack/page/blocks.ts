/** Every type of block with its component. */

import { Chart } from './chart.ts';
import { renderElement } from './elements/elements.ts';
import { renderUnsupported, useNewId } from './kit.ts';
import { html, useErrorBoundary, useState } from './preact.ts';
import { withSigns } from './text/emoji.ts';
import { renderRichText } from './text/rich-text.ts';
import { Collapsible, plainNode, renderText } from './text/text-object.ts';
import type {
  Block,
  Drawn,
  Element,
  ElementSlot,
  RenderContext,
  RichPart,
  TableCell,
  TextObject,
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
