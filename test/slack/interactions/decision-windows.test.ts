/** A press that takes a window opens a window; only its submission is stored, before it is acknowledged. */
import { describe, expect, it } from 'vitest';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, personId, requestId, windowId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import {
  createDecisionWindows,
  type DecisionWindowsOptions,
  wantedIn,
} from '../../../src/slack/interactions/decision-windows.ts';
import type { StoredPress } from '../../../src/slack/interactions/press-queue.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { ShownView } from '../../../src/slack/web-api/slack-web.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import type { Modal } from '../../../src/views/kit/answer-window.ts';
import type { DecisionOutcome, View } from '../../../src/views/model.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';
import { dispatchAnswering, noCopies } from '../harness/decision-windows.ts';

const ANN = personId('U0ANN');
const REQUEST = aRolloutRequest();
const ENDS = instant(Date.UTC(2026, 5, 5, 4, 15));
const OPENED: Extract<DecisionOutcome, { kind: 'window' }> = {
  kind: 'window',
  id: windowId('w_1'),
  decides: { kind: 'approve', requestId: REQUEST.id, seal: 'seal-1' },
  devices: 212,
  endsAt: ENDS,
  request: REQUEST,
};
const ROW: DecisionWindow = {
  id: OPENED.id,
  decides: OPENED.decides,
  devices: 212,
  endsAt: ENDS,
  personId: ANN,
  channel: channelId('C0APPROVALS'),
  thread: null,
  view: { id: 'V1', hash: 'h1' },
  usedBy: null,
};

const forbidden = () => Promise.reject(new Error('not asked for'));
type Happened = { readonly what: string; readonly press?: StoredPress; readonly said?: string };
type Submitted = {
  readonly view?: Partial<Record<'id' | 'hash' | 'private_metadata', string>>;
  readonly user?: string;
  /** As it is stored. */
  readonly row?: DecisionWindow | null;
  readonly failure?: Error;
};

/** Windows of which these parts are asked for. */
const windowsWith = (outcome: DecisionOutcome, given: Partial<DecisionWindowsOptions>) =>
  createDecisionWindows({
    dispatch: dispatchAnswering({ kind: 'decided', outcome }),
    windows: { recordWindow: forbidden, window: forbidden },
    pressed: noCopies,
    inbox: { store: forbidden },
    replies: { ephemeral: () => async () => undefined },
    wakeWorker: () => undefined,
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
      store: async (press, key) => {
        if (failure !== undefined) throw failure;
        happened.push({ what: `stored ${key.replace(/[0-9a-z]{8}$/, 'KEY')}`, press });
      },
    },
    wakeWorker: () => void happened.push({ what: 'woke the worker' }),
  });
  const values = typed === null ? {} : { approve_count: { approve_count: { value: typed } } };
  const own = { id: 'V1', hash: 'h1', callback_id: 'decision', private_metadata: 'w_1', state: { values } };
  const isTaken = await submit({ user: { id: user }, view: { ...own, ...view } }, async (answer) => {
    happened.push({ what: 'acknowledged', said: JSON.stringify(answer ?? 'closed') });
  });
  expect(isTaken).toBe(true);
  return happened;
}
const STORED = ['stored window:KEY', 'acknowledged', 'woke the worker'];
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
    { requestId: REQUEST.id, wanted, caller, on: null },
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
    expect(happened[0]?.press).toEqual({
      kind: 'window',
      caller: { person: 'U0ANN', channel: 'C0APPROVALS' },
      id: 'w_1',
      view: { id: 'V1', hash: 'h1' },
      devices: 212,
    });
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
    expect((await submitted(' 212 ', { row: null }))[0]?.press).toMatchObject({ devices: 212 });
    const row = { ...ROW, devices: null };
    expect((await submitted(null, { row }))[0]?.press).toMatchObject({ devices: undefined });
  });

  it.each<[string, Submitted]>([
    ['of another view', { view: { id: 'V2' } }],
    ['of an edited view', { view: { hash: 'h2' } }],
    ['by another person', { user: 'U0EVE' }],
    ['with other metadata', { view: { private_metadata: '{"request":"r_1","seal":"seal-1"}' } }],
  ])('%s is stored as it is to be refused, and says nothing of the number', async (_what, forged) => {
    const happened = await submitted('7', forged);
    expect(stepsOf(happened)).toEqual(STORED);
    expect(happened[0]?.press?.caller).toMatchObject({ person: forged.user ?? 'U0ANN' });
    expect(happened[1]?.said).toBe('"closed"');
  });

  it('says in its window that the database did not take it, so that nothing is lost', async () => {
    const happened = await submitted('212', { failure: new Error('full') });
    expect(stepsOf(happened)).toEqual(['acknowledged']);
    expect(happened[0]?.said).toContain('"kind":"window"');
    expect(happened[0]?.said).toContain('Unexpected error');
  });
});
