/** The answer to a submitted form, in its own window: what came of it, or the form again with what stood in the way. */
import { fieldOf, snagOf } from '../../commands/forms/form-snags.ts';
import type { Log } from '../../log.ts';
import { backToForm, notedBlocks } from '../../views/forms/form-again.ts';
import { snagWords } from '../../views/forms/form-words.ts';
import { type AnswerPlace, answerWindow } from '../../views/home/home-modal.ts';
import { section } from '../../views/kit/blocks.ts';
import { cut, trusted } from '../../views/kit/escape.ts';
import { LIMIT } from '../../views/kit/limits.ts';
import type { View } from '../../views/model.ts';
import { render } from '../../views/render.ts';
import { contentRefused, faultText } from '../faults.ts';
import type { Caller, Reply } from '../replies.ts';
import type { Modal, SlackWeb } from '../web.ts';
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
  return async (submitted, view) => {
    const { used, caller, back } = submitted;
    const { viewId } = used;
    const shown = await web.updateView(viewId, windowOf(submitted, view));
    if (shown.kind === 'ok') return;
    const isClosed = shown.kind === 'refused' && shown.error === 'not_found';
    if (isClosed && back !== null) return;
    if (!isClosed) {
      log.warn({ event: 'form.unanswered', reason: faultText(shown) }, 'the answer to a form was not shown');
    }
    if (shown.kind === 'refused' && contentRefused(shown.error)) {
      const words = section(trusted(cut(render(view).text, LIMIT.sectionText)));
      const plainer = await web.updateView(viewId, answerWindow([words], placeOf(submitted)));
      if (plainer.kind === 'ok') return;
    }
    await tell(caller)(view);
  };
}

function windowOf(submitted: Submitted, view: View): Modal {
  const snag = snagOf(view);
  if (snag === null) {
    // A window takes no tables.
    const { blocks, plain = blocks } = render(view);
    return answerWindow([...plain, ...backToForm(submitted.back)], placeOf(submitted));
  }
  const { filled, values } = submitted.used;
  return { ...filled, blocks: notedBlocks(filled.blocks, snagWords(snag), fieldOf(snag, values)) };
}

/** What the buttons of the answer ask for belongs where the form was asked for. */
export function placeOf({ used, caller }: Submitted): AnswerPlace {
  return { depth: used.depth, channel: caller.channel, thread: caller.thread };
}
