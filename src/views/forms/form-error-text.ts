import { z } from 'zod';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { formButton } from '../kit/buttons.ts';
import { escapeMrkdwn, inlineCode, md, unescapeMrkdwn } from '../kit/escape.ts';
import { type Block, DISPLAY_LIMIT, LIMIT, type RenderedMessage } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import type { Problem } from '../models/problem-model.ts';
import { NO_TEXT, type ProblemParts, sentences } from '../problems/problem-parts.ts';
import { problemText } from '../problems/problem-text.ts';

/** A command lacks something: its form asks for it, opened at once where Slack lets us, else by a button. */
type MissingInputView = {
  readonly kind: 'fill-in';
  readonly command: string;
  /** What was given already, in part of the command's input. */
  readonly prefill: unknown;
  /** As the object of a sentence: `a device`; null where only its window could not be opened. */
  readonly missing: string | null;
  /** What is typed after `root`. */
  readonly usage: string;
  readonly root: string;
};

/** A problem, or a search without results. */
export type FormError =
  | (Problem & { readonly root?: string })
  | { readonly kind: 'nothing-fits'; readonly question: string };

export function formErrorText(error: FormError): ProblemParts {
  if (error.kind !== 'nothing-fits') {
    const parts = problemText(problemInForm(error), error.root ?? ROOT_COMMAND);
    const isReason = error.kind === 'reason-required' || error.kind === 'reason-unfit';
    return isReason ? { ...parts, next: md`Enter it here.` } : parts;
  }
  return {
    what: md`No devices match ${inlineCode(error.question, DISPLAY_LIMIT.sentence)}.`,
    changed: NO_TEXT,
    next: md`Use fewer words or filters, or try other ones.`,
  };
}

/** A note on a form has no buttons, so suggestions are put in words. */
function problemInForm(problem: Problem): Problem {
  if (!('offers' in problem)) return problem;
  const { offers: _, ...withoutOffers } = problem;
  return withoutOffers;
}

/** The text of a problem for a field, which shows no markup. */
export function plainProblem(problem: Problem): string {
  const { what, changed, next } = formErrorText(problem);
  return unescapeMrkdwn(sentences([what, changed, next])).replaceAll('`', '');
}

/** On a form whose window was sent before, perhaps with other values. */
export const ALREADY_SENT_TEXT =
  'You already sent this form, so it isn’t sent again. The result of the first time is shown here or in a message. To request something else, open a new form.';

/** Above the fields of the form that looks for a device. */
export const NONE_IN_MESSAGE = 'This message names no device of the fleet. Search for the one you mean.';

/** A command with a part missing: which one, the usage, and a button that opens its form. */
export function renderMissingInput(view: MissingInputView): RenderedMessage {
  const { command, prefill, missing, usage, root } = view;
  const what =
    missing === null
      ? md`Couldn’t open the form for ${inlineCode(command)}.`
      : escapeMrkdwn(missing, DISPLAY_LIMIT.sentence);
  return buildMessage({
    text: what,
    body: [
      section(what),
      context(md`Usage: ${inlineCode(`${root} ${usage}`)}`),
      ...actions(formButton({ label: 'Open form', command, input: prefill })),
    ],
  });
}

/** A submitted form drawn again, with the entered values and the error at its field. */
type ElementValue = {
  readonly value?: string | null | undefined;
  readonly selected_option?: SelectedOption | null | undefined;
  readonly selected_time?: string | null | undefined;
  readonly selected_options?: readonly SelectedOption[] | null | undefined;
};
type SelectedOption = { readonly value: string };

/** By `block_id`, then by `action_id`. */
type EnteredValues = Readonly<Record<string, Readonly<Record<string, ElementValue>>>>;

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
