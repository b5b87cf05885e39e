/** A submitted form drawn once more: with what was entered, and with what stood in the way at its field. */
import { z } from 'zod';
import { actions, section } from '../kit/blocks.ts';
import { formButton } from '../kit/command-buttons.ts';
import { escapeMrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT, LIMIT } from '../kit/limits.ts';
import type { Block } from '../model.ts';
import { type ProblemParts, sentences } from '../problems/problem-parts.ts';

/** What an element held, as Slack says it with a submission. */
export type ElementValue = {
  readonly value?: string | null | undefined;
  readonly selected_option?: SelectedOption | null | undefined;
  readonly selected_options?: readonly SelectedOption[] | null | undefined;
};
type SelectedOption = { readonly value: string };

/** By block, then by element. */
export type EnteredValues = Readonly<Record<string, Readonly<Record<string, ElementValue>>>>;

const option = z.looseObject({ value: z.string() });
const withOptions = z
  .object({ options: z.array(option), option_groups: z.array(z.object({ options: z.array(option) })) })
  .partial();

/** `block_id` of our own words among the fields: they go when the form is drawn once more. */
const NOTE_BLOCK = 'note:';

/** The blocks of a submitted form, each field with what stood in it in the end. */
export function blocksWithValues(blocks: readonly Block[], values: EnteredValues): readonly Block[] {
  return blocks.flatMap((block) => {
    if (block.block_id?.startsWith(NOTE_BLOCK) === true) return [];
    const held = block.block_id === undefined ? [] : Object.values(values[block.block_id] ?? {});
    const [first] = held;
    const element: unknown = block['element'];
    if (first === undefined || typeof element !== 'object' || element === null) return [block];
    return [
      { ...block, element: { ...withoutInitial(element), ...initialFields(first, optionsOf(element)) } },
    ];
  });
}

const INITIAL_FIELDS: ReadonlySet<string> = new Set(['initial_value', 'initial_option', 'initial_options']);

function withoutInitial(element: object): object {
  return Object.fromEntries(Object.entries(element).filter(([key]) => !INITIAL_FIELDS.has(key)));
}

/** Slack refuses what is empty here, and an option that is not letter for letter one of the element's own. */
function initialFields(
  { value, selected_option, selected_options }: ElementValue,
  options: ReadonlyMap<string, SelectedOption>,
): object {
  const own = (option: SelectedOption): SelectedOption => options.get(option.value) ?? option;
  return {
    ...(typeof value === 'string' && value !== '' ? { initial_value: value } : {}),
    ...(selected_option ? { initial_option: own(selected_option) } : {}),
    ...(selected_options && selected_options.length > 0
      ? { initial_options: selected_options.map(own) }
      : {}),
  };
}

/** Of an element that has its options with it, by value; none of one that searches. */
function optionsOf(element: object): ReadonlyMap<string, SelectedOption> {
  const { options = [], option_groups = [] } = withOptions.parse(element);
  const all = [...options, ...option_groups.flatMap((group) => group.options)];
  return new Map(all.map((option) => [option.value, option]));
}

/** The same with what stood in the way: below its field where it is about one, and always at the top. */
export function blocksWithError(
  blocks: readonly Block[],
  { what, changed, next }: ProblemParts,
  field: string | null,
): readonly Block[] {
  const at = blocks.findIndex(({ block_id }) => block_id !== undefined && block_id === field);
  const label = at < 0 ? null : labelOf(blocks[at]);
  const top = noteBlock(
    'top',
    label === null
      ? sentences([what, sentences([changed, next])], '\n')
      : sentences([changed, md`Check the field “${escapeMrkdwn(label, DISPLAY_LIMIT.label)}”.`]),
  );
  if (label === null) return [top, ...blocks].slice(0, LIMIT.modalBlocks);
  const below = noteBlock('field', md`${what} ${next}`);
  return [top, ...blocks.slice(0, at + 1), below, ...blocks.slice(at + 1)].slice(0, LIMIT.modalBlocks);
}

/** Below an answer in the form's window: opens the form with what it was asked for. */
export function backToForm(
  request: { readonly command: string; readonly input: unknown } | null,
): readonly Block[] {
  return actions(request && formButton({ action: 'form:back', label: 'Back to form', ...request }));
}

function noteBlock(id: string, words: Parameters<typeof section>[0]): Block {
  return { ...section(words), block_id: `${NOTE_BLOCK}${id}` };
}

function labelOf(block: Block | undefined): string | null {
  const label: unknown = block?.['label'];
  if (typeof label !== 'object' || label === null || !('text' in label)) return null;
  return typeof label.text === 'string' ? label.text : null;
}
