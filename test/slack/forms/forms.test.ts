import type { RespondFn } from '@slack/bolt';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/commands/index.ts';
import { createManualClock, SECOND } from '../../../src/lib/clock.ts';
import { channelId, groupId, messageTs, newReference, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { NotStored } from '../../../src/lib/not-stored.ts';
import { createInFlight } from '../../../src/slack/dispatch/dispatch-port.ts';
import { createMenuOptions } from '../../../src/slack/forms/forms.ts';
import {
  createFormWindows,
  type FormPlacement,
  type FormRequest,
} from '../../../src/slack/forms/open-form.ts';
import { createTextCommands } from '../../../src/slack/interactions/text-commands.ts';
import { createPrivateReplies } from '../../../src/slack/replies/private-replies.ts';
import type { SlackError, SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView, SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { type Modal, readAnswerWindowState } from '../../../src/views/kit/answer-window.ts';
import type { MenuOption } from '../../../src/views/kit/blocks.ts';
import type { Problem, View } from '../../../src/views/views.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { START } from '../../harness/builders.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';
import { aFillIn, withoutRecording } from '../harness/open-access.ts';
import {
  ANN,
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

const desk = madePerTest(createFormsHarness);

const open = (desk: ReturnType<typeof createFormsHarness>, command = 'act') =>
  desk.forms.open({ kind: 'open', triggerId: 't1' }, { command, prefill: { a: 1 }, caller });

describe('a form that is opened', () => {
  it('is in a window that first says “Looking…”', async () => {
    expect(await open(desk)).toBeNull();
    expect(desk.calls).toEqual(['open t1', 'update V1']);
    expect(wordsOf(desk.windows.slice(0, 1))).toContain('Looking…');
    expect(desk.windows[1]).toMatchObject({ callback_id: 'form', blocks: [{}, { block_id: 'name' }] });
  });

  it('is offered again by a button where Slack opens no window', async () => {
    const desk = createFormsHarness({ opened: { kind: 'refused', error: 'expired_trigger_id' } });
    expect(await open(desk)).toEqual({ ...aFillIn('act'), prefill: { a: 1 }, usage: 'x' });
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
    expect(await submit(desk, at('act', 'web'))).toEqual([KEPT]);
    const asked = { kind: 'command', caller, name: 'act', input: { name: ['web'] } };
    expect(desk.kept.read('form:V1:h1')).toMatchObject(asked);
    await answers(desk);
    expect(desk.ran).toMatchObject([{ name: 'act', requestKey: 'form:V1:h1' }]);
    expect(desk.calls).toEqual(['kick', 'update V1']);
  });

  it('whose window was sent before keeps its values and says that the first time counts', async () => {
    expect(await submit(desk, at('act', 'web'))).toEqual([KEPT]);
    const again = expect.stringContaining('You already sent this form');
    expect(await submit(desk, at('act', 'db'))).toEqual([{ ...refused(again), stored: 1 }]);
    await answers(desk);
    expect(desk.ran).toMatchObject([{ input: { name: ['web'] } }]);
  });

  it('of a command that only reads is answered after it was acknowledged', async () => {
    expect(await submit(desk, at('look', 'web'))).toEqual([CLOSED]);
    await answers(desk);
    expect(desk.ran).toMatchObject([{ name: 'look', input: { name: ['web'] }, caller }]);
    expect(desk.told).toEqual([ANSWER]);
  });

  it('with an error on a field stays, and is stored nowhere', async () => {
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
    const failures = [new NotStored('disk-full', 'DATABASE_URL', null), new Error('no answer')];
    const stores = async () => {
      const failure = failures.shift();
      if (failure !== undefined) throw failure;
    };
    const desk = createFormsHarness({ stores });
    const full = expect.stringMatching(/^The disk is full, .* Nothing was changed\./);
    expect(await submit(desk, at('act', 'web'))).toEqual([refused(full)]);
    const unknown = expect.stringMatching(/^Unexpected error \(reference \w+\)\. Something may have changed/);
    expect(await submit(desk, at('act', 'web'))).toEqual([refused(unknown)]);
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
    expect(await submit(desk, at(command, 'web'))).toEqual([refused(expect.stringContaining(NOTHING))]);
  });

  it.each([
    ['unsigned', (order: string) => order],
    ['signed for somebody else', (order: string) => FORM_MARK.sign(order, personId('U0EVE'))],
  ])('of a window that was made with the bot token changes nothing: %s', async (_how, sign) => {
    const { view, ...form } = at('act', 'web');
    const private_metadata = sign(view.private_metadata.slice(43));
    const forged = { ...form, view: { ...view, private_metadata } };
    expect(await submit(desk, forged)).toEqual([refused(expect.stringContaining(NOTHING))]);
    expect(desk.ran).toEqual([]);
  });

  describe('and whose answer comes later', () => {
    /** The window once the answer has come. */
    const answered = async (view: View) => {
      await submit(desk, at('act', 'web'));
      await answers(desk, view);
      return { told: desk.told, shown: desk.windows.at(-1) };
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
          { block_id: 'note:field', text: { text: expect.stringContaining('already has a subgroup') } },
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

const FILL_IN: View = { ...aFillIn('reboot'), prefill: { reason: 'x' }, missing: 'Which device?' };
const GONE: View = { kind: 'problem', problem: { kind: 'device-gone', query: 'web-01' } };
const payload = { user_id: 'U0ANN', channel_id: 'C0OPS', text: 'reboot because x', trigger_id: 't1' };

/** An incomplete slash command, whose form opens as `instead` says. */
function startTalk(instead: View | null) {
  const clock = createManualClock(START);
  const opened: { readonly where: FormPlacement; readonly asked: FormRequest }[] = [];
  const notified: string[] = [];
  const answers: (() => void)[] = [];
  const { onSlashCommand } = createTextCommands({
    dispatch: { runText: () => new Promise((resolve) => answers.push(() => resolve(FILL_IN))) },
    replies: createPrivateReplies({ web: createFakeSlackWeb(clock.now), log: silentLog }),
    openForm: async (where, requests) => {
      opened.push({ where, asked: requests });
      return instead;
    },
    identity: { botUserId: personId('U0BOT') },
    root: '/fleet',
    clock,
  });
  const respond: RespondFn = async (message) => {
    notified.push(typeof message === 'string' ? message : (message.text ?? ''));
    return new Response('ok');
  };
  return {
    clock,
    opened,
    told: notified,
    asks: () => onSlashCommand(null, payload, respond),
    answer: () => answers.shift()?.(),
  };
}

describe('a slash command that lacks something', () => {
  it('opens its form with its own trigger, and gets no other answer', async () => {
    const { opened, told, asks, answer } = startTalk(null);
    const done = asks();
    answer();
    await done;
    const caller = { person: 'U0ANN', channel: 'C0OPS' };
    const asked = { command: 'reboot', prefill: { reason: 'x' }, caller };
    expect(opened).toEqual([{ where: { kind: 'open', triggerId: 't1' }, asked }]);
    expect(told).toEqual([]);
  });

  it.each([
    ['by a button where no window opened', { ...FILL_IN, missing: null } as const, 'Which device?'],
    ['by what was wrong', GONE, 'web-01'],
  ])('is answered %s', async (_what, instead, words) => {
    const { told, asks, answer } = startTalk(instead);
    const done = asks();
    answer();
    await done;
    expect(told).toEqual([expect.stringContaining(words)]);
  });

  it('sends an answer after every notice', async () => {
    const { clock, told, asks, answer } = startTalk(null);
    const done = asks();
    await clock.advance(5 * SECOND);
    answer();
    await done;
    expect(told).toEqual([
      expect.stringMatching(/^This took longer/),
      expect.stringContaining('Which device?'),
    ]);
  });
});

describe('a private answer', () => {
  const caller = { person: personId('U0ANN'), channel: channelId('C0OPS') };
  const said = async (fault: SlackError) => {
    const calls: string[] = [];
    const fake = createFakeSlackWeb(() => START);
    const web: SlackWeb = {
      ...fake,
      ephemeral: async () => fault,
      say: (channel, message) => {
        calls.push(channel);
        return fake.say(channel, message);
      },
    };
    await createPrivateReplies({ web, log: silentLog }).ephemeral(caller)(GONE);
    return calls;
  };

  it.each(['not_in_channel', 'channel_not_found', 'user_not_in_channel', 'is_archived'])(
    'goes to the direct message where the channel takes none: %s',
    async (error) => {
      expect(await said({ kind: 'refused', error })).toEqual(['DU0ANN']);
    },
  );

  it('is not sent twice where it may have been shown', async () => {
    expect(await said({ kind: 'uncertain', detail: 'lost', inFlight: false })).toEqual([]);
  });
});

describe('a menu that searches', () => {
  const offered = async (parts: Parts, action_id: string, value: string) => {
    const desk = createFormsHarness(parts);
    await desk.ports.inventory.snapshot();
    const acks: unknown[] = [];
    await desk.forms.onOptions({ user: { id: ANN }, action_id, value }, async (options) => {
      acks.push(options);
    });
    return acks;
  };

  it('offers what fits, by a number that stays', async () => {
    expect(await offered({}, 'search_device', 'web')).toMatchObject([
      [{ text: { text: 'web-01' }, value: '1001', description: { text: expect.stringMatching(/^#1001/) } }],
    ]);
  });

  it('cuts long names with a mark', async () => {
    expect(await offered({}, 'search_group', 'x')).toMatchObject([
      [{ text: { text: `${'x'.repeat(74)}…` } }],
    ]);
  });

  it.each([
    ['short names', 'web', 100],
    ['long names', 'x'.repeat(75), 70],
    ['long names of several bytes a letter', '長'.repeat(75), 30],
  ])('offers as many as one acknowledgement carries: %s', async (_what, label, least) => {
    const acks: (readonly MenuOption[])[] = [];
    const suggest = () => Array.from({ length: 100 }, (_, id) => ({ id: id + 1, label, detail: label }));
    const person = { role: 'operator', maybe: null } as const;
    const people = { roleOf: async () => person, knownRoleOf: () => person };
    const answer = createMenuOptions({ inventory: { suggest }, people });
    await answer({ user: { id: ANN }, action_id: 'search_device', value: 'x' }, async (options) => {
      acks.push(options);
    });
    const [options = []] = acks;
    expect(options.length).toBeGreaterThanOrEqual(least);
    expect(options.map(({ value }) => value)).toEqual(options.map((_, at) => String(at + 1)));
    const frame = JSON.stringify({ envelope_id: 'x'.repeat(36), payload: { options } });
    expect(Buffer.byteLength(frame)).toBeLessThan(20_480);
  });

  it.each([
    ['somebody without a role', { role: NOBODY }, 'search_device'],
    ['somebody of whom Slack has not said who they are', { role: UNKNOWN }, 'search_device'],
    ['a menu that is none of ours', {}, 'search_secrets'],
    ['a menu that does not search', {}, 'field'],
  ])('offers nothing to %s', async (_what, parts, action) => {
    expect(await offered(parts, action, 'web')).toEqual([[]]);
  });
});

const CALLER = { person: personId('U0ANN'), channel: channelId('C0OPS'), thread: messageTs('1.000001') };
const OPEN: FormPlacement = { kind: 'open', triggerId: 't1' };
const NO_ROLE: Problem = { kind: 'not-allowed', need: 'operator', role: 'viewer', ask: [] };

/** Opens the form of `scan`; returns the windows in order, and the message instead, if any. */
async function opened(
  where: FormPlacement,
  {
    updates = [],
    refusal = null,
  }: { readonly updates?: readonly SlackResult<ShownView>[]; readonly refusal?: Problem | null },
) {
  const ends = [...updates];
  const windows: { readonly id: string; readonly view: Modal }[] = [];
  const { ports } = testPorts({ devices: [] });
  const { open } = createFormWindows({
    formMark: FORM_MARK,
    recordRefusal: withoutRecording,
    registry,
    rights: { refusal: async () => refusal },
    personal: { reading: async () => ports },
    settings: createFakeSettings(),
    web: {
      showView: async (where, view) => {
        if (where.kind !== 'replace')
          return { kind: 'ok', value: { id: where.kind === 'push' ? 'V2' : 'V1', hash: 'h' } };
        windows.push({ id: where.viewId, view });
        return ends.shift() ?? { kind: 'ok', value: { id: where.viewId, hash: 'h' } };
      },
    },
    inFlight: createInFlight(),
    root: '/fleet',
    log: silentLog,
  });
  const instead = await open(where, { command: 'scan', prefill: {}, caller: CALLER });
  return { windows, instead, last: JSON.stringify(windows.at(-1)?.view.blocks) };
}

describe('the window of a form', () => {
  it.each<[FormPlacement, string]>([
    [OPEN, 'V1'],
    [{ kind: 'push', triggerId: 't1', depth: 2 }, 'V2'],
    [{ kind: 'replace', viewId: 'V3', depth: 3 }, 'V3'],
  ])('becomes the form: %o', async (where, id) => {
    const { windows, instead } = await opened(where, {});
    expect(windows).toMatchObject([{ id, view: { callback_id: 'form' } }]);
    expect(instead).toBeNull();
  });

  it('says why there is none, and its buttons belong where the form was opened', async () => {
    const { windows, last, instead } = await opened(OPEN, { refusal: NO_ROLE });
    expect(last).toContain('`/fleet scan` needs the');
    const { channel, thread } = CALLER;
    const expected = { depth: 1, channel, thread };
    expect(readAnswerWindowState(windows[0]?.view.private_metadata ?? '')).toEqual(expected);
    expect(instead).toBeNull();
  });

  it.each(['invalid_arguments', 'view_too_large'])(
    'does not stay at “Looking…” where Slack answers the form with: %s',
    async (error) => {
      const { windows, last, instead } = await opened(OPEN, { updates: [{ kind: 'refused', error }] });
      expect(windows).toHaveLength(2);
      expect(last).toContain('Couldn’t open the form for `scan`.');
      expect(instead).toBeNull();
    },
  );

  it.each<SlackResult<ShownView>>([
    { kind: 'throttled', retryAfterMs: 1_000 },
    { kind: 'uncertain', detail: 'HTTP 500', inFlight: false },
  ])('is left alone where Slack may show the form yet, and the way on is told: %o', async (fault) => {
    const { windows, instead } = await opened(OPEN, { updates: [fault] });
    expect(windows).toHaveLength(1);
    expect(instead).toMatchObject({ kind: 'fill-in', command: 'scan' });
  });

  it('that was closed tells nothing', async () => {
    const { windows, instead } = await opened(OPEN, { updates: [{ kind: 'refused', error: 'not_found' }] });
    expect(windows).toHaveLength(1);
    expect(instead).toBeNull();
  });
});
