/** The reason that somebody adds to their request: its form, what its submission is answered with, and the note anew. */
import type { Desk, ReasonAdded } from '../approvals/desk.ts';
import { type ApprovalId, approvalId, newReference } from '../ids.ts';
import type { Log } from '../log.ts';
import type { ApprovalRecord } from '../store/records.ts';
import {
  NO_REASON,
  REASON_BLOCK,
  REASON_FORM,
  reasonAdded,
  reasonFailed,
  reasonForm,
} from '../views/forms/reason-form.ts';
import { answerWindow } from '../views/kit/answer-window.ts';
import { render } from '../views/render.ts';
import type { FormAck, FormAnswer } from './actions.ts';
import type { Noting } from './asking.ts';
import { faultText } from './faults.ts';
import { readSubmission } from './payloads.ts';
import type { Reply } from './replies.ts';
import type { SlackWeb } from './web.ts';

export type Reasons = {
  /** Opens the form. `reply` says the note anew on which its button stands. */
  readonly open: (triggerId: string, approval: ApprovalId, reply: Reply) => Promise<void>;
  /** `reply` says the note anew from which this form was opened, once the reason is given. */
  readonly noteOf: (formId: string, reply: Reply) => void;
  readonly submit: (payload: unknown, ack: FormAck) => Promise<void>;
};

export type ReasonsOptions = {
  readonly desk: Pick<Desk, 'addReason'>;
  readonly web: Pick<SlackWeb, 'openView'>;
  /** The answer to a request, as the request stands now. */
  readonly note: Noting;
  readonly log: Log;
};

/** Forms whose notes are remembered, to be said anew: more than people have open. */
const REMEMBERED = 1_000;

export function createReasons({ desk, web, note, log }: ReasonsOptions): Reasons {
  /** The way to each note whose form is open, by the window; another replica than this one leaves it as it was. */
  const notes = new Map<string, Reply>();
  const noteOf: Reasons['noteOf'] = (formId, reply) => {
    notes.set(formId, reply);
    const [oldest] = notes.keys();
    if (notes.size > REMEMBERED && oldest !== undefined) notes.delete(oldest);
  };
  /** Without the button that was used. */
  const noteAnew = async (formId: string, approval: ApprovalRecord): Promise<void> => {
    const reply = notes.get(formId);
    notes.delete(formId);
    await reply?.(await note(approval), { replace: true });
  };

  return {
    noteOf,
    async open(triggerId, approval, reply) {
      const opened = await web.openView(triggerId, reasonForm(approval));
      if (opened.kind === 'ok') noteOf(opened.value, reply);
      else log.warn({ event: 'form.unopened', reason: faultText(opened) }, 'form not opened');
    },
    async submit(payload, ack) {
      const { form, subject, inputs, person, viewId, depth } = readSubmission(payload);
      if (form !== REASON_FORM) return ack();
      const reason = (inputs.get(REASON_BLOCK) ?? '').trim();
      if (reason === '') return ack(onReason(NO_REASON));
      let added: ReasonAdded;
      try {
        added = await desk.addReason({ approvalId: approvalId(subject), person, reason });
      } catch (error) {
        const reference = newReference();
        log.error({ event: 'reason.failed', person, reference, err: error }, 'a reason was not added');
        return ack(onReason(reasonFailed(reference)));
      }
      if (added.kind === 'added') {
        await ack({ kind: 'window', window: reasonAdded(added.approval, depth) });
        return noteAnew(viewId, added.approval);
      }
      // There is nothing to try again, and a field knows no markup.
      const { blocks } = render({ kind: 'decided', outcome: added.outcome });
      await ack({ kind: 'window', window: answerWindow(blocks, { depth }) });
    },
  };
}

function onReason(words: string): FormAnswer {
  return { kind: 'errors', errors: { [REASON_BLOCK]: words } };
}
