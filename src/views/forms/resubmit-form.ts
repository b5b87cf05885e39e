/** A submitted form drawn again, with the entered values and the error at its field. */
import { z } from 'zod';
import { actions, section } from '../kit/blocks.ts';
import { formButton } from '../kit/command-buttons.ts';
import { escapeMrkdwn, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT, LIMIT } from '../kit/limits.ts';
import type { Block } from '../models/rendered-model.ts';
import { type ProblemParts, sentences } from '../problems/problem-parts.ts';

/** The value of an element as Slack sends it with a submission. */
export type ElementValue = {
  readonly value?: string | null | undefined;
  readonly selected_option?: SelectedOption | null | undefined;
  readonly selected_time?: string | null | undefined;
  readonly selected_options?: readonly SelectedOption[] | null | undefined;
};
type SelectedOption = { readonly value: string };

/** By `block_id`, then by `action_id`. */
export type EnteredValues = Readonly<Record<string, Readonly<Record<string, ElementValue>>>>;

const option = z.looseObject({ value: z.string() });
const withOptions = z
  .object({ options: z.array(option), option_groups: z.array(z.object({ options: z.array(option) })) })
  .partial();

/** Prefix of the `block_id` of our notes among the fields, which are removed when the form is drawn again. */
const NOTE_BLOCK = 'note:';

/** The blocks of a submitted form, each field with its submitted value. */
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

const INITIAL_FIELDS: ReadonlySet<string> = new Set([
  'initial_value',
  'initial_option',
  'initial_options',
  'initial_time',
]);

function withoutInitial(element: object): object {
  return Object.fromEntries(Object.entries(element).filter(([key]) => !INITIAL_FIELDS.has(key)));
}

/** Slack rejects empty values, and an option that differs from the element's own in any letter. */
function initialFields(
  { value, selected_option, selected_options, selected_time }: ElementValue,
  options: ReadonlyMap<string, SelectedOption>,
): object {
  const own = (option: SelectedOption): SelectedOption => options.get(option.value) ?? option;
  return {
    ...(typeof value === 'string' && value !== '' ? { initial_value: value } : {}),
    ...(selected_time ? { initial_time: selected_time } : {}),
    ...(selected_option ? { initial_option: own(selected_option) } : {}),
    ...(selected_options && selected_options.length > 0
      ? { initial_options: selected_options.map(own) }
      : {}),
  };
}

/** The options of a static menu, by value. Empty for an element that searches. */
function optionsOf(element: object): ReadonlyMap<string, SelectedOption> {
  const { options = [], option_groups = [] } = withOptions.parse(element);
  const all = [...options, ...option_groups.flatMap((group) => group.options)];
  return new Map(all.map((option) => [option.value, option]));
}

/** The blocks with an error: at the top, and below its field where it is about one. */
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

/** A button below an answer in a form's window that opens the form again with its values. */
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
