/** Windows of forms that Slack does not open or change, that were closed, and that change while they are filled in. */
import { describe, expect, it } from 'vitest';
import type { SlackError } from '../../../src/slack/web-api/slack-errors.ts';
import { at, caller, createFormsHarness, type Parts, STARTED, wordsOf } from './forms-harness.ts';

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
