import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  createRegistry,
  type SettingCommand,
  type WriteCommand,
} from '../../../src/commands/core/command.ts';
import { createManualClock, DAY, MINUTE, type MovableClock, SECOND } from '../../../src/lib/clock.ts';
import { groupId, newReference, organizationId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createSubmissionQueue } from '../../../src/slack/forms/form-submissions.ts';
import type { SlackError, SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView } from '../../../src/slack/web-api/slack-web.ts';
import { createWorker, type Worker } from '../../../src/store/due-work/worker.ts';
import { openStore } from '../../../src/store/open.ts';
import type { Store } from '../../../src/store/port/store.ts';
import type { Modal } from '../../../src/views/kit/answer-window.ts';
import type { View } from '../../../src/views/types.ts';
import { START } from '../../harness/builders.ts';
import { at, caller, createFormsHarness, type Parts, STARTED, wordsOf } from './forms-harness.ts';
import { KEY, submittedPayload } from './submitted-form.ts';

describe('stored submissions', () => {
  const OK: SlackResult<ShownView> = { kind: 'ok', value: { id: 'V1', hash: 'h' } };
  const CLOSED: SlackResult<ShownView> = { kind: 'refused', error: 'not_found' };
  const STARTED: View = {
    kind: 'started',
    requestId: requestId('r_1'),
    action: { kind: 'scan' },
    names: ['web-01'],
    link: null,
  };
  const EXISTS: View = {
    kind: 'problem',
    problem: { kind: 'group-exists', name: 'web', parent: 'Linux servers', id: groupId(7) },
  };
  const MAYBE: View = {
    kind: 'problem',
    problem: { kind: 'unexpected', changed: 'unknown', reference: newReference() },
  };
  const RIGHTS: View = { kind: 'problem', problem: { kind: 'rights-unknown', reference: newReference() } };
  const HEAD = {
    ...{ usage: 'x', summary: 'x', examples: [], inputOf: (input: unknown) => input },
    parse: () => ({ kind: 'input', input: {} }) as const,
  };
  const act: WriteCommand = {
    ...HEAD,
    name: 'act',
    kind: 'write',
    plan: async () => ({ kind: 'view', view: STARTED }),
  };
  const start = async () => STARTED;
  const set: SettingCommand = { ...HEAD, name: 'set', kind: 'setting', permission: 'read', run: start };

  let store: Store;
  let clock: MovableClock;
  let workers: Worker[];
  /** The window's contents in order, and messages beside it. */
  let shown: Modal[];
  let notified: string[];
  let ran: { readonly replica: string; readonly input: unknown; readonly key: string }[];

  beforeEach(async () => {
    clock = createManualClock(START);
    store = await openStore({
      database: { kind: 'sqlite', path: ':memory:' },
      organizationId: organizationId(1),
    });
    workers = [];
    shown = [];
    notified = [];
    ran = [];
  });
  afterEach(async () => {
    for (const worker of workers) await worker.stop();
    await store.close();
  });

  type Ends = { readonly comes?: readonly View[]; readonly window?: readonly SlackResult<ShownView>[] };

  /** Answers come in order, the last of them for ever; so do the outcomes of changing the window. */
  function replica(name: string, { comes = [STARTED], window = [OK] }: Ends = {}) {
    const views = [...comes];
    const ends = [...window];
    const next = <T>(list: T[]): T | undefined => (list.length > 1 ? list.shift() : list[0]);
    const forms = createSubmissionQueue({
      registry: createRegistry(() => [act, set]),
      store,
      clock,
      dispatch: {
        runCommand: async ({ input, requestKey }) => {
          ran.push({ replica: name, input, key: requestKey });
          return next(views) ?? STARTED;
        },
      },
      web: {
        showView: async (_where, modal) => {
          const end = next(ends) ?? OK;
          if (end.kind === 'ok') shown.push(modal);
          return end;
        },
      },
      sendEphemeral: async (_caller, { text, blocks }) =>
        void notified.push(`${text} ${JSON.stringify(blocks)}`),
      sendDirect: async () => true,
      log: silentLog,
    });
    const work = (): void => {
      const handlers = { form: forms.handleWork };
      const worker = createWorker({ store, clock, handlers, log: silentLog, onError: () => undefined });
      workers.push(worker);
      worker.start();
    };
    const { store: put, release } = forms;
    return { store: put, release, work };
  }

  const words = (modal: Modal | undefined) => JSON.stringify(modal?.blocks);

  describe('a form that asks for a change', () => {
    it('is not handled before it was acknowledged, so that the answer does not come first', async () => {
      const one = replica('one');
      await one.store(KEY, submittedPayload('web'));
      replica('two').work();
      await clock.advance(2 * SECOND);
      expect(ran).toEqual([]);
      await one.release(KEY);
      await clock.advance(MINUTE);
      expect(ran).toEqual([{ replica: 'two', input: { name: ['web'] }, key: `press:${KEY}` }]);
    });

    it('is handled although the replica that stored it is gone', async () => {
      await replica('one').store(KEY, submittedPayload('web'));
      replica('two').work();
      await clock.advance(MINUTE);
      expect(ran).toHaveLength(1);
      expect(shown).toMatchObject([{ callback_id: 'home_answer' }]);
      expect(notified).toEqual([]);
    });

    it('is drawn again by another replica with what was entered, and what stood in the way at its field', async () => {
      await replica('one').store(KEY, submittedPayload('web'));
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
      await one.store(KEY, submittedPayload('web'));
      one.work();
      await clock.advance(MINUTE);
      expect(ran).toHaveLength(1);
      expect(notified).toEqual([expect.stringContaining('web-01')]);
      expect(shown).toEqual([]);
    });

    it('is answered in its window once Slack answers again', async () => {
      const one = replica('one', { window: [{ kind: 'throttled', retryAfterMs: 1_000 }, OK] });
      await one.store(KEY, submittedPayload('web'));
      one.work();
      await clock.advance(MINUTE);
      expect([ran.length, shown.length, notified.length]).toEqual([1, 1, 0]);
    });

    it('is retried while it is not known who the person is', async () => {
      const one = replica('one', { comes: [RIGHTS, STARTED] });
      await one.store(KEY, submittedPayload('web'));
      one.work();
      await clock.advance(MINUTE);
      expect([ran.length, shown.length]).toEqual([2, 1]);
    });

    it('is not tried again where a setting may have been changed already', async () => {
      const one = replica('one', { comes: [MAYBE, STARTED] });
      await one.store(KEY, submittedPayload('web', 'set'));
      one.work();
      await clock.advance(10 * MINUTE);
      expect(ran).toHaveLength(1);
      expect(words(shown.at(-1))).toContain('Something may have changed');
    });

    it('is forgotten a day later', async () => {
      const one = replica('one');
      await one.store(KEY, submittedPayload('web'));
      one.work();
      await clock.advance(DAY - MINUTE);
      expect(await one.store(KEY, submittedPayload('web'))).toBe('duplicate');
      await clock.advance(2 * MINUTE);
      expect([ran.length, shown.length, notified.length]).toEqual([1, 1, 0]);
      expect(await one.store(KEY, submittedPayload('web'))).toBe('stored');
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
        expect(await one.store(KEY, submittedPayload('web'))).toBe('stored');
        const two = replica('two');
        expect(await two.store(KEY, submittedPayload(name))).toBe('duplicate');
        one.work();
        await clock.advance(MINUTE);
        expect(await two.store(KEY, submittedPayload(name))).toBe('duplicate');
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
          one.store(KEY, submittedPayload('web', 'set')),
          one.store(KEY, submittedPayload(`db-${at}`, 'set')),
        ]),
      );
      for (const one of all) one.work();
      await Promise.all(all.map((one) => one.release(KEY)));
      await clock.advance(10 * MINUTE);
      expect(stored.filter((kind) => kind === 'stored')).toHaveLength(1);
      expect(ran).toHaveLength(1);
      expect(notified).toEqual([]);
    });
  });
});

const refused = (error: string): SlackError => ({ kind: 'refused', error });
/** Errors of views.open, views.push and views.update (docs.slack.dev/reference/methods, errors), and a lost answer. */
const FAULTS: readonly (readonly [string, SlackError])[] = [
  ...['hash_conflict', 'expired_trigger_id', 'exchanged_trigger_id', 'view_too_large', 'internal_error'].map(
    (error) => [error, refused(error)] as const,
  ),
  ['a rate limit', { kind: 'throttled', retryAfterMs: 1_000 }],
  ['no answer', { kind: 'uncertain', detail: 'TimeoutError', inFlight: true }],
];
const CLOSED = refused('not_found');
const ALL = [...FAULTS, ['not_found', CLOSED] as const];

const opens = async (kind: 'open' | 'push', parts: Parts) => {
  const where = kind === 'open' ? { kind, triggerId: 't1' } : { kind, triggerId: 't1', depth: 1 };
  return createFormsHarness(parts).forms.open(where, { command: 'act', prefill: { a: 1 }, caller });
};
const live = async (parts: Parts) => {
  const desk = createFormsHarness(parts);
  await desk.forms.onPress(at('act', 'web'), async () => undefined);
  return desk;
};
/** Submits a read form without a conversation, or a write form. */
const sends = async (command: 'look' | 'act', parts: Parts) => {
  const desk = createFormsHarness({ answer: STARTED, ...parts });
  const order = command === 'look' ? { inWindow: true } : {};
  desk.handled.push(desk.forms.onSubmit(at(command, 'web', 'h1', order), async () => undefined));
  await Promise.all(command === 'act' ? desk.handled : []);
  await desk.answers();
  return desk;
};

describe('a window that Slack does not open', () => {
  it.each(ALL)('leaves a button for its form: %s', async (_what, opened) => {
    for (const kind of ['open', 'push'] as const)
      expect(await opens(kind, { opened })).toMatchObject({ kind: 'fill-in', prefill: { a: 1 } });
  });
});

describe('a window that Slack does not change', () => {
  it.each(FAULTS)('into its form leaves a button for that: %s', async (_what, update) => {
    expect(await opens('open', { update })).toMatchObject({ kind: 'fill-in', prefill: { a: 1 } });
  });

  it.each(FAULTS)(
    'as a live field says leaves a button for a new form with what was entered: %s',
    async (_what, fault) => {
      const { told } = await live({ redrawn: [fault] });
      expect(told).toMatchObject([{ kind: 'fill-in', command: 'act', prefill: { name: ['web'] } }]);
    },
  );

  it.each(FAULTS)('into what was looked for is answered beside it: %s', async (_what, update) => {
    expect((await sends('look', { update })).told).toEqual([STARTED]);
  });

  it.each(FAULTS)('into the result of a change is answered beside it, once: %s', async (_what, update) => {
    const { ran, whispered } = await sends('act', { update });
    expect(whispered).toEqual([expect.stringContaining('web-01')]);
    expect(ran).toHaveLength(1);
  });
});

describe('a window that was closed', () => {
  it('gets neither its form nor its answer', async () => {
    expect(await opens('open', { update: CLOSED })).toBeNull();
    expect((await live({ redrawn: [CLOSED] })).told).toEqual([]);
    expect((await sends('look', { update: CLOSED })).told).toEqual([]);
  });

  it('has the result of a change in a message', async () => {
    expect((await sends('act', { update: CLOSED })).whispered).toEqual([expect.stringContaining('web-01')]);
  });
});

describe('a press in a form that is sent meanwhile', () => {
  it('draws nothing in the place of the answer, and tells nothing beside it', async () => {
    const reading = Promise.withResolvers<void>();
    const desk = createFormsHarness({
      form: { redraw: () => reading.promise.then(() => Promise.reject(new Error('too late'))) },
    });
    const pressed = desk.forms.onPress(at('act', 'web'), async () => undefined);
    await desk.forms.onSubmit(at('act', 'web'), async () => undefined);
    reading.resolve();
    await pressed;
    await desk.answers(STARTED);
    expect(desk.calls).toEqual(['kick', 'update V1']);
    expect([desk.told, desk.whispered]).toEqual([[], []]);
  });
});

describe('a live field that changes', () => {
  const press = (desk: ReturnType<typeof createFormsHarness>, name: string, hash?: string) =>
    desk.forms.onPress(at('act', name, hash), async () => undefined);

  it('refreshes the form for the window as it was', async () => {
    const desk = createFormsHarness();
    await press(desk, 'web');
    expect(desk.calls).toEqual(['redraw V1 at h1']);
    expect(wordsOf(desk.windows)).toContain('now web');
  });

  it('draws only the newest of two changes', async () => {
    const desk = createFormsHarness();
    await Promise.all([press(desk, 'w'), press(desk, 'we')]);
    expect(desk.calls).toEqual(['redraw V1 at h1']);
    expect(wordsOf(desk.windows)).toContain('now we');
  });

  it('knows what it has sent since the person saw the window', async () => {
    const desk = createFormsHarness({ redrawn: [{ kind: 'ok', value: { id: 'V1', hash: 'h2' } }] });
    await press(desk, 'w', 'h1');
    await press(desk, 'we', 'h1');
    expect(desk.calls).toEqual(['redraw V1 at h1', 'redraw V1 at h2']);
  });

  it('tells privately what fails, and leaves the window as it is', async () => {
    const desk = createFormsHarness({ form: { redraw: async () => Promise.reject(new Error('broken')) } });
    await press(desk, 'web');
    expect(desk.calls).toEqual([]);
    expect(desk.told).toMatchObject([
      { kind: 'problem', problem: { kind: 'unexpected', changed: 'nothing' } },
    ]);
  });
});
