/** The answer to a submitted form, in its own window: what came of it, or the form again with what stood in the way. */
import { fieldOf, snagOf } from '../../commands/forms/form-snags.ts';
import type { Log } from '../../log.ts';
import { backToForm, notedBlocks } from '../../views/forms/form-again.ts';
import { snagWords } from '../../views/forms/form-words.ts';
import type { AnswerPlace } from '../../views/kit/answer-window.ts';
import { inEachForm } from '../../views/kit/message.ts';
import type { View } from '../../views/model.ts';
import { render } from '../../views/render.ts';
import { isClosed, showAnswer } from '../answer-windows.ts';
import { type Asked, contentRefused, faultText } from '../faults.ts';
import type { Caller, Reply } from '../replies.ts';
import type { SlackWeb } from '../web.ts';
import type { FormUsed } from './forms-payloads.ts';

export type FormAnswerOptions = {
  readonly web: Pick<SlackWeb, 'updateView'>;
  readonly tell: (caller: Caller) => Reply;
  readonly log: Log;
};

export type Submitted = {
  readonly used: FormUsed;
  readonly caller: Caller;
  /** What it looked for, to go on from; null: it asked for a change, whose answer is told wherever there is a way. */
  readonly back: { readonly command: string; readonly input: unknown } | null;
};

/** Shows the answer. Does not throw. */
export type AnswerForm = (submitted: Submitted, view: View) => Promise<void>;

export function createFormAnswer({ web, tell, log }: FormAnswerOptions): AnswerForm {
  /** What stood in the way is noted on the form; any other answer takes its place. */
  const show = async (submitted: Submitted, view: View): Promise<Asked<null>> => {
    const { viewId, filled, values } = submitted.used;
    const snag = snagOf(view);
    if (snag !== null) {
      const blocks = notedBlocks(filled.blocks, snagWords(snag), fieldOf(snag, values));
      const again = await web.updateView(viewId, { ...filled, blocks });
      if (again.kind !== 'refused' || !contentRefused(again.error)) return again;
    }
    const back = snag === null ? backToForm(submitted.back) : [];
    const answer = inEachForm(render(view), (blocks) => [...blocks, ...back]);
    return showAnswer(web, viewId, answer, placeOf(submitted));
  };

  return async (submitted, view) => {
    const shown = await show(submitted, view);
    if (shown.kind === 'ok') return;
    if (!isClosed(shown)) {
      log.warn({ event: 'form.unanswered', reason: faultText(shown) }, 'the answer to a form was not shown');
    } else if (submitted.back !== null) return;
    await tell(submitted.caller)(view);
  };
}

/** What the buttons of the answer ask for belongs where the form was asked for. */
export function placeOf({ used, caller }: Submitted): AnswerPlace {
  return { depth: used.depth, channel: caller.channel, thread: caller.thread };
}
