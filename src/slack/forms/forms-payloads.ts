/** The door for what Slack says of forms: presses and submissions in their windows, and menus that search. */
import { z } from 'zod';
import { type PersonId, personId } from '../../ids.ts';
import { FORM } from '../../views/forms/form.ts';
import { filledBlocks } from '../../views/forms/form-again.ts';
import { SEARCH } from '../../views/forms/form-field.ts';
import { type FormOrder, readFormOrder } from '../../views/forms/form-order.ts';
import type { FieldValues, SearchedKind } from '../../views/models/form-model.ts';
import { depthOf } from '../payloads.ts';
import type { Modal } from '../web.ts';

/** Kept whole: what was chosen is drawn once more where the form is. */
const option = z.looseObject({ value: z.string() });
const entry = z.object({
  value: z.string().nullish(),
  selected_option: option.nullish(),
  selected_options: z.array(option).nullish(),
});
const user = z.object({ id: z.string().transform(personId) });
const plainText = z.looseObject({ type: z.literal('plain_text'), text: z.string() });
const usedSchema = z.object({
  user,
  view: z.object({
    id: z.string(),
    hash: z.string(),
    private_metadata: z.string(),
    root_view_id: z.string().nullish(),
    previous_view_id: z.string().nullish(),
    title: plainText,
    submit: plainText.nullish(),
    close: plainText.nullish(),
    blocks: z.array(z.looseObject({ type: z.string(), block_id: z.string().exactOptional() })),
    state: z.object({ values: z.record(z.string(), z.record(z.string(), entry)) }),
  }),
});
const suggestionSchema = z.object({ user, action_id: z.string(), value: z.string().default('') });
const ours = z.object({ view: z.object({ callback_id: z.literal(FORM) }) });

/** A form as it stands with what somebody entered. */
export type FormUsed = {
  readonly viewId: string;
  /** Changes with every change of the window. */
  readonly hash: string;
  readonly person: PersonId;
  /** Null: made by another version of this program. */
  readonly order: FormOrder | null;
  readonly values: FieldValues;
  /** How many windows lie over each other with this one. */
  readonly depth: number;
  /** The window with everything that was entered. */
  readonly filled: Modal;
};

/** Whether this happened in the window of a form. */
export function isInForm(payload: unknown): boolean {
  return ours.safeParse(payload).success;
}

/** A press in a form, or its submission. */
export function readFormUsed(payload: unknown): FormUsed {
  const { user, view } = usedSchema.parse(payload);
  const values = Object.entries(view.state.values).map(([block, elements]) => {
    return [block, Object.values(elements).flatMap(entered)] as const;
  });
  return {
    viewId: view.id,
    hash: view.hash,
    person: user.id,
    order: readFormOrder(view.private_metadata),
    values: new Map(values),
    depth: depthOf(view),
    filled: filled(view),
  };
}

type Used = z.output<typeof usedSchema>['view'];

function filled({ title, submit, close, private_metadata, blocks, state }: Used): Modal {
  return {
    type: 'modal',
    callback_id: FORM,
    private_metadata,
    title,
    ...(submit ? { submit } : {}),
    ...(close ? { close } : {}),
    blocks: filledBlocks(blocks, state.values),
  };
}

function entered({ value, selected_option, selected_options }: z.output<typeof entry>): readonly string[] {
  const one = selected_option?.value ?? value ?? '';
  return [...(one === '' ? [] : [one]), ...(selected_options ?? []).map((chosen) => chosen.value)];
}

const KINDS: ReadonlySet<string> = new Set<SearchedKind>(['device', 'group', 'policy', 'package']);
function isKind(word: string): word is SearchedKind {
  return KINDS.has(word);
}

/** What somebody types into a menu that searches; `of` is null for a menu that is none of ours. */
export function readSuggestion(payload: unknown) {
  const { user, action_id, value } = suggestionSchema.parse(payload);
  const sought = action_id.startsWith(SEARCH) ? action_id.slice(SEARCH.length) : '';
  return { person: user.id, of: isKind(sought) ? sought : null, query: value };
}
