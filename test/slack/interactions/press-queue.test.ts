import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createManualClock, HOUR, MINUTE, type MovableClock } from '../../../src/lib/clock.ts';
import { channelId, newReference, personId, requestId, windowId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createPressedCards } from '../../../src/slack/cards/duplicate-messages.ts';
import type { SubmittedWindow } from '../../../src/slack/dispatch/dispatch-port.ts';
import { createPressQueue } from '../../../src/slack/interactions/press-queue.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import { createWorker, type Worker } from '../../../src/store/due-work/worker.ts';
import type { Store } from '../../../src/store/port/store.ts';
import type { View } from '../../../src/views/model.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { dispatchAnswering } from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const UNKNOWN: View = { kind: 'problem', problem: { kind: 'rights-unknown', reference: newReference() } };
const DONE: View = { kind: 'decided', outcome: { kind: 'absent' } };
const PRESS = {
  kind: 'withdraw',
  caller: { person: personId('U0APPROVER'), channel: channelId('C0APPROVALS') },
  requestId: requestId('a_1'),
} as const;

let store: Store;
let clock: MovableClock;
let worker: Worker | null;
let answers: View[];
let submissions: SubmittedWindow[];
let tries = 0;

beforeEach(async () => {
  clock = createManualClock(START);
  store = await memoryStore();
  answers = [];
  submissions = [];
  tries = 0;
  worker = null;
});
afterEach(async () => {
  await worker?.stop();
  await store.close();
});

/** A process that answers with `views`, one after the other. */
function startProcess(views: readonly View[], answer = DONE) {
  const dispatch = {
    ...dispatchAnswering(DONE),
    submitWindow: async (submitted: SubmittedWindow) => {
      submissions.push(submitted);
      return answer;
    },
    withdraw: async () => views[Math.min(tries++, views.length - 1)] ?? DONE,
  };
  const web = createFakeSlackWeb(clock.now);
  const replies = createPrivateReplies({ web, log: silentLog });
  const pressed = createPressedCards({ store, web, clock, wakeWorker: () => worker?.wake() });
  const inbox = createPressQueue({ store, clock, dispatch, replies, pressed });
  const handlers = { click: inbox.handleWork };
  worker = createWorker({ store, clock, handlers, log: silentLog, onError: () => undefined });
  return inbox;
}
const reply = async (view: View) => void answers.push(view);

describe('a press that was acknowledged', () => {
  it('is handled once and answered', async () => {
    const inbox = startProcess([DONE]);
    await inbox.store(PRESS, 't1', reply, {});
    worker?.start();
    await clock.advance(MINUTE);
    expect(answers).toEqual([DONE]);
    expect(tries).toBe(1);
  });

  it('is tried again while it is not known who the person is', async () => {
    const inbox = startProcess([UNKNOWN, UNKNOWN, DONE]);
    await inbox.store(PRESS, 't1', reply, {});
    worker?.start();
    await clock.advance(MINUTE);
    expect(answers).toEqual([DONE]);
    expect(tries).toBe(3);
  });

  it('is answered with the problem when that does not pass', async () => {
    const inbox = startProcess([UNKNOWN]);
    await inbox.store(PRESS, 't1', reply, {});
    worker?.start();
    await clock.advance(10 * MINUTE);
    expect(answers).toEqual([UNKNOWN]);
  });

  it('keeps no reply for ever where other processes handle them', async () => {
    const inbox = startProcess([DONE]);
    for (let at = 0; at <= 1_000; at += 1) await inbox.store(PRESS, `t${at}`, reply, {});
    worker?.start();
    await clock.advance(MINUTE);
    expect(tries).toBe(1_001);
    // The first one’s reply was dropped: it is answered as after a crash.
    expect(answers).toHaveLength(1_000);
  });

  it('says which window was submitted, as what Slack showed it, and when', async () => {
    const submitted = { id: windowId('w_1'), view: { id: 'V1', hash: 'h1' }, devices: 40, comment: 'Later.' };
    const press = { kind: 'window', caller: PRESS.caller, ...submitted } as const;
    await startProcess([]).store(press, 't1', reply, {});
    await clock.advance(HOUR);
    worker?.start();
    await clock.advance(MINUTE);
    const handled = { submission: 'press:t1', isFirstTry: true, caller: PRESS.caller, askedAt: START };
    expect(submissions).toEqual([expect.objectContaining({ ...submitted, ...handled })]);
  });

  it('of a window that is not known yet is tried once more', async () => {
    const outcome = { kind: 'window-refused', why: 'unknown-window' } as const;
    const press = { kind: 'window', caller: PRESS.caller, id: windowId('w_1') } as const;
    const inbox = startProcess([], { kind: 'decided', outcome });
    await inbox.store({ ...press, view: { id: 'V1', hash: 'h1' } }, 't1', reply, {});
    worker?.start();
    await clock.advance(MINUTE);
    expect(submissions.map(({ isFirstTry }) => isFirstTry)).toEqual([true, false]);
    expect(answers).toEqual([{ kind: 'decided', outcome }]);
  });

  it('is on disk before it is handled, so that another process can do it', async () => {
    await startProcess([UNKNOWN]).store(PRESS, 't1', reply, {});
    startProcess([DONE]);
    worker?.start();
    await clock.advance(MINUTE);
    expect(tries).toBe(1);
  });
});
