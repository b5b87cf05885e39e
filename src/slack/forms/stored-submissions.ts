/** The stored data of a form that requests a change, validated when read from the database. */
import { z } from 'zod';
import { type Instant, instant } from '../../lib/clock.ts';
import { storedCallerSchema } from '../interactions/press-queue.ts';
import type { CommandSource } from '../replies/private-replies.ts';
import type { FormOutcome, SubmittedFormState } from './form-answers.ts';

/** A form as it was submitted. */
export type FormSubmission = {
  readonly caller: CommandSource;
  readonly command: string;
  readonly input: unknown;
  readonly used: SubmittedFormState;
};
/** With when it was submitted. */
export type StoredFormHead = FormSubmission & { readonly takenAt: Instant };
/** Its outcome is not known yet. */
export type SubmittedStoredForm = StoredFormHead & { readonly kind: 'asked' };
/** `isTold`: the person was notified; the row stays so that the same form is not requested twice. */
export type AnsweredStoredForm = StoredFormHead &
  FormOutcome & {
    readonly kind: 'answered';
    readonly at: Instant;
    readonly isTold: boolean;
    /** It was too late to request it; nobody looks at its window any more. */
    readonly isLate?: boolean;
  };
export type StoredForm = SubmittedStoredForm | AnsweredStoredForm;

const plainText = z.looseObject({ type: z.literal('plain_text'), text: z.string() });
const blocks = z.array(z.looseObject({ type: z.string(), block_id: z.string().exactOptional() }));
const modal = z.object({
  type: z.literal('modal'),
  callback_id: z.string(),
  private_metadata: z.string(),
  title: plainText,
  submit: plainText.exactOptional(),
  close: plainText.exactOptional(),
  blocks,
});

const headFields = {
  caller: storedCallerSchema,
  command: z.string(),
  input: z.unknown(),
  takenAt: z.number().transform(instant),
  used: z.object({
    viewId: z.string(),
    depth: z.int().positive(),
    filled: modal,
    values: z.record(z.string(), z.array(z.string())).transform((all) => new Map(Object.entries(all))),
  }),
};
const submittedSchema = z.object({
  kind: z.literal('asked'),
  ...headFields,
}) satisfies z.ZodType<SubmittedStoredForm>;
const answeredSchema = z.object({
  kind: z.literal('answered'),
  at: z.number().transform(instant),
  isTold: z.boolean(),
  isLate: z.boolean().exactOptional(),
  ...headFields,
  windows: z.tuple([modal]).rest(modal),
  message: z.object({ text: z.string(), blocks, plain: blocks.exactOptional() }),
}) satisfies z.ZodType<AnsweredStoredForm>;

/** Throws for anything else. */
export function readStoredForm(payload: unknown): StoredForm {
  return z.discriminatedUnion('kind', [submittedSchema, answeredSchema]).parse(payload);
}

/** As JSON. */
export function toStoredForm(form: StoredForm): unknown {
  const { viewId, depth, filled, values } = form.used;
  return { ...form, used: { viewId, depth, filled, values: Object.fromEntries(values) } };
}
