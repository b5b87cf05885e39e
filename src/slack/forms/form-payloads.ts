/** Validates Slack's payloads for forms: presses and submissions in their windows, and searching menus. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type PersonId, personId } from '../../lib/ids.ts';
import type { Secret } from '../../lib/log.ts';
import { blocksWithValues } from '../../views/forms/form-error-text.ts';
import {
  FORM_CALLBACK,
  FORM_MARK_LENGTH,
  type FormMetadata,
  readFormMetadata,
  SEARCH_ACTION_PREFIX,
} from '../../views/forms/form-window.ts';
import type { Modal } from '../../views/kit/answer-window.ts';
import type { FieldValues, SearchedKind } from '../../views/models/form-model.ts';
import { enteredValues, entrySchema, viewDepth } from '../receiver/payloads.ts';

const user = z.object({ id: z.string().transform(personId) });
const plainText = z.looseObject({ type: z.literal('plain_text'), text: z.string() });
const formStateSchema = z.object({
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
    state: z.object({ values: z.record(z.string(), z.record(z.string(), entrySchema)) }),
  }),
});
const optionsQuerySchema = z.object({ user, action_id: z.string(), value: z.string().default('') });
const formPayloadSchema = z.object({ view: z.object({ callback_id: z.literal(FORM_CALLBACK) }) });

export type FormState = {
  readonly viewId: string;
  /** Changes with every update of the window. */
  readonly hash: string;
  readonly person: PersonId;
  /** Null: made by another version of this program, or by somebody else. */
  readonly metadata: FormMetadata | null;
  readonly values: FieldValues;
  readonly depth: number;
  readonly filled: Modal;
};

export function isFormPayload(payload: unknown): boolean {
  return formPayloadSchema.safeParse(payload).success;
}

/** Whoever has only the bot token can show windows with our name, but cannot sign the metadata of a form. */
export type FormMark = Readonly<ReturnType<typeof createFormMark>>;

/** `key`: the other secret that Slack and all replicas have. */
export function createFormMark(key: Secret) {
  const sign = (metadata: string, person: PersonId): string =>
    createHmac('sha256', key.reveal()).update(`form ${person} ${metadata}`).digest('base64url') + metadata;
  return {
    sign,
    /** Without the mark; null where it was not signed for this person. */
    verified(text: string, person: PersonId): string | null {
      const metadata = text.slice(FORM_MARK_LENGTH);
      const [own, given] = [Buffer.from(sign(metadata, person)), Buffer.from(text)];
      return own.length === given.length && timingSafeEqual(own, given) ? metadata : null;
    },
  };
}

export function readFormState(payload: unknown, mark: Pick<FormMark, 'verified'>): FormState {
  const { user, view } = formStateSchema.parse(payload);
  const values = Object.entries(view.state.values).map(([block, elements]) => {
    return [block, Object.values(elements).flatMap(enteredValues)] as const;
  });
  const { title, submit, close, private_metadata, blocks, state } = view;
  return {
    viewId: view.id,
    hash: view.hash,
    person: user.id,
    metadata: readFormMetadata(mark.verified(view.private_metadata, user.id) ?? ''),
    values: new Map(values),
    depth: viewDepth(view),
    filled: {
      type: 'modal',
      callback_id: FORM_CALLBACK,
      private_metadata,
      title,
      ...(submit ? { submit } : {}),
      ...(close ? { close } : {}),
      blocks: blocksWithValues(blocks, state.values),
    },
  };
}

const KINDS: ReadonlySet<string> = new Set<SearchedKind>(['device', 'group', 'policy', 'package']);
function isSearchedKind(word: string): word is SearchedKind {
  return KINDS.has(word);
}

/** The text typed into a searching menu; `of` is null for a menu that is not ours. */
export function readOptionsQuery(payload: unknown) {
  const { user, action_id, value } = optionsQuerySchema.parse(payload);
  const searchedKind = action_id.startsWith(SEARCH_ACTION_PREFIX)
    ? action_id.slice(SEARCH_ACTION_PREFIX.length)
    : '';
  return { person: user.id, of: isSearchedKind(searchedKind) ? searchedKind : null, query: value };
}
