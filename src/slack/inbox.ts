/**
 * Presses that decide or ask for something: stored before they are acknowledged, because an acknowledged press
 * is never sent again, and then worked off. After a crash they are worked off from the store; doing one twice
 * changes nothing, since decisions compare and set and requests carry the press's key.
 */
import { z } from 'zod';
import { type Clock, instant, later, SECOND } from '../clock.ts';
import { approvalId, channelId, messageTs, operationId, personId } from '../ids.ts';
import type { OnStep } from '../steps.ts';
import type { ClaimedWork } from '../store/records.ts';
import type { Store } from '../store/store.ts';
import type { WorkResult } from '../store/worker.ts';
import type { View } from '../views/model.ts';
import { render } from '../views/render.ts';
import { type PressedCards, pressedCard } from './cards/pressed-cards.ts';
import type { Dispatch } from './dispatch.ts';
import type { Replies, Reply, ReplyOptions } from './replies.ts';

/** The one who is answered, as it is stored. */
export const storedCaller = z.object({
  person: z.string().transform(personId),
  channel: z.string().transform(channelId),
  thread: z.string().transform(messageTs).optional(),
});
/** `takenAt`: when it was pressed; absent in what an older version stored. `on`: the card that was pressed. */
const head = {
  caller: storedCaller,
  takenAt: z.number().transform(instant).exactOptional(),
  on: pressedCard.optional(),
};
const storedPress = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('decide'),
    ...head,
    approval: z.string().transform(approvalId),
    seal: z.string(),
    decision: z.enum(['approve', 'deny', 'withdraw']),
  }),
  z.object({ kind: z.literal('request'), ...head, command: z.string(), input: z.unknown() }),
  /** What an operation was to do, once more. */
  z.object({ kind: z.literal('again'), ...head, operation: z.string().transform(operationId) }),
]);
export type StoredPress = z.output<typeof storedPress>;

export type Inbox = {
  /** Stores a press. Resolves when it is on disk: only then may it be acknowledged. */
  readonly take: (
    press: StoredPress,
    triggerId: string,
    reply: Reply,
    options: ReplyOptions,
  ) => Promise<void>;
  /** Handler of `click` work. */
  readonly workOff: (work: ClaimedWork) => Promise<WorkResult>;
};

type InboxOptions = {
  readonly store: Store;
  readonly clock: Clock;
  readonly dispatch: Dispatch;
  readonly replies: Replies;
  readonly pressed: PressedCards;
  readonly onStep?: OnStep | undefined;
};

/** Replies that wait here: more than are under way at once. */
const REMEMBERED = 1_000;

export function createInbox({ store, clock, dispatch, replies, pressed, onStep }: InboxOptions): Inbox {
  /** Replies of presses taken by this process; a press from before a crash is answered by an ephemeral message. */
  const pending = new Map<string, (view: View) => Promise<void>>();

  const carryOut = async (press: StoredPress, { key: requestKey, dueAt }: ClaimedWork): Promise<View> => {
    const { caller, takenAt: askedAt = dueAt } = press;
    const instead = press.on === undefined ? null : await pressed.copyAnswer(press.on);
    if (instead !== null) return instead;
    switch (press.kind) {
      case 'decide':
        return dispatch.decide({
          approvalId: press.approval,
          seal: press.seal,
          decision: press.decision,
          caller,
        });
      case 'request':
        return dispatch.command({
          name: press.command,
          input: press.input,
          page: 0,
          caller,
          requestKey,
          askedAt,
        });
      case 'again':
        return dispatch.again({ operation: press.operation, caller, askedAt });
    }
  };

  const inAMoment = ({ attempts }: ClaimedWork): WorkResult => ({
    kind: 'again',
    dueAt: later(clock.now(), SECOND * 2 ** attempts),
  });

  return {
    async take(press, triggerId, reply, options) {
      const key = `press:${triggerId}`;
      pending.set(key, (view) => reply(view, options));
      // Another replica may work it off and answer by itself: then nobody fetches the reply from here.
      const [oldest] = pending.keys();
      if (pending.size > REMEMBERED && oldest !== undefined) pending.delete(oldest);
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
      await onStep?.('press.recorded');
    },
    async workOff(work) {
      const press = storedPress.parse(work.payload);
      const view = await carryOut(press, work);
      if (isPassing(view) && work.attempts < TRIES) {
        return inAMoment(work);
      }
      const reply = pending.get(work.key);
      pending.delete(work.key);
      if (view.kind !== 'too-late') {
        await (reply ?? replies.ephemeral(press.caller))(view);
        return { kind: 'done' };
      }
      // Nobody waits for it any more, so it is told where it makes itself heard.
      await reply?.(view);
      const isTold = await replies.direct(press.caller, render(view), view.kind);
      return isTold || work.attempts >= TRIES ? { kind: 'done' } : inAMoment(work);
    },
  };
}

/** Tries over about two minutes before the person is told that it did not work. */
export const TRIES = 7;

/**
 * What may be over in a moment: Slack does not say who the person is, or the database does not answer. The press was
 * acknowledged and is not sent again, so it is tried again here.
 */
export function isPassing(view: View): boolean {
  if (view.kind !== 'problem') return false;
  return view.problem.kind === 'rights-unknown' || view.problem.kind === 'unexpected';
}
