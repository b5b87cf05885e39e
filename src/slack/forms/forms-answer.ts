/** The answer to a submitted form, in its own window: what came of it, or the form again with what stood in the way. */
import { fieldOf, snagOf } from '../../commands/forms/form-snags.ts';
import type { Log } from '../../log.ts';
import { backToForm, notedBlocks } from '../../views/forms/form-again.ts';
import { snagWords } from '../../views/forms/form-words.ts';
import type { AnswerPlace } from '../../views/kit/answer-window.ts';
import { inEachForm } from '../../views/kit/message.ts';
import type { RenderedMessage, View } from '../../views/model.ts';
import type { Wording } from '../../views/problems/wording.ts';
import { render } from '../../views/render.ts';
import { answerWindows, isClosed, showFirst } from '../answer-windows.ts';
import { faultText } from '../faults.ts';
import type { Caller, Reply } from '../replies.ts';
import type { Modal, SlackWeb } from '../web.ts';
import type { FormUsed } from './forms-payloads.ts';

/** The window as it was when its form was sent. */
export type FormStood = Pick<FormUsed, 'viewId' | 'depth' | 'filled' | 'values'>;

export type Submitted = {
  readonly used: FormStood;
  readonly caller: Caller;
  /** What it looked for, to go on from; null: it asked for a change, whose answer is told wherever there is a way. */
  readonly back: { readonly command: string; readonly input: unknown } | null;
};

export type FormAnswered = {
  /** What its window becomes, the best first. */
  readonly windows: readonly [Modal, ...Modal[]];
  /** The same where there is no window. */
  readonly message: RenderedMessage;
  /** What stood in the way, so that nothing came of it; null: it was not in vain. */
  readonly stood: Wording | null;
};

/** What stood in the way is noted on the form; any other answer takes its place. Pure. */
export function answered(submitted: Submitted, view: View): FormAnswered {
  const { filled, values } = submitted.used;
  const message = render(view);
  const snag = snagOf(view);
  const place = placeOf(submitted);
  if (snag === null) {
    const back = backToForm(submitted.back);
    const windows = answerWindows(
      inEachForm(message, (blocks) => [...blocks, ...back]),
      place,
    );
    return { windows, message, stood: null };
  }
  const stood = snagWords(snag);
  const again = { ...filled, blocks: notedBlocks(filled.blocks, stood, fieldOf(snag, values)) };
  return { windows: [again, ...answerWindows(message, place)], message, stood };
}

export type FormAnswerOptions = {
  readonly web: Pick<SlackWeb, 'updateView'>;
  readonly tell: (caller: Caller) => Reply;
  readonly log: Log;
};

/** Shows the answer to what only looked. Does not throw. */
export type AnswerForm = (submitted: Submitted, view: View) => Promise<void>;

export function createFormAnswer({ web, tell, log }: FormAnswerOptions): AnswerForm {
  return async (submitted, view) => {
    const shown = await showFirst(web, submitted.used.viewId, answered(submitted, view).windows);
    // Who closed the window does not look for it any more.
    if (shown.kind === 'ok' || isClosed(shown)) return;
    log.warn({ event: 'form.unanswered', reason: faultText(shown) }, 'could not show the answer to a form');
    await tell(submitted.caller)(view);
  };
}

/** What the buttons of the answer ask for belongs where the form was asked for. */
export function placeOf({ used, caller }: Pick<Submitted, 'used' | 'caller'>): AnswerPlace {
  return { depth: used.depth, channel: caller.channel, thread: caller.thread };
}
