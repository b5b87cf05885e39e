import { describe, expect, it } from 'vitest';
import { groupId, newReference, personId } from '../../../src/lib/ids.ts';
import type { Problem, View } from '../../../src/views/model.ts';
import {
  ANSWER,
  at,
  caller,
  createFormsHarness,
  FORM_MARK,
  NOBODY,
  type Parts,
  STARTED,
  UNKNOWN,
  wordsOf,
} from './forms-harness.ts';

const open = (desk: ReturnType<typeof createFormsHarness>, command = 'act') =>
  desk.forms.open({ kind: 'open', triggerId: 't1' }, { command, prefill: { a: 1 }, caller });

describe('a form that is opened', () => {
  it('is in a window that first says “Looking…”', async () => {
    const desk = createFormsHarness();
    expect(await open(desk)).toBeNull();
    expect(desk.calls).toEqual(['open t1', 'update V1']);
    expect(wordsOf(desk.windows.slice(0, 1))).toContain('Looking…');
    expect(desk.windows[1]).toMatchObject({ callback_id: 'form', blocks: [{}, { block_id: 'name' }] });
  });

  it('is offered again by a button where Slack opens no window', async () => {
    const desk = createFormsHarness({ opened: { kind: 'refused', error: 'expired_trigger_id' } });
    expect(await open(desk)).toEqual({
      kind: 'fill-in',
      command: 'act',
      prefill: { a: 1 },
      missing: null,
      usage: 'x',
      root: '/fleet',
    });
    expect(desk.calls).toEqual(['open t1']);
  });

  it.each([
    ['somebody without the right sees why', { role: { role: 'viewer', maybe: null } as const }, 'operator'],
    ['somebody whom Slack does not name sees that', { role: UNKNOWN }, 'your role is unknown'],
    [
      'what fails while it reads stands in it',
      { form: { open: async () => Promise.reject(new Error('broken')) } },
      'Unexpected error',
    ],
  ])('%s', async (_what, parts, words) => {
    const desk = createFormsHarness(parts);
    expect(await open(desk)).toBeNull();
    expect(desk.windows[1]).toMatchObject({ callback_id: 'home_answer' });
    expect(wordsOf(desk.windows)).toContain(words);
  });

  it('stands over the window in which it was asked for, or in its place', async () => {
    const desk = createFormsHarness();
    const asked = { command: 'act', prefill: {}, caller };
    await desk.forms.open({ kind: 'push', triggerId: 't1', depth: 2 }, asked);
    await desk.forms.open({ kind: 'replace', viewId: 'V3', depth: 3 }, asked);
    expect(desk.calls).toEqual(['push t1', 'update V2', 'update V3']);
  });
});

describe('a form that is submitted', () => {
  const NOTHING = 'Nothing was changed';
  const CLOSED = { errors: undefined, shows: null, stored: 0 };
  const KEPT = { errors: undefined, shows: expect.stringContaining('Your request is saved.'), stored: 1 };
  const refused = (name: unknown) => ({ errors: { name }, shows: null, stored: 0 });
  /** Returns the acknowledgement; later steps follow in their own time. */
  const submit = async (desk: ReturnType<typeof createFormsHarness>, payload: unknown) => {
    const acks: unknown[] = [];
    const acknowledged = Promise.withResolvers<void>();
    const done = desk.forms.onSubmit(payload, async (answer) => {
      const errors = answer?.kind === 'errors' ? answer.errors : undefined;
      const shows = answer?.kind === 'window' ? wordsOf([answer.window]) : null;
      acks.push({ errors, shows, stored: desk.kept.keys().length });
      acknowledged.resolve();
    });
    desk.handled.push(done);
    await acknowledged.promise;
    // Changes are handled after the acknowledgement.
    if (desk.kept.keys().length > 0) await done;
    return acks;
  };
  const answers = (desk: ReturnType<typeof createFormsHarness>, view: View = STARTED) => desk.answers(view);

  it('is stored before it is acknowledged where it changes something', async () => {
    const desk = createFormsHarness();
    expect(await submit(desk, at('act', 'web'))).toEqual([KEPT]);
    expect(desk.kept.read('form:V1:h1')).toMatchObject({
      kind: 'asked',
      caller,
      command: 'act',
      input: { name: ['web'] },
    });
    await answers(desk);
    expect(desk.ran).toMatchObject([{ name: 'act', requestKey: 'press:form:V1:h1' }]);
    expect(desk.calls).toEqual(['kick', 'update V1']);
  });

  it('whose window was sent before keeps its values and says that the first time counts', async () => {
    const desk = createFormsHarness();
    expect(await submit(desk, at('act', 'web'))).toEqual([KEPT]);
    const again = expect.stringContaining('You already sent this form');
    expect(await submit(desk, at('act', 'db'))).toEqual([{ ...refused(again), stored: 1 }]);
    await answers(desk);
    expect(desk.ran).toMatchObject([{ input: { name: ['web'] } }]);
  });

  it('of a command that only reads is answered after it was acknowledged', async () => {
    const desk = createFormsHarness();
    expect(await submit(desk, at('look', 'web'))).toEqual([CLOSED]);
    await answers(desk);
    expect(desk.ran).toMatchObject([{ name: 'look', input: { name: ['web'] }, caller }]);
    expect(desk.told).toEqual([ANSWER]);
  });

  it('with an error on a field stays, and is stored nowhere', async () => {
    const desk = createFormsHarness();
    expect(await submit(desk, at('act', ''))).toEqual([refused('Give a name.')]);
    expect(await submit(desk, at('act', 'web'))).toEqual([KEPT]);
  });

  it('has every error on a field of its window, as Slack shows none otherwise', async () => {
    const desk = createFormsHarness({
      form: { read: () => ({ kind: 'errors', errors: { gone: 'Wrong.', name: 'No.' } }) },
    });
    expect(await submit(desk, at('act', 'x'))).toEqual([refused('Wrong. No.')]);
  });

  it('that could not be stored says so, and can be sent again', async () => {
    let full = true;
    const stores = async () => {
      if (full) throw new Error('the disk is full');
    };
    const desk = createFormsHarness({ stores });
    expect(await submit(desk, at('act', 'web'))).toEqual([refused(expect.stringContaining(NOTHING))]);
    full = false;
    expect(await submit(desk, at('act', 'web'))).toEqual([KEPT]);
  });

  it('by somebody who lost the role is not read, and gets the command’s refusal', async () => {
    const read = () => {
      throw new Error('must not be read');
    };
    const desk = createFormsHarness({ role: NOBODY, form: { read } });
    expect(await submit(desk, at('look', 'web'))).toEqual([CLOSED]);
    await answers(desk);
    expect(desk.ran).toMatchObject([{ name: 'look', input: {} }]);
  });

  it.each([
    ['of a command that is not there', 'gone'],
    ['of another program', ''],
  ])('%s changes nothing', async (_what, command) => {
    const desk = createFormsHarness();
    expect(await submit(desk, at(command, 'web'))).toEqual([refused(expect.stringContaining(NOTHING))]);
  });

  it.each([
    ['unsigned', (order: string) => order],
    ['signed for somebody else', (order: string) => FORM_MARK.sign(order, personId('U0EVE'))],
  ])('of a window that was made with the bot token changes nothing: %s', async (_how, sign) => {
    const desk = createFormsHarness();
    const { view, ...form } = at('act', 'web');
    const private_metadata = sign(view.private_metadata.slice(43));
    const forged = { ...form, view: { ...view, private_metadata } };
    expect(await submit(desk, forged)).toEqual([refused(expect.stringContaining(NOTHING))]);
    expect(desk.ran).toEqual([]);
  });

  describe('and whose answer comes later', () => {
    /** The window once the answer has come. */
    const answered = async (view: View, { update }: Parts = {}) => {
      const desk = createFormsHarness(update === undefined ? {} : { update });
      await submit(desk, at('act', 'web'));
      await answers(desk, view);
      return { ...desk, shown: desk.windows.at(-1) };
    };
    const problem = (given: Problem): View => ({ kind: 'problem', problem: given });

    it('shows it in its window, whose buttons belong where the form was asked for', async () => {
      const { shown, told } = await answered(STARTED);
      expect(shown).toMatchObject({ callback_id: 'home_answer' });
      expect(JSON.parse(shown?.private_metadata ?? '')).toEqual({ depth: 1, channel: caller.channel });
      expect(told).toEqual([]);
    });

    it('becomes the form again where something stood in the way, with what was entered and why at the field', async () => {
      const { shown, told } = await answered(
        problem({ kind: 'group-exists', name: 'web', parent: 'Linux servers', id: groupId(7) }),
      );
      expect(shown).toMatchObject({
        callback_id: 'form',
        submit: { text: 'Go' },
        blocks: [
          { block_id: 'note:top' },
          { block_id: 'name', element: { initial_value: 'web' } },
          {
            block_id: 'note:field',
            text: { text: expect.stringContaining('already has a subgroup') },
          },
        ],
      });
      expect(told).toEqual([]);
    });

    it('says at the top what is about no field, and removes earlier errors', async () => {
      const { shown } = await answered(problem({ kind: 'already-so', name: 'web' }));
      expect(shown).toMatchObject({
        blocks: [
          { text: { text: expect.stringContaining('already has these values') } },
          { block_id: 'name' },
        ],
      });
      expect(JSON.stringify(shown)).not.toContain('as drawn');
    });

    it.each<[string, Problem]>([
      ['is kept', { kind: 'card-delayed', channel: caller.channel, reference: newReference() }],
      ['may have been done', { kind: 'unexpected', changed: 'unknown', reference: newReference() }],
    ])('offers no second try of what %s', async (_what, given) => {
      expect((await answered(problem(given))).shown).toMatchObject({ callback_id: 'home_answer' });
    });

    it('is sent where the command was typed once its window is closed', async () => {
      const { told, whispered } = await answered(STARTED, {
        update: { kind: 'refused', error: 'not_found' },
      });
      expect(told).toEqual([]);
      expect(whispered).toEqual([expect.stringContaining('web-01')]);
    });
  });

  describe('where there is no conversation', () => {
    const IN_WINDOW = { inWindow: true };
    it('is answered in its window, with a way back to the form', async () => {
      const desk = createFormsHarness({ answer: STARTED });
      expect(await submit(desk, at('look', 'web', 'h1', IN_WINDOW))).toEqual([
        { errors: undefined, shows: expect.stringContaining('Looking…'), stored: 0 },
      ]);
      await answers(desk);
      expect(desk.calls).toEqual(['update V1']);
      expect(wordsOf(desk.windows)).toContain('Back to form');
      expect(desk.told).toEqual([]);
    });

    it('is the form again where nothing was found', async () => {
      const desk = createFormsHarness();
      await submit(desk, at('look', 'web', 'h1', IN_WINDOW));
      await answers(desk);
      expect(desk.windows.at(-1)).toMatchObject({ callback_id: 'form' });
      expect(wordsOf(desk.windows)).toContain('"initial_value":"web"');
    });

    it('is sent nowhere once its window is closed', async () => {
      const desk = createFormsHarness({ answer: STARTED, update: { kind: 'refused', error: 'not_found' } });
      await submit(desk, at('look', 'web', 'h1', IN_WINDOW));
      await answers(desk);
      expect(desk.told).toEqual([]);
    });
  });
});

describe('what happens elsewhere', () => {
  it('is not taken for a form', () => {
    const { forms } = createFormsHarness();
    expect(forms.isFormPayload(at('act', 'x'))).toBe(true);
    expect(forms.isFormPayload({ view: { callback_id: 'reason' } })).toBe(false);
    expect(forms.isFormPayload({ channel: { id: 'C1' }, reference: newReference() })).toBe(false);
  });
});
