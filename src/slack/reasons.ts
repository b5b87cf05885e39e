/** The reason that somebody adds to their request: its form, what its submission is answered with, and the note anew. */
import type { Desk, ReasonAdded } from '../approvals/desk.ts';
import { type ApprovalId, approvalId, newReference, type PersonId } from '../ids.ts';
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
  readonly open: (triggerId: string, asked: ReasonAsked, reply: Reply) => Promise<void>;
  /**
   * `reply` says the note anew from which a form is about to be opened, once the reason is given. Not by the id of the
   * window: the form may be submitted before Slack's answer says what that is.
   */
  readonly noteOf: (asked: ReasonAsked, reply: Reply) => void;
  readonly submit: (payload: unknown, ack: FormAck) => Promise<void>;
};

/** Who gives a reason, and for which request. */
export type ReasonAsked = { readonly person: PersonId; readonly approval: ApprovalId };

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
  /** The way to each note whose form is open; another replica than this one leaves it as it was. */
  const notes = new Map<string, Reply>();
  const noteOf: Reasons['noteOf'] = (asked, reply) => {
    notes.set(keyOf(asked), reply);
    const [oldest] = notes.keys();
    if (notes.size > REMEMBERED && oldest !== undefined) notes.delete(oldest);
  };
  /** Without the button that was used. */
  const noteAnew = async (person: PersonId, approval: ApprovalRecord): Promise<void> => {
    const key = keyOf({ person, approval: approval.id });
    const reply = notes.get(key);
    notes.delete(key);
    await reply?.(await note(approval), { replace: true });
  };

  return {
    noteOf,
    async open(triggerId, asked, reply) {
      noteOf(asked, reply);
      const opened = await web.openView(triggerId, reasonForm(asked.approval));
      if (opened.kind !== 'ok')
        log.warn({ event: 'form.unopened', reason: faultText(opened) }, 'could not open a form');
    },
    async submit(payload, ack) {
      const { form, subject, inputs, person, depth } = readSubmission(payload);
      if (form !== REASON_FORM) return ack();
      const reason = (inputs.get(REASON_BLOCK) ?? '').trim();
      if (reason === '') return ack(onReason(NO_REASON));
      let added: ReasonAdded;
      try {
        added = await desk.addReason({ approvalId: approvalId(subject), person, reason });
      } catch (error) {
        const reference = newReference();
        log.error({ event: 'reason.failed', person, reference, err: error }, 'could not add a reason');
        return ack(onReason(reasonFailed(reference)));
      }
      if (added.kind === 'added') {
        await ack({ kind: 'window', window: reasonAdded(added.approval, depth) });
        return noteAnew(person, added.approval);
      }
      // There is nothing to try again, and a field knows no markup.
      const { blocks } = render({ kind: 'decided', outcome: added.outcome });
      await ack({ kind: 'window', window: answerWindow(blocks, { depth }) });
    },
  };
}

const keyOf = ({ person, approval }: ReasonAsked): string => `${person} ${approval}`;

function onReason(words: string): FormAnswer {
  return { kind: 'errors', errors: { [REASON_BLOCK]: words } };
}
