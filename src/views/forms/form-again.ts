/** A submitted form drawn once more: with what was entered, and with what stood in the way at its field. */
import { z } from 'zod';
import { actions, section } from '../kit/blocks.ts';
import { literal, md } from '../kit/escape.ts';
import { LIMIT, SHOWN } from '../kit/limits.ts';
import { formButton } from '../kit/run-button.ts';
import type { Block } from '../model.ts';
import { sentences, type Wording } from '../problems/wording.ts';

/** What an element held, as Slack says it with a submission. */
export type EnteredIn = {
  readonly value?: string | null | undefined;
  readonly selected_option?: Option | null | undefined;
  readonly selected_options?: readonly Option[] | null | undefined;
};
type Option = { readonly value: string };

/** By block, then by element. */
export type Entered = Readonly<Record<string, Readonly<Record<string, EnteredIn>>>>;

const option = z.looseObject({ value: z.string() });
const withOptions = z
  .object({ options: z.array(option), option_groups: z.array(z.object({ options: z.array(option) })) })
  .partial();

/** `block_id` of our own words among the fields: they go when the form is drawn once more. */
const NOTE = 'note:';

/** The blocks of a submitted form, each field with what stood in it in the end. */
export function filledBlocks(blocks: readonly Block[], entered: Entered): readonly Block[] {
  return blocks.flatMap((block) => {
    if (block.block_id?.startsWith(NOTE) === true) return [];
    const held = block.block_id === undefined ? [] : Object.values(entered[block.block_id] ?? {});
    const [first] = held;
    const element: unknown = block['element'];
    if (first === undefined || typeof element !== 'object' || element === null) return [block];
    return [{ ...block, element: { ...without(element), ...initial(first, optionsOf(element)) } }];
  });
}

const INITIAL: ReadonlySet<string> = new Set(['initial_value', 'initial_option', 'initial_options']);

function without(element: object): object {
  return Object.fromEntries(Object.entries(element).filter(([key]) => !INITIAL.has(key)));
}

/** Slack refuses what is empty here, and an option that is not letter for letter one of the element's own. */
function initial(
  { value, selected_option, selected_options }: EnteredIn,
  options: ReadonlyMap<string, Option>,
): object {
  const own = (option: Option): Option => options.get(option.value) ?? option;
  return {
    ...(typeof value === 'string' && value !== '' ? { initial_value: value } : {}),
    ...(selected_option ? { initial_option: own(selected_option) } : {}),
    ...(selected_options && selected_options.length > 0
      ? { initial_options: selected_options.map(own) }
      : {}),
  };
}

/** Of an element that has its options with it, by value; none of one that searches. */
function optionsOf(element: object): ReadonlyMap<string, Option> {
  const { options = [], option_groups = [] } = withOptions.parse(element);
  const all = [...options, ...option_groups.flatMap((group) => group.options)];
  return new Map(all.map((option) => [option.value, option]));
}

/** The same with what stood in the way: below its field where it is about one, and always at the top. */
export function notedBlocks(
  blocks: readonly Block[],
  { what, changed, next }: Wording,
  field: string | null,
): readonly Block[] {
  const at = blocks.findIndex(({ block_id }) => block_id !== undefined && block_id === field);
  const label = at < 0 ? null : labelOf(blocks[at]);
  const top = note(
    'top',
    label === null
      ? sentences([what, sentences([changed, next])], '\n')
      : sentences([changed, md`Check the field “${literal(label, SHOWN.label)}”.`]),
  );
  if (label === null) return [top, ...blocks].slice(0, LIMIT.modalBlocks);
  const below = note('field', md`${what} ${next}`);
  return [top, ...blocks.slice(0, at + 1), below, ...blocks.slice(at + 1)].slice(0, LIMIT.modalBlocks);
}

/** Below an answer in the form's window: opens the form with what it was asked for. */
export function backToForm(
  asked: { readonly command: string; readonly input: unknown } | null,
): readonly Block[] {
  return actions(asked && formButton({ action: 'form:back', label: 'Back to form', ...asked }));
}

function note(id: string, words: Parameters<typeof section>[0]): Block {
  return { ...section(words), block_id: `${NOTE}${id}` };
}

function labelOf(block: Block | undefined): string | null {
  const label: unknown = block?.['label'];
  if (typeof label !== 'object' || label === null || !('text' in label)) return null;
  return typeof label.text === 'string' ? label.text : null;
}
