/** The reason that a requester adds: its form, the answer to its submission, and the refreshed note. */
import type { RecordsReader } from '../../commands/core/command.ts';
import { newReference, type PersonId, type RequestId, requestId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import { setNewest } from '../../lib/newest.ts';
import type { AddReasonResult, RequestService } from '../../requests/decide/request-service.ts';
import type { RequestRecord } from '../../store/port/request-records.ts';
import {
  EMPTY_REASON_ERROR,
  REASON_BLOCK,
  REASON_FORM_CALLBACK,
  reasonAddedWindow,
  reasonFailedText,
  reasonForm,
} from '../../views/forms/reason-window.ts';
import { answerWindow } from '../../views/kit/answer-window.ts';
import { renderView } from '../../views/render.ts';
import { decisionOutcome } from '../dispatch/decide.ts';
import type { RefreshRequestNote } from '../dispatch/submit-request.ts';
import { readSubmission } from '../receiver/payloads.ts';
import type { AcknowledgeForm, FormAckResponse } from '../replies/answer-windows.ts';
import type { SendReply } from '../replies/private-replies.ts';
import { slackErrorText } from '../web-api/slack-errors.ts';
import type { SlackWeb, ViewPlacement } from '../web-api/slack-web.ts';

export type ReasonForm = {
  /**
   * Opens the form. `reply` refreshes the note that has its button once the reason was given; null: there is none. Not
   * keyed by the window's id: the form may be submitted before Slack answered with that id.
   */
  readonly open: (where: ViewPlacement, request: ReasonRequest, reply: SendReply | null) => Promise<void>;
  readonly submit: (payload: unknown, ack: AcknowledgeForm) => Promise<void>;
};

/** Who gives a reason, and for which request. */
export type ReasonRequest = { readonly person: PersonId; readonly approval: RequestId };

export type ReasonFormOptions = {
  readonly requests: Pick<RequestService, 'addReason'>;
  readonly ports: { readonly records: Pick<RecordsReader, 'shownRequest'> };
  readonly web: Pick<SlackWeb, 'showView'>;
  /** Renders the note for the request as it is now. */
  readonly refreshNote: RefreshRequestNote;
  readonly log: Log;
};

/** Open forms whose notes are remembered for refreshing: more than people have open. */
const MAX_REMEMBERED = 1_000;

export function createReasonForm({ requests, ports, web, refreshNote, log }: ReasonFormOptions): ReasonForm {
  /** How to reach each note whose form is open; another replica leaves the note as it was. */
  const notes = new Map<string, SendReply>();
  /** The note without the used button. */
  const replaceNote = async (person: PersonId, request: RequestRecord): Promise<void> => {
    const key = keyOf({ person, approval: request.id });
    const reply = notes.get(key);
    notes.delete(key);
    await reply?.(await refreshNote(request), { replace: true });
  };

  return {
    async open(where, request, reply) {
      if (reply !== null) setNewest(notes, keyOf(request), reply, MAX_REMEMBERED);
      const opened = await web.showView(where, reasonForm(request.approval));
      if (opened.kind !== 'ok')
        log.warn({ event: 'form.unopened', reason: slackErrorText(opened) }, 'could not open a form');
    },
    async submit(payload, ack) {
      const { form, subject, inputs, person, depth } = readSubmission(payload);
      if (form !== REASON_FORM_CALLBACK) return ack();
      const reason = (inputs.get(REASON_BLOCK) ?? '').trim();
      if (reason === '') return ack(reasonFieldError(EMPTY_REASON_ERROR));
      let added: AddReasonResult;
      try {
        added = await requests.addReason({ requestId: requestId(subject), person, reason });
      } catch (error) {
        const reference = newReference();
        log.error({ event: 'reason.failed', person, reference, err: error }, 'could not add a reason');
        return ack(reasonFieldError(reasonFailedText(reference)));
      }
      const about = { records: ports.records, requestId: requestId(subject) };
      const request = added.kind === 'added' ? await about.records.shownRequest(added.request.id) : null;
      if (added.kind === 'added' && request !== null) {
        await ack({ kind: 'window', window: reasonAddedWindow(request, depth) });
        return replaceNote(person, request);
      }
      // A retry would not help, and a field error shows no markup.
      const outcome = await decisionOutcome(
        added.kind === 'added' ? { kind: 'absent' } : added,
        'withdraw',
        about,
      );
      const { blocks } = renderView({ kind: 'decided', outcome });
      await ack({ kind: 'window', window: answerWindow(blocks, { depth }) });
    },
  };
}

const keyOf = ({ person, approval }: ReasonRequest): string => `${person} ${approval}`;

function reasonFieldError(words: string): FormAckResponse {
  return { kind: 'errors', errors: { [REASON_BLOCK]: words } };
}
