/** What is stored of a form that asks for a change: the door for what comes back out of the database. */
import { z } from 'zod';
import { type Instant, instant } from '../../clock.ts';
import { trusted } from '../../views/kit/escape.ts';
import { storedCaller } from '../inbox.ts';
import type { Caller } from '../replies.ts';
import type { FormAnswered, FormStood } from './forms-answer.ts';

/** A form as it was sent. */
export type SentForm = {
  readonly caller: Caller;
  readonly command: string;
  readonly input: unknown;
  readonly used: FormStood;
  /** When it was sent; absent in what an older version stored. */
  readonly takenAt?: Instant;
};
/** Of which it is not known yet what comes of it. */
export type AskedForm = SentForm & { readonly kind: 'asked' };
/** `isTold`: the person knows; it is kept so that the same form, sent once more, is not asked for again. */
export type AnsweredForm = SentForm &
  FormAnswered & {
    readonly kind: 'answered';
    readonly at: Instant;
    readonly isTold: boolean;
    /** It was too late to ask for it: nobody looks at its window any more. */
    readonly isLate?: boolean;
  };
/** One that was sent before. `of` is the key of the first; `differs`: it has other values than that. */
export type FormAgain = SentForm & {
  readonly kind: 'again';
  readonly of: string;
  readonly differs: boolean;
};
export type StoredForm = AskedForm | AnsweredForm | FormAgain;

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
const words = z.string().transform(trusted);

const sent = {
  caller: storedCaller,
  command: z.string(),
  input: z.unknown(),
  takenAt: z.number().transform(instant).exactOptional(),
  used: z.object({
    viewId: z.string(),
    depth: z.int().positive(),
    filled: modal,
    values: z.record(z.string(), z.array(z.string())).transform((all) => new Map(Object.entries(all))),
  }),
};
const asked = z.object({ kind: z.literal('asked'), ...sent }) satisfies z.ZodType<AskedForm>;
const answered = z.object({
  kind: z.literal('answered'),
  at: z.number().transform(instant),
  isTold: z.boolean(),
  isLate: z.boolean().exactOptional(),
  ...sent,
  windows: z.tuple([modal]).rest(modal),
  message: z.object({ text: z.string(), blocks, plain: blocks.exactOptional() }),
  stood: z.object({ what: words, changed: words, next: words }).nullable(),
}) satisfies z.ZodType<AnsweredForm>;
const again = z.object({
  kind: z.literal('again'),
  of: z.string(),
  differs: z.boolean(),
  ...sent,
}) satisfies z.ZodType<FormAgain>;

/** The first of a form. Throws for anything else. */
export function readFirst(payload: unknown): AskedForm | AnsweredForm {
  return z.discriminatedUnion('kind', [asked, answered]).parse(payload);
}

/** Any of them. Throws for anything else. */
export function readStored(payload: unknown): StoredForm {
  return z.discriminatedUnion('kind', [asked, answered, again]).parse(payload);
}

/** As JSON takes it. */
export function toStored(form: StoredForm): unknown {
  const { viewId, depth, filled, values } = form.used;
  return { ...form, used: { viewId, depth, filled, values: Object.fromEntries(values) } };
}
