/**
 * Approving many devices: *Approve* opens a form for whoever may approve them, and only its submission with the right
 * number decides. It is stored before it is acknowledged, like a press, because Slack never sends it again.
 */
import { newReference, type PersonId } from '../../lib/ids.ts';
import type { Log } from '../../lib/log.ts';
import {
  APPROVE_FORM_CALLBACK,
  type ApproveFormMetadata,
  approvalNotStoredText,
  approveForm,
  COUNT_BLOCK,
  countError,
  readApproveForm,
} from '../../views/forms/approve-form.ts';
import { type AnswerWindowState, acceptedWindow } from '../../views/kit/answer-window.ts';
import { md } from '../../views/kit/escape.ts';
import type { View } from '../../views/model.ts';
import { renderView } from '../../views/render.ts';
import { pressedCardSchema } from '../cards/pressed-cards.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import { readSubmission } from '../receiver/payloads.ts';
import { showAnswer } from '../replies/answer-windows.ts';
import type { AcknowledgeForm } from '../replies/form-acknowledgement.ts';
import type { CommandSource, PrivateReplies, SendReply } from '../replies/private-replies.ts';
import { type SlackResult, slackErrorText } from '../web-api/slack-errors.ts';
import type { Modal, SlackWeb } from '../web-api/slack-web.ts';
import type { PressQueue, StoredPress } from './press-queue.ts';

export type ApproveForm = {
  /** `open` shows the window; where there is none, `reply` says why. */
  readonly open: (
    press: CountedPress,
    open: (form: Modal) => Promise<SlackResult<unknown>>,
    reply: SendReply,
  ) => Promise<void>;
  /** False: the submission is of another form. */
  readonly submit: (payload: unknown, ack: AcknowledgeForm) => Promise<boolean>;
};

/** A press on *Approve*, as the form takes it over. */
export type CountedPress = { readonly metadata: ApproveFormMetadata; readonly person: PersonId };

export type ApproveFormOptions = {
  readonly dispatch: Pick<Dispatch, 'decide'>;
  readonly inbox: Pick<PressQueue, 'store'>;
  readonly replies: Pick<PrivateReplies, 'ephemeral'>;
  readonly web: Pick<SlackWeb, 'updateView'>;
  readonly wakeWorker: () => void;
  readonly log: Log;
};

export function createApproveForm(options: ApproveFormOptions): ApproveForm {
  const { dispatch, inbox, replies, web, wakeWorker, log } = options;
  /** In the window; a person who closed it still learns what became of the decision. */
  const replyInWindow =
    (viewId: string, place: AnswerWindowState, caller: CommandSource): SendReply =>
    async (view) => {
      const shown = await showAnswer(web, viewId, renderView(view), place);
      if (shown.kind !== 'ok') await replies.ephemeral(caller)(view);
    };

  return {
    async open({ metadata, person }, open, reply) {
      const { request: requestId, seal, channel, thread } = metadata;
      const caller = { person, channel, thread };
      // Without its number the press decides nothing, but whoever may not approve learns it before typing one.
      const answer = await dispatch.decide({ requestId, seal, decision: 'approve', caller });
      if (answer.kind !== 'decided' || answer.outcome.kind !== 'count-not-typed') return reply(answer);
      const form = approveForm(metadata, answer.outcome.request);
      const opened = form && (await open(form));
      if (opened?.kind === 'ok') return;
      const reason = opened === null ? 'too long' : slackErrorText(opened);
      log.warn({ event: 'form.unopened', reason }, 'could not open a form');
      await reply(UNOPENED);
    },
    async submit(payload, ack) {
      const { form, subject, inputs, person, depth, viewId } = readSubmission(payload);
      if (form !== APPROVE_FORM_CALLBACK) return false;
      const metadata = readApproveForm(subject);
      if (metadata === null) throw new Error('a form of another version of this program');
      const { request, seal, devices, channel, thread, on } = metadata;
      const error = countError(inputs.get(COUNT_BLOCK) ?? '', devices);
      if (error !== null) {
        await ack({ kind: 'errors', errors: { [COUNT_BLOCK]: error } });
        return true;
      }
      const caller: CommandSource = { person, channel, thread };
      const card = pressedCardSchema.safeParse(on).data;
      const press: StoredPress = {
        kind: 'decide',
        caller,
        approval: request,
        seal,
        decision: 'approve',
        devices,
        ...(card === undefined ? {} : { on: card }),
      };
      const place = { depth, channel, thread };
      try {
        // One window is one decision, however often its submission is delivered.
        await inbox.store(press, `count:${viewId}`, replyInWindow(viewId, place, caller), {});
      } catch (thrown) {
        const reference = newReference();
        log.error({ event: 'form.failed', person, reference, err: thrown }, 'could not store an approval');
        await ack({ kind: 'errors', errors: { [COUNT_BLOCK]: approvalNotStoredText(reference) } });
        return true;
      }
      await ack({ kind: 'window', window: acceptedWindow(place, md`approval`) });
      wakeWorker();
      return true;
    },
  };
}

const UNOPENED: View = { kind: 'decided', outcome: { kind: 'form-unopened' } };
