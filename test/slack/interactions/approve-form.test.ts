/** Approving many devices: the form, its error, and what is stored before it is acknowledged. */
import { describe, expect, it } from 'vitest';
import { channelId, personId, requestId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createApproveForm } from '../../../src/slack/interactions/approve-form.ts';
import type { StoredPress } from '../../../src/slack/interactions/press-queue.ts';
import type { SendReply } from '../../../src/slack/replies/private-replies.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { Modal } from '../../../src/slack/web-api/slack-web.ts';
import { type ApproveFormMetadata, approveForm } from '../../../src/views/forms/approve-form.ts';
import type { DecisionOutcome, View } from '../../../src/views/model.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';

const ANN = personId('U0ANN');
const REQUEST = aRolloutRequest();
const NUMBER_MISSING = { kind: 'count-not-typed', request: REQUEST } as const;

const ABOUT: ApproveFormMetadata = {
  request: requestId('r_1'),
  seal: 'seal-1',
  devices: 212,
  channel: channelId('C0APPROVALS'),
  thread: undefined,
  on: { card: 'approval:r_1', channel: 'C0APPROVALS', ts: '1.000001' },
};
const DONE: View = { kind: 'decided', outcome: { kind: 'absent' } };

type Happened = { readonly what: string; readonly press?: StoredPress; readonly said?: string };

/** Submits the form with this number; what happened is in its order. */
async function submitted(
  typed: string,
  {
    store = async () => undefined,
    shows = { kind: 'ok', value: null },
  }: {
    readonly store?: () => Promise<void>;
    readonly shows?: SlackResult<null>;
  } = {},
) {
  const happened: Happened[] = [];
  let reply: SendReply | null = null;
  const { submit } = createApproveForm({
    dispatch: { decide: () => Promise.reject(new Error('nothing is decided before it is stored')) },
    inbox: {
      store: async (press, key, tell) => {
        await store();
        reply = tell;
        happened.push({ what: `stored ${key}`, press });
      },
    },
    replies: {
      ephemeral:
        ({ channel }) =>
        async () =>
          void happened.push({ what: `told in ${channel}` }),
    },
    web: {
      updateView: async (id) => {
        happened.push({ what: `answered in ${id}` });
        return shows;
      },
    },
    wakeWorker: () => void happened.push({ what: 'woke the worker' }),
    log: silentLog,
  });
  const view = {
    id: 'V1',
    callback_id: 'approve_count',
    private_metadata: approveForm(ABOUT, REQUEST)?.private_metadata,
    state: { values: { approve_count: { approve_count: { value: typed } } } },
  };
  const ours = await submit({ user: { id: 'U0ANN' }, view }, async (answer) => {
    happened.push({ what: 'acknowledged', said: JSON.stringify(answer) });
  });
  return { happened, ours, answer: async () => (reply as SendReply | null)?.(DONE) };
}

/** Presses *Approve* where the decision without a number comes to this: the forms that open, and the answers. */
async function pressed(outcome: DecisionOutcome, error?: string) {
  const said: View[] = [];
  const forms: string[] = [];
  const { open } = createApproveForm({
    dispatch: {
      decide: async ({ devices, caller }) => {
        expect({ devices, person: caller.person }).toEqual({ devices: undefined, person: ANN });
        return { kind: 'decided', outcome };
      },
    },
    inbox: { store: () => Promise.reject(new Error('nothing is stored')) },
    replies: { ephemeral: () => async () => undefined },
    web: { updateView: async () => ({ kind: 'ok', value: null }) },
    wakeWorker: () => undefined,
    log: silentLog,
  });
  const show = async ({ blocks }: Modal): Promise<SlackResult<null>> => {
    if (error !== undefined) return { kind: 'refused', error };
    forms.push(blocks.map((block) => JSON.stringify(block)).join('\n'));
    return { kind: 'ok', value: null };
  };
  await open({ metadata: ABOUT, person: ANN }, show, async (view) => void said.push(view));
  return { forms, said };
}

describe('the form that asks for the number of devices', () => {
  it('is stored with its seal before it is acknowledged, and only then decided', async () => {
    const { happened } = await submitted('212');
    expect(happened.map(({ what }) => what)).toEqual(['stored count:V1', 'acknowledged', 'woke the worker']);
    expect(happened[0]?.press).toMatchObject({
      kind: 'decide',
      decision: 'approve',
      approval: 'r_1',
      seal: 'seal-1',
      devices: 212,
      caller: { person: 'U0ANN', channel: 'C0APPROVALS' },
      on: { card: 'approval:r_1', ts: '1.000001' },
    });
    expect(happened[1]?.said).toContain('Your approval is saved.');
  });

  it.each(['213', '', 'all', '21 2', '-212', '212.0', '2120', '0x D4'])(
    'decides nothing for another number: %s',
    async (typed) => {
      const { happened } = await submitted(typed);
      expect(happened.map(({ what }) => what)).toEqual(['acknowledged']);
      expect(happened[0]?.said).toMatch(/"errors":\{"approve_count":"/);
    },
  );

  it('takes spaces around the number', async () => {
    expect((await submitted(' 212 ')).happened[0]?.what).toBe('stored count:V1');
  });

  it('says at the field that the database did not take it, so that nothing is lost', async () => {
    const { happened } = await submitted('212', { store: () => Promise.reject(new Error('full')) });
    expect(happened.map(({ what }) => what)).toEqual(['acknowledged']);
    expect(happened[0]?.said).toContain('may or may not have been approved');
  });

  it('answers in its window, and in the channel where the window is closed', async () => {
    const open = await submitted('212');
    await open.answer();
    expect(open.happened.at(-1)?.what).toBe('answered in V1');
    const closed = await submitted('212', { shows: { kind: 'refused', error: 'not_found' } });
    await closed.answer();
    expect(closed.happened.at(-1)?.what).toBe('told in C0APPROVALS');
  });

  it('says what is approved, on how many devices, who asks for it and why', async () => {
    const { forms, said } = await pressed(NUMBER_MISSING);
    expect(forms[0]).toContain('*Reboot 212 devices*');
    expect(forms[0]).toContain('Requested by <@UOPERATOR> · Reason: kernel update');
    expect(said).toEqual([]);
  });

  it('does not open for somebody who may not approve, and says why', async () => {
    const own = await pressed({ kind: 'own-request' });
    expect(own).toEqual({ forms: [], said: [{ kind: 'decided', outcome: { kind: 'own-request' } }] });
    const outcome = { kind: 'not-allowed', need: 'approver', role: 'operator' } as const;
    expect(await pressed(outcome)).toEqual({ forms: [], said: [{ kind: 'decided', outcome }] });
  });

  it('says that nothing was approved where it does not open', async () => {
    const { said } = await pressed(NUMBER_MISSING, 'expired_trigger_id');
    expect(said).toEqual([{ kind: 'decided', outcome: { kind: 'form-unopened' } }]);
  });
});
