/**
 * Presses that decide or request something. They are stored before the acknowledgement, because Slack never sends an
 * acknowledged press again, and handled after it. After a crash they are handled from the store; handling one twice
 * changes nothing, since decisions compare and set and requests carry the press's key.
 */
import { z } from 'zod';
import { type Clock, instant, later, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { channelId, messageTs, personId, requestId, windowId } from '../../lib/ids.ts';
import { setNewest } from '../../lib/lists.ts';
import type { WorkResult } from '../../store/due-work/worker.ts';
import type { Store } from '../../store/port/store.ts';
import type { ClaimedWork } from '../../store/port/work-records.ts';
import type { View } from '../../views/types.ts';
import { renderView } from '../../views/views.ts';
import { type PressedCards, pressedCardSchema } from '../cards/duplicate-messages.ts';
import type { Dispatch } from '../dispatch/dispatch-port.ts';
import type { PrivateReplies, ReplyOptions, SendReply } from '../replies/private-replies.ts';

export const storedCallerSchema = z.object({
  person: z.string().transform(personId),
  channel: z.string().transform(channelId),
  thread: z.string().transform(messageTs).optional(),
});
const marksSchema = z.object({
  decision: z.enum(['approve', 'deny']),
  requests: z.array(z.string().transform(requestId)),
});
/** `on`: the card that was pressed. */
const pressHead = { caller: storedCallerSchema, on: pressedCardSchema.optional() };
/** Each has what `Dispatch` takes for it. */
const storedPressSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('withdraw'),
    ...pressHead,
    requestId: z.string().transform(requestId),
  }),
  /** The submission of a window that decides something. */
  z.object({
    kind: z.literal('window'),
    ...pressHead,
    id: z.string().transform(windowId),
    view: z.object({ id: z.string(), hash: z.string() }),
    /** The number that was typed to approve many. */
    devices: z.int().positive().optional(),
    comment: z.string().optional(),
    marks: marksSchema.optional(),
  }),
  z.object({ kind: z.literal('request'), ...pressHead, name: z.string(), input: z.unknown() }),
  z.object({
    kind: z.literal('control'),
    ...pressHead,
    requestId: z.string().transform(requestId),
    control: z.enum(['pause', 'stop', 'close']),
  }),
]);
export type StoredPress = z.output<typeof storedPressSchema>;
/** With when it was pressed. */
const takenPressSchema = storedPressSchema.and(z.object({ takenAt: z.number().transform(instant) }));
export type PressQueue = Readonly<ReturnType<typeof createPressQueue>>;

type PressQueueOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly dispatch: Dispatch;
  readonly replies: PrivateReplies;
  readonly pressed: PressedCards;
  readonly onFailpoint?: OnFailpoint | undefined;
};

/** Replies that wait in memory: more than are in flight at once. */
const MAX_PENDING_REPLIES = 1_000;

export function createPressQueue({
  store,
  clock,
  dispatch,
  replies,
  pressed,
  onFailpoint,
}: PressQueueOptions) {
  /** Replies to presses that this process stored; a press from before a crash is answered by an ephemeral message. */
  const pending = new Map<string, (view: View) => Promise<void>>();

  const runPress = async (
    press: z.output<typeof takenPressSchema>,
    { key: requestKey, attempts }: ClaimedWork,
  ): Promise<View> => {
    const instead = press.on === undefined ? null : await pressed.answerForCopy(press.on);
    if (instead !== null) return instead;
    const { takenAt: askedAt } = press;
    switch (press.kind) {
      case 'withdraw':
        return dispatch.withdraw(press);
      case 'control':
        return dispatch.control(press);
      case 'request':
        return dispatch.runCommand({ ...press, page: 0, requestKey, askedAt });
      case 'window':
        return dispatch.submitWindow({
          ...press,
          submission: requestKey,
          isFirstTry: attempts === 0,
          askedAt,
        });
    }
  };

  const retrySoon = ({ attempts }: ClaimedWork): WorkResult => ({
    kind: 'again',
    dueAt: later(clock.now(), SECOND * 2 ** attempts),
  });

  return {
    /** Resolves when it is on disk: only then may it be acknowledged. */
    async store(press: StoredPress, triggerId: string, reply: SendReply, options: ReplyOptions) {
      const key = `press:${triggerId}`;
      // Another replica may handle the press and answer it, so its reply is never fetched here.
      setNewest(pending, key, (view) => reply(view, options), MAX_PENDING_REPLIES);
      try {
        await store.work.put({
          kind: 'click',
          key,
          dueAt: clock.now(),
          payload: { ...press, takenAt: clock.now() },
        });
      } catch (error) {
        pending.delete(key);
        throw error;
      }
      await onFailpoint?.('press.recorded');
    },
    async handleWork(work: ClaimedWork): Promise<WorkResult> {
      const press = takenPressSchema.parse(work.payload);
      const view = await runPress(press, work);
      const mayPass = isTransientFailure(view) && work.attempts < MAX_TRIES;
      if (mayPass || (isUnknownWindow(view) && work.attempts === 0)) return retrySoon(work);
      const reply = pending.get(work.key);
      pending.delete(work.key);
      if (view.kind !== 'too-late') {
        await (reply ?? replies.ephemeral(press.caller))(view);
        return { kind: 'done' };
      }
      // Nobody waits for it any more, so the answer is a direct message, which notifies.
      await reply?.(view);
      const isTold = await replies.sendDirect(press.caller, renderView(view), view.kind, work);
      return isTold || work.attempts >= MAX_TRIES ? { kind: 'done' } : retrySoon(work);
    },
  };
}

/** Tries over about two minutes before the person gets the failure. */
export const MAX_TRIES = 7;

/** Slack does not say who the person is, or the database does not answer. Slack does not send the press again, so it is retried here. */
export function isTransientFailure(view: View): boolean {
  if (view.kind === 'decided' && view.outcome.kind === 'several')
    return view.outcome.results.some(({ outcome }) => outcome.kind === 'failed');
  if (view.kind !== 'problem') return false;
  return view.problem.kind === 'rights-unknown' || view.problem.kind === 'unexpected';
}

/** Its row may still be on its way. */
function isUnknownWindow(view: View): boolean {
  if (view.kind !== 'decided' || view.outcome.kind !== 'window-refused') return false;
  return view.outcome.why === 'unknown-window';
}
