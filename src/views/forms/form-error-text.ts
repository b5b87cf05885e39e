/** The wording of errors in forms. */
import type { Reference } from '../../lib/ids.ts';
import { ROOT_COMMAND } from '../../lib/slash-commands.ts';
import { actions, context, section } from '../kit/blocks.ts';
import { formButton } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, md } from '../kit/escape.ts';
import { DISPLAY_LIMIT } from '../kit/limits.ts';
import { buildMessage } from '../kit/message.ts';
import type { Problem } from '../models/problem-model.ts';
import type { RenderedMessage } from '../models/rendered-model.ts';
import { NO_TEXT, type ProblemParts } from '../problems/problem-parts.ts';
import { problemText } from '../problems/problem-text.ts';

/** A command lacks something: its form asks for it, opened at once where Slack lets us, else by a button. */
export type MissingInputView = {
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
    return error.kind === 'reason-required' ? { ...parts, next: md`Enter it here.` } : parts;
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

/** Plain text for a field. The log has the details under the reference. */
export function unexpectedFormError(reference: Reference): string {
  return `Unexpected error (reference ${reference}). Nothing was changed.`;
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
