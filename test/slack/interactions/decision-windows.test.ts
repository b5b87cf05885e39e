/** A press that takes a window opens a window; only its submission is stored, before it is acknowledged. */
import { beforeEach, describe, expect, it } from 'vitest';
import { mentionedCommand, unwrapSlackText } from '../../../src/commands/parser/slack-text.ts';
import { createManualClock, type Instant, SECOND } from '../../../src/lib/clock.ts';
import { channelId, newReference, personId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import type { AddReasonResult } from '../../../src/requests/decide/request-service.ts';
import type { ReportedProblem } from '../../../src/slack/dispatch/unexpected-errors.ts';
import { createReasonForm, type ReasonFormOptions } from '../../../src/slack/interactions/button-actions.ts';
import {
  createDecisionWindows,
  type DecisionWindowsOptions,
  wantedIn,
} from '../../../src/slack/interactions/decision-windows.ts';
import type { Interaction } from '../../../src/slack/interactions/inbox.ts';
import { createTextCommands } from '../../../src/slack/interactions/text-commands.ts';
import {
  createPrivateReplies,
  type FormAckResponse,
  type SendReply,
} from '../../../src/slack/replies/private-replies.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView, SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import type { Modal } from '../../../src/views/kit/answer-window.ts';
import type { DecisionOutcome, View } from '../../../src/views/views.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { dispatchAnswering, noCopies, OPENED } from '../harness/decision-windows.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const ANN = personId('U0ANN');
const ROW: DecisionWindow = {
  id: OPENED.id,
  decides: OPENED.decides,
  devices: 212,
  endsAt: OPENED.endsAt,
  personId: ANN,
  channel: channelId('C0APPROVALS'),
  thread: null,
  view: { id: 'V1', hash: 'h1' },
  usedBy: null,
};

const forbidden = () => Promise.reject(new Error('not asked for'));
type Happened = { readonly what: string; readonly interaction?: Interaction; readonly said?: string };
type Submitted = {
  readonly view?: Partial<Record<'id' | 'hash' | 'private_metadata', string>>;
  readonly user?: string;
  /** As it is stored. */
  readonly row?: DecisionWindow | null;
  readonly failure?: ReportedProblem;
};

/** Windows of which these parts are asked for. */
const windowsWith = (outcome: DecisionOutcome, given: Partial<DecisionWindowsOptions>) =>
  createDecisionWindows({
    dispatch: dispatchAnswering({ kind: 'decided', outcome }),
    windows: { recordWindow: forbidden, window: forbidden },
    pressed: noCopies,
    inbox: { take: forbidden },
    log: silentLog,
    ...given,
  });

/** Submits a window with this number; what happened is in its order. */
async function submitted(
  typed: string | null,
  { view, user = 'U0ANN', row = ROW, failure }: Submitted = {},
): Promise<readonly Happened[]> {
  const happened: Happened[] = [];
  const { submit } = windowsWith(OPENED, {
    windows: { recordWindow: forbidden, window: async (id) => (id === row?.id ? row : null) },
    inbox: {
      take: async ({ key, interaction, accept, refuse }) => {
        if (failure === undefined) {
          happened.push({ what: `stored ${key.replace(/[0-9a-z]{8}$/, 'KEY')}`, interaction });
          await accept();
        } else await refuse(failure);
        return true;
      },
    },
  });
  const values = typed === null ? {} : { approve_count: { approve_count: { value: typed } } };
  const own = { id: 'V1', hash: 'h1', callback_id: 'decision', private_metadata: 'w_1', state: { values } };
  const isTaken = await submit({ user: { id: user }, view: { ...own, ...view } }, async (answer) => {
    happened.push({ what: 'acknowledged', said: JSON.stringify(answer ?? 'closed') });
  });
  expect(isTaken).toBe(true);
  return happened;
}
const STORED = ['stored window:KEY', 'acknowledged'];
const stepsOf = (happened: readonly Happened[]) => happened.map(({ what }) => what);

/** Presses *Approve* where it comes to this: the windows that open, what is stored, and the answers. */
async function pressed(
  outcome: DecisionOutcome,
  {
    shown = { kind: 'ok', value: { id: 'V1', hash: 'h1' } },
    failure,
  }: { shown?: SlackResult<ShownView>; failure?: Error } = {},
) {
  const [said, shows, rows]: [View[], Modal[], DecisionWindow[]] = [[], [], []];
  const recordWindow = async (row: DecisionWindow) => {
    if (failure !== undefined) throw failure;
    rows.push(row);
  };
  const caller = { person: ANN, channel: ROW.channel };
  const wanted = { kind: 'approve', seal: 'seal-1' } as const;
  await windowsWith(outcome, { windows: { recordWindow, window: forbidden } }).open(
    { requestId: OPENED.request.id, wanted, caller, on: null },
    async (modal) => {
      shows.push(modal);
      return shown;
    },
    async (view) => void said.push(view),
  );
  return { shows, rows, said };
}

describe('a press that lets something run', () => {
  it('opens a window with the id of its row alone, and stores what Slack showed', async () => {
    const { shows, rows, said } = await pressed(OPENED);
    expect(shows[0]).toMatchObject({ callback_id: 'decision', private_metadata: 'w_1' });
    expect(rows).toEqual([ROW]);
    expect(said).toEqual([]);
  });

  it('opens none where nothing could be decided, and says why', async () => {
    const outcome = { kind: 'own-request' } as const;
    expect(await pressed(outcome)).toEqual({ shows: [], rows: [], said: [{ kind: 'decided', outcome }] });
  });

  it.each([
    ['Slack shows none', { shown: { kind: 'refused', error: 'expired_trigger_id' } as const }],
    ['it could not be stored', { failure: new Error('full') }],
  ])('decides nothing where %s, and says so', async (_what, trouble) => {
    const { rows, said } = await pressed(OPENED, trouble);
    expect(rows).toEqual([]);
    expect(said).toEqual([{ kind: 'decided', outcome: { kind: 'window-unopened' } }]);
  });

  it.each([
    ['approve', { do: 'decide', approval: requestId('r_1'), seal: 's' } as const, 'approve'],
    ['lunch', { do: 'control', request: requestId('r_1'), control: 'resume' } as const, 'resume'],
    ['approve', { do: 'control', request: requestId('r_1'), control: 'continue' } as const, 'continue'],
    ['deny', { do: 'decide', approval: requestId('r_1'), seal: 's' } as const, 'deny'],
    ['withdraw', { do: 'decide', approval: requestId('r_1'), seal: 's' } as const, undefined],
    ['control', { do: 'control', request: requestId('r_1'), control: 'stop' } as const, undefined],
  ])('is told by what the button %s says', (action, value, kind) => {
    expect(wantedIn(action, value)?.wanted.kind).toBe(kind);
  });
});

describe('the submission of a window', () => {
  it('is stored with what was submitted before it is acknowledged, and the window closes', async () => {
    const happened = await submitted('212');
    expect(stepsOf(happened)).toEqual(STORED);
    const caller = { person: 'U0ANN', channel: 'C0APPROVALS' };
    const window = { id: 'w_1', view: { id: 'V1', hash: 'h1' }, devices: 212 };
    expect(happened[0]?.interaction).toEqual({ kind: 'window', caller, ...window });
    expect(happened[1]?.said).toBe('"closed"');
  });

  it.each(['213', '', 'all', '21 2', '-212', '212.0', '2120', '0x D4'])(
    'stores nothing for another number: %s',
    async (typed) => {
      const happened = await submitted(typed);
      expect(stepsOf(happened)).toEqual(['acknowledged']);
      expect(happened[0]?.said).toMatch(/"errors":\{"approve_count":"/);
    },
  );

  it('keeps the number where its row may still be on its way, and has none where none is asked for', async () => {
    expect((await submitted(' 212 ', { row: null }))[0]?.interaction).toMatchObject({ devices: 212 });
    const row = { ...ROW, devices: null };
    expect((await submitted(null, { row }))[0]?.interaction).toMatchObject({ devices: undefined });
  });

  it.each<[string, Submitted]>([
    ['of another view', { view: { id: 'V2' } }],
    ['of an edited view', { view: { hash: 'h2' } }],
    ['by another person', { user: 'U0EVE' }],
    ['with other metadata', { view: { private_metadata: '{"request":"r_1","seal":"seal-1"}' } }],
  ])('%s is stored as it is to be refused, and says nothing of the number', async (_what, forged) => {
    const happened = await submitted('7', forged);
    expect(stepsOf(happened)).toEqual(STORED);
    expect(happened[0]?.interaction?.caller).toMatchObject({ person: forged.user ?? 'U0ANN' });
    expect(happened[1]?.said).toBe('"closed"');
  });

  it('says in its window that the database did not take it, so that nothing is lost', async () => {
    const failure = { kind: 'unexpected', changed: 'unknown', reference: newReference() } as const;
    const happened = await submitted('212', { failure });
    expect(stepsOf(happened)).toEqual(['acknowledged']);
    expect(happened[0]?.said).toContain('"kind":"window"');
    expect(happened[0]?.said).toContain('Unexpected error');
  });
});

describe('forms of reasons', () => {
  const refuses = async () => Promise.reject(new Error('nothing of this is asked for here'));

  const aView = (id: string, reason = 'kernel update') => ({
    id,
    callback_id: 'reason',
    private_metadata: 'r_1',
    root_view_id: 'V0',
    previous_view_id: 'V0',
    state: { values: { reason: { reason: { value: reason } } } },
  });

  /** Submits the form; `addReason` is that of the requests, and `stored` the request that it is about. */
  async function submitted(
    addReason: ReasonFormOptions['requests']['addReason'],
    { reason = 'kernel update', stored = aRequest() } = {},
  ): Promise<FormAckResponse | undefined> {
    const { submit } = createReasonForm({
      requests: { addReason },
      ports: { records: createFakeRecords({ requests: [stored] }) },
      web: createFakeSlackWeb(() => START),
      refreshNote: refuses,
      log: silentLog,
    });
    const answers: (FormAckResponse | undefined)[] = [];
    const form = { user: { id: 'U0ANN' }, view: aView('V2', reason) };
    await submit(form, async (answer) => void answers.push(answer));
    expect(answers).toHaveLength(1);
    return answers[0];
  }

  const wordsOf = (answer: FormAckResponse | undefined) =>
    answer?.kind === 'window' ? JSON.stringify(answer.window.blocks) : `${answer?.kind}`;

  describe('a reason that is added', () => {
    it('is confirmed in the window of the form', async () => {
      const request = aRequest({ reason: 'kernel update' });
      const answer = await submitted(async () => ({ kind: 'added', request }), { stored: request });
      expect(wordsOf(answer)).toContain('Reason added to your request');
      expect(answer).toMatchObject({ window: { close: { text: 'Back' } } });
    });

    describe('refreshes the note from which the form was opened', () => {
      const NOTE = { kind: 'posted', channel: channelId('C0OPS') } as const;
      const request = aRequest({ reason: 'kernel update' });
      const asked = { person: personId('U0ANN'), approval: request.id };
      const said: unknown[] = [];
      const tell: SendReply = async (...told) => void said.push(told);
      const web = createFakeSlackWeb(() => START);
      const reasonsWith = (showView: SlackWeb['showView']) =>
        createReasonForm({
          requests: { addReason: async () => ({ kind: 'added', request }) },
          ports: { records: createFakeRecords({ requests: [request] }) },
          web: { showView },
          refreshNote: async () => NOTE,
          log: silentLog,
        });
      const submission = { user: { id: 'U0ANN' }, view: aView('V1') };
      beforeEach(() => {
        said.length = 0;
      });

      it('once', async () => {
        const { open, submit } = reasonsWith(web.showView);
        await open({ kind: 'open', triggerId: 't1' }, asked, tell);
        await submit(submission, async () => undefined);
        await submit(submission, async () => undefined);
        expect(said).toEqual([[NOTE, { replace: true }]]);
      });

      it('also where it is submitted before Slack says that it is open', async () => {
        const { open, submit } = reasonsWith(async (...view) => {
          await submit(submission, async () => undefined);
          return web.showView(...view);
        });
        await open({ kind: 'open', triggerId: 't1' }, asked, tell);
        expect(said).toEqual([[NOTE, { replace: true }]]);
      });
    });

    it('must say something', async () => {
      const errors = { reason: 'Enter a reason.' };
      expect(await submitted(refuses, { reason: '  ' })).toEqual({ kind: 'errors', errors });
    });

    const denied = aRequest({ state: 'denied' });
    const already = { kind: 'already', state: 'denied', by: personId('UAPPROVER'), at: START } as const;

    it.each<[string, Exclude<AddReasonResult, { kind: 'added' }>]>([
      ['Already denied by <@UAPPROVER>', { kind: 'refused', refusal: already }],
      [
        'already has a reason: `R&amp;D`',
        { kind: 'refused', refusal: { kind: 'reason-given', reason: 'R&D' } },
      ],
      ['Only the requester', { kind: 'refused', refusal: { kind: 'not-requester' } }],
      ['no longer exists', { kind: 'absent' }],
    ])(
      'and cannot be any more takes the place of the form, for fields know no markup: %s',
      async (words, result) => {
        const answer = await submitted(async () => result, { stored: denied });
        expect(wordsOf(answer)).toContain(words);
      },
    );

    it('by a fault of ours stays in the form, with a reference for the log', async () => {
      const reason = expect.stringMatching(/Unexpected error \(reference \S+\).*may or may not/);
      expect(await submitted(refuses)).toEqual({ kind: 'errors', errors: { reason } });
    });
  });
});

const BOT = personId('U0BOT');
const HELP: View = {
  ...{ kind: 'help', sections: [], withheld: 0, refusal: null, root: '/fleet', topic: null, attempt: null },
};

/** A person and a bot whose answers the test releases. */
function startTalk() {
  const clock = createManualClock(START);
  const requests: { readonly text: string; readonly key: string; readonly askedAt?: Instant }[] = [];
  const calls: string[] = [];
  const answers: ((view: View) => void)[] = [];
  const fake = createFakeSlackWeb(clock.now);
  const heard = <T>(name: string, call: Promise<T>): Promise<T> => {
    calls.push(name);
    return call;
  };
  const web: SlackWeb = {
    ...fake,
    ephemeral: (channel, person, message, thread) =>
      heard(
        `ephemeral ${message.text.slice(0, 8)} in ${thread ?? 'the channel'}`,
        fake.ephemeral(channel, person, message, thread),
      ),
    say: (...said) => heard(`say ${said[1].text.slice(0, 8)}`, fake.say(...said)),
    edit: (...edited) => heard(`edit ${edited[1].text.slice(0, 8)}`, fake.edit(...edited)),
  };
  const runText = (typed: string, _caller: unknown, key: string, askedAt?: Instant): Promise<View> => {
    requests.push({ text: typed, key, ...(askedAt === undefined ? {} : { askedAt }) });
    return new Promise((resolve) => answers.push(resolve));
  };
  const replies = createPrivateReplies({ web, log: silentLog });
  const { onMessage } = createTextCommands({
    dispatch: { runText },
    replies,
    openForm: async () => null,
    identity: { botUserId: BOT },
    root: '/fleet',
    clock,
    consoleUrl: 'https://console.example.com/device/{id}',
  });
  return { clock, asked: requests, calls, spoken: onMessage, answer: () => answers.shift()?.(HELP) };
}

const event = (fields: object, id = 'Ev1') => ({
  event_id: id,
  event: { type: 'app_mention', channel: 'C0OPS', user: 'U0VIEWER', text: '<@U0BOT> help', ...fields },
});
const DIRECT = { type: 'message', channel_type: 'im', channel: 'D0VIEWER', text: 'help' };

describe('what is said to the bot', () => {
  it.each([
    ['a mention', {}],
    ['a mention with a file', { subtype: 'file_share' }],
    ['a direct message', DIRECT],
  ])('%s is asked by the name of its event, which a second process finds again', async (_what, fields) => {
    for (const { spoken, asked, answer } of [startTalk(), startTalk()]) {
      const done = spoken(event(fields));
      answer();
      await done;
      expect(asked).toEqual([{ text: 'help', key: 'event:Ev1' }]);
    }
  });

  it('counts from when it was sent, however late Slack delivers it', async () => {
    const { spoken, asked, answer } = startTalk();
    const done = spoken({ ...event({}), event_time: 1_795_000_000 });
    answer();
    await done;
    expect(asked).toEqual([{ text: 'help', key: 'event:Ev1', askedAt: 1_795_000_000_000 }]);
  });

  it.each([
    ['a link to a device, and nothing else', '<https://console.example.com/device/42>', 'device #42'],
    [
      'a link with words',
      '<https://console.example.com/device/42> reboot',
      'https://console.example.com/device/42 reboot',
    ],
    ['a link to something else', '<https://console.example.com/x>', 'https://console.example.com/x'],
  ])('%s in a direct message is read as it is meant', async (_what, text, expected) => {
    const { spoken, asked, answer } = startTalk();
    const done = spoken(event({ ...DIRECT, text }));
    answer();
    await done;
    expect(asked.map((one) => ('text' in one ? one.text : '')).map(unwrapSlackText)).toEqual([expected]);
  });

  it.each([
    ['of another bot', { bot_id: 'B0OTHER' }],
    ['of its own', { user: 'U0BOT' }],
    ['of nobody', { user: undefined }],
    ['that was edited', { edited: { user: 'U0VIEWER', ts: '1.1' } }],
    ['that tells of an edit or of an unfurled link', { ...DIRECT, subtype: 'message_changed' }],
    ['that tells of a deletion', { ...DIRECT, subtype: 'message_deleted' }],
    ['in a channel without a mention', { ...DIRECT, channel_type: 'channel' }],
  ])('a message %s is passed over', async (_what, fields) => {
    const { spoken, asked, calls } = startTalk();
    await spoken(event(fields));
    expect({ asked, calls }).toEqual({ asked: [], calls: [] });
  });

  it('runs once where it is delivered twice', async () => {
    const { spoken, asked, calls, answer } = startTalk();
    const done = Promise.all([spoken(event({})), spoken(event({}))]);
    answer();
    await done;
    expect(asked).toHaveLength(1);
    expect(calls).toEqual(['ephemeral What you in the channel']);
  });
});

describe('an answer', () => {
  it('within a second is one call, in the thread of the question', async () => {
    const { spoken, calls, clock, answer } = startTalk();
    const done = spoken(event({ thread_ts: '7.000001' }));
    await clock.advance(SECOND - 1);
    answer();
    await done;
    await clock.advance(SECOND);
    expect(calls).toEqual(['ephemeral What you in 7.000001']);
  });

  it.each([
    ['a mention', {}, 5, ['ephemeral This too in the channel', 'ephemeral What you in the channel']],
    ['a direct message', DIRECT, 1, ['say Looking…', 'edit What you']],
  ])('to %s that takes longer is announced', async (_what, fields, seconds, expected) => {
    const { spoken, calls, clock, answer } = startTalk();
    const done = spoken(event(fields));
    await clock.advance(seconds * SECOND - 1);
    expect(calls).toEqual([]);
    await clock.advance(1);
    answer();
    await done;
    expect(calls).toEqual(expected);
  });
});

describe('the command in a message', () => {
  it.each([
    ['<@U0BOT> device web-01', false, 'device web-01'],
    ['  <@U0BOT|patchbay>: device web-01 ', false, 'device web-01'],
    ['<@U0BOT>', false, ''],
    ['<@U0OTHER> <@U0BOT> reboot web-01', false, ''],
    ['I told <@U0BOT> reboot web-01', false, ''],
    ['<@U0BOT> /fleet device web-01', false, 'device web-01'],
    ['device web-01', true, 'device web-01'],
    ['<@U0BOT> device web-01', true, 'device web-01'],
    ['`/fleet-device web-01`', true, 'device web-01'],
    ['/fleet', true, ''],
    ['/fleets', true, '/fleets'],
  ])('%j (direct: %j) is %j', (text, isDirect, command) => {
    expect(mentionedCommand(text, { botUserId: BOT, isDirect, root: '/fleet' })).toBe(command);
  });
});
