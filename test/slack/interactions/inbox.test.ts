/** The inbox: each interaction is stored before it is acknowledged, handled once in effect, and answered. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createRegistry,
  type SettingCommand,
  type WriteCommand,
} from '../../../src/commands/core/command.ts';
import { createManualClock, DAY, HOUR, MINUTE, type MovableClock, SECOND } from '../../../src/lib/clock.ts';
import { channelId, groupId, newReference, personId, requestId, windowId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { NotStored } from '../../../src/lib/not-stored.ts';
import type { SubmittedWindow } from '../../../src/slack/dispatch/dispatch-port.ts';
import {
  createInbox,
  type InboxOptions,
  type Interaction,
  type TakenInteraction,
} from '../../../src/slack/interactions/inbox.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView } from '../../../src/slack/web-api/slack-web.ts';
import { createWorker, type Worker } from '../../../src/store/due-work/worker.ts';
import type { Store } from '../../../src/store/port/store.ts';
import type { Modal } from '../../../src/views/kit/answer-window.ts';
import type { View } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { memoryStore } from '../../harness/memory-store.ts';
import { STARTED } from '../forms/forms-harness.ts';
import { KEY, submittedForm } from '../forms/submitted-form.ts';
import { dispatchAnswering, noCopies } from '../harness/decision-windows.ts';

const OK: SlackResult<ShownView> = { kind: 'ok', value: { id: 'V1', hash: 'h' } };
const CLOSED: SlackResult<ShownView> = { kind: 'refused', error: 'not_found' };
const DONE: View = { kind: 'decided', outcome: { kind: 'absent' } };
const EXISTS: View = {
  kind: 'problem',
  problem: { kind: 'group-exists', name: 'web', parent: 'Linux servers', id: groupId(7) },
};
const MAYBE: View = {
  kind: 'problem',
  problem: { kind: 'unexpected', changed: 'unknown', reference: newReference() },
};
const RIGHTS: View = { kind: 'problem', problem: { kind: 'rights-unknown', reference: newReference() } };
const CALLER = { person: personId('U0APPROVER'), channel: channelId('C0APPROVALS') };
const PRESS: Interaction = { kind: 'withdraw', caller: CALLER, requestId: requestId('a_1') };
const WINDOW = { id: windowId('w_1'), view: { id: 'V1', hash: 'h1' } };

const HEAD = {
  ...{ usage: 'x', summary: 'x', examples: [], inputOf: (input: unknown) => input },
  parse: () => ({ kind: 'input', input: {} }) as const,
};
const start = async () => STARTED;
const act: WriteCommand = {
  ...HEAD,
  name: 'act',
  kind: 'write',
  plan: async () => ({ kind: 'view', view: STARTED }),
};
const set: SettingCommand = { ...HEAD, name: 'set', kind: 'setting', permission: 'read', run: start };

type Ran = { readonly replica: string; readonly input: unknown; readonly key: string };

let store: Store;
let clock: MovableClock;
let workers: Worker[];
/** The window's contents in order, and messages beside it. */
let shown: Modal[];
let notified: string[];
let ran: Ran[];
let submissions: SubmittedWindow[];

beforeEach(async () => {
  clock = createManualClock(START);
  store = await memoryStore();
  [workers, shown, notified, ran, submissions] = [[], [], [], [], []];
});
afterEach(async () => {
  for (const worker of workers) await worker.stop();
  await store.close();
});

type Ends = { readonly comes?: readonly View[]; readonly window?: readonly SlackResult<ShownView>[] };

/** Answers come in order, the last of them for ever; so do the outcomes of changing the window. */
function replica(
  name: string,
  { comes = [STARTED], window = [OK] }: Ends = {},
  given?: Partial<InboxOptions>,
) {
  const [views, ends] = [[...comes], [...window]];
  const next = <T>(list: T[]): T | undefined => (list.length > 1 ? list.shift() : list[0]);
  const runs = (key: string, input: unknown): View => {
    ran.push({ replica: name, input, key });
    return next(views) ?? STARTED;
  };
  const inbox = createInbox({
    registry: createRegistry(() => [act, set]),
    ...{ store, clock, pressed: noCopies },
    dispatch: {
      ...dispatchAnswering(DONE),
      runCommand: async ({ input, requestKey }) => runs(requestKey, input),
      withdraw: async () => runs('withdraw', null),
      submitWindow: async (submitted) => {
        submissions.push(submitted);
        return runs('window', null);
      },
    },
    web: {
      showView: async (_where, modal) => {
        const end = next(ends) ?? OK;
        if (end.kind === 'ok') shown.push(modal);
        return end;
      },
    },
    replies: {
      sendEphemeral: async (_caller, { text, blocks }) =>
        void notified.push(`${text} ${JSON.stringify(blocks)}`),
      sendDirect: async () => true,
    },
    wakeWorker: () => undefined,
    log: silentLog,
    ...given,
  });
  const take = (interaction: Interaction, key = KEY, how: Partial<TakenInteraction> = {}): Promise<boolean> =>
    inbox.take({ key, interaction, accept: async () => null, refuse: async () => undefined, ...how });
  const work = (): void => {
    const handlers = { inbox: inbox.handleWork };
    const worker = createWorker({ store, clock, handlers, log: silentLog, onError: () => undefined });
    workers.push(worker);
    worker.start();
  };
  return { take, work };
}

const words = (modal: Modal | undefined) => JSON.stringify(modal?.blocks);

describe('an interaction', () => {
  it('is stored, then acknowledged, and handled only after that, so that the answer does not come first', async () => {
    const acknowledged = Promise.withResolvers<null>();
    const steps: string[] = [];
    const one = replica('one', {}, { onFailpoint: (point) => void steps.push(point) });
    const taken = one.take(submittedForm('web'), KEY, {
      accept: () => {
        steps.push('acknowledged');
        return acknowledged.promise;
      },
    });
    replica('two').work();
    await clock.advance(2 * SECOND);
    expect([steps, ran]).toEqual([['inbox.recorded', 'acknowledged'], []]);
    acknowledged.resolve(null);
    expect(await taken).toBe(true);
    await clock.advance(MINUTE);
    expect(ran).toEqual([{ replica: 'two', input: { name: ['web'] }, key: KEY }]);
  });

  it.each([
    ['a press', PRESS],
    ['a form', submittedForm('web')],
  ])('is handled although the replica that stored it is gone: %s', async (_what, interaction) => {
    await replica('one').take(interaction, KEY, { accept: () => Promise.reject(new Error('killed')) });
    replica('two').work();
    await clock.advance(MINUTE);
    expect(ran).toHaveLength(1);
    expect(shown.length + notified.length).toBe(1);
  });

  it.each([
    [
      'nothing was changed where the disk is full',
      new NotStored('disk-full', 'DATABASE_URL', null),
      'nothing',
    ],
    ['it may count where the database did not answer', new Error('no answer'), 'unknown'],
  ])('that could not be stored is refused, and says that %s', async (_what, failure, changed) => {
    const refusals: unknown[] = [];
    const forbidden = () => Promise.reject(failure);
    const broken = { work: { ...store.work, put: forbidden, insert: forbidden } };
    await replica('one', {}, { store: broken }).take(PRESS, KEY, {
      accept: () => Promise.reject(new Error('was acknowledged')),
      refuse: async (problem) => void refusals.push(problem),
    });
    expect(refusals).toMatchObject([{ changed }]);
  });

  it.each([
    ['a press', PRESS],
    ['a form', submittedForm('web')],
  ])('is tried again while it is not known who the person is: %s', async (_what, interaction) => {
    const one = replica('one', { comes: [RIGHTS, RIGHTS, STARTED] });
    await one.take(interaction);
    one.work();
    await clock.advance(MINUTE);
    expect([ran.length, shown.length + notified.length]).toEqual([3, 1]);
  });

  it('is answered with the problem when that does not pass', async () => {
    const one = replica('one', { comes: [RIGHTS] });
    const answers: View[] = [];
    await one.take(PRESS, KEY, { accept: async () => async (view) => void answers.push(view) });
    one.work();
    await clock.advance(10 * MINUTE);
    expect(answers).toEqual([RIGHTS]);
  });
});

describe('a press', () => {
  it('keeps no reply for ever where other processes handle them', async () => {
    const one = replica('one');
    const answers: View[] = [];
    const accept = async () => async (view: View) => void answers.push(view);
    for (let at = 0; at <= 1_000; at += 1) await one.take(PRESS, `press:t${at}`, { accept });
    one.work();
    await clock.advance(MINUTE);
    // The first one’s reply was dropped: it is answered as after a crash.
    expect([ran.length, answers.length, notified.length]).toEqual([1_001, 1_000, 1]);
  });

  it('that is delivered again hears what came of it', async () => {
    const one = replica('one');
    one.work();
    for (const _ of [1, 2]) {
      await one.take(PRESS);
      await clock.advance(MINUTE);
    }
    expect([ran.length, notified.length]).toEqual([2, 2]);
  });
});

describe('the submission of a window', () => {
  it('says which window it was, as what Slack showed it, and when', async () => {
    const one = replica('one');
    const submitted = { ...WINDOW, devices: 40, comment: 'Later.' };
    await one.take({ kind: 'window', caller: CALLER, ...submitted }, 'window:1');
    await clock.advance(HOUR);
    one.work();
    await clock.advance(MINUTE);
    const handled = { submission: 'window:1', isFirstTry: true, caller: CALLER, askedAt: START };
    expect(submissions).toEqual([expect.objectContaining({ ...submitted, ...handled })]);
  });

  it('is tried once more where its window is not known yet', async () => {
    const unknown = { kind: 'window-refused', why: 'unknown-window' } as const;
    const one = replica('one', { comes: [{ kind: 'decided', outcome: unknown }] });
    await one.take({ kind: 'window', caller: CALLER, ...WINDOW }, 'window:1');
    one.work();
    await clock.advance(MINUTE);
    expect(submissions.map(({ isFirstTry }) => isFirstTry)).toEqual([true, false]);
    expect(notified).toHaveLength(1);
  });
});

describe('a form', () => {
  it('is drawn again by another replica with what was entered, and what stood in the way at its field', async () => {
    await replica('one').take(submittedForm('web'));
    replica('two', { comes: [EXISTS] }).work();
    await clock.advance(MINUTE);
    expect(shown).toMatchObject([
      {
        callback_id: 'form',
        submit: { text: 'Go' },
        blocks: [
          { block_id: 'note:top' },
          { block_id: 'name', element: { initial_value: 'web' } },
          { block_id: 'note:field' },
        ],
      },
    ]);
  });

  it.each<[string, Ends]>([
    ['was closed', { window: [CLOSED] }],
    ['cannot be changed', { window: [{ kind: 'refused', error: 'internal_error' }] }],
    [
      'does not say whether it was changed',
      { window: [{ kind: 'uncertain', detail: 'x', inFlight: false }] },
    ],
  ])('is answered by one message where its window %s', async (_what, ends) => {
    const one = replica('one', ends);
    await one.take(submittedForm('web'));
    one.work();
    await clock.advance(MINUTE);
    expect(ran).toHaveLength(1);
    expect(notified).toEqual([expect.stringContaining('web-01')]);
    expect(shown).toEqual([]);
  });

  it('is answered in its window once Slack answers again', async () => {
    const one = replica('one', { window: [{ kind: 'throttled', retryAfterMs: 1_000 }, OK] });
    await one.take(submittedForm('web'));
    one.work();
    await clock.advance(MINUTE);
    expect([ran.length, shown.length, notified.length]).toEqual([1, 1, 0]);
  });

  it('is not tried again where a setting may have been changed already', async () => {
    const one = replica('one', { comes: [MAYBE, STARTED] });
    await one.take(submittedForm('web', 'set'));
    one.work();
    await clock.advance(10 * MINUTE);
    expect(ran).toHaveLength(1);
    expect(words(shown.at(-1))).toContain('Something may have changed');
  });

  it('is forgotten a day later', async () => {
    const one = replica('one');
    await one.take(submittedForm('web'));
    one.work();
    await clock.advance(DAY - MINUTE);
    expect(await one.take(submittedForm('web'))).toBe(false);
    await clock.advance(2 * MINUTE);
    expect([ran.length, shown.length, notified.length]).toEqual([1, 1, 0]);
    expect(await one.take(submittedForm('web'))).toBe(true);
  });
});

describe('a form that is sent again', () => {
  it.each([
    ['with the same values', 'web'],
    ['with other values', 'db'],
  ])(
    '%s, on another replica, is not requested, and shows nothing over the first answer',
    async (_how, name) => {
      const one = replica('one');
      expect(await one.take(submittedForm('web'))).toBe(true);
      const two = replica('two');
      expect(await two.take(submittedForm(name))).toBe(false);
      one.work();
      await clock.advance(MINUTE);
      expect(await two.take(submittedForm(name))).toBe(false);
      two.work();
      await clock.advance(10 * MINUTE);
      expect(ran.map(({ input }) => input)).toEqual([{ name: ['web'] }]);
      expect([shown.length, notified.length]).toEqual([1, 0]);
    },
  );

  it('never acts twice, whatever order it is sent and handled in', async () => {
    const all = ['one', 'two', 'three'].map((name) => replica(name));
    const stored = await Promise.all(
      all.flatMap((one, at) => [
        one.take(submittedForm('web', 'set')),
        one.take(submittedForm(`db-${at}`, 'set')),
      ]),
    );
    for (const one of all) one.work();
    await clock.advance(10 * MINUTE);
    expect(stored.filter((isNew) => isNew)).toHaveLength(1);
    expect(ran).toHaveLength(1);
    expect(notified).toEqual([]);
  });
});
