/** Several requests that are decided in one window: each by its own seal, and each with its own outcome in the answer. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { deviceId, personId, type RequestId, requestId } from '../../../src/lib/ids.ts';
import type { StoredPress } from '../../../src/slack/interactions/press-queue.ts';
import type { DecisionWindow } from '../../../src/store/port/decision-windows.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import type { Store } from '../../../src/store/port/store.ts';
import { aDevice } from '../../harness/builders.ts';
import { CALLER, createReplicasHarness, type ReplicasHarness } from '../harness/replicas-harness.ts';

const BOB = personId('U0BOB');
const VIEW = { id: 'V1', hash: 'h1' };
const silent = async (): Promise<void> => undefined;

let replicas: ReplicasHarness;
/** Each change of it fails. */
let broken: RequestId | undefined;
const failing = (store: Store): Store => ({
  ...store,
  transaction: (job) =>
    store.transaction((tables) => {
      const replace: Store['requests']['replace'] = async (next) => {
        if (next.id === broken) throw new Error('broken');
        return tables.requests.replace(next);
      };
      return job({ ...tables, requests: { ...tables.requests, replace } });
    }),
});

beforeEach(async () => {
  broken = undefined;
  const devices = Array.from({ length: 13 }, (_, at) =>
    aDevice({ id: deviceId(1001 + at), name: `web-${at + 1}` }),
  );
  replicas = await createReplicasHarness(devices, failing);
});
afterEach(() => replicas.close());

/** Reboots of so many devices, the oldest first. */
async function asked(count: number): Promise<readonly RequestRecord[]> {
  const { dispatch } = replicas.start();
  for (let at = 0; at < count; at += 1) {
    const caller = { ...CALLER, person: BOB };
    const input = { device: 1001 + at, reason: null };
    await dispatch.runCommand({ name: 'reboot', input, page: 0, caller, requestKey: `command:${at}` });
    await replicas.clock.advance(SECOND);
  }
  return replicas.store.requests.list({ oldestFirst: true }, 50);
}

/** The window as Slack shows it, and as it is stored. */
async function opened(): Promise<DecisionWindow> {
  const { dispatch } = replicas.start();
  const view = await dispatch.openWindow({ wanted: { kind: 'several', page: 0 }, caller: CALLER });
  if (view.kind !== 'decided' || view.outcome.kind !== 'several-window') throw new Error(view.kind);
  const { id, decides, devices, endsAt } = view.outcome;
  const shown = { id, decides, devices, endsAt, view: VIEW, usedBy: null };
  const row = { ...shown, personId: CALLER.person, channel: CALLER.channel, thread: null };
  await replicas.requests.recordWindow(row);
  return row;
}
const offeredIn = ({ decides }: DecisionWindow): readonly RequestId[] =>
  decides.kind === 'several' ? decides.requests.map((one) => one.requestId) : [];

type Press = Extract<StoredPress, { kind: 'window' }>;
const pressOn = ({ id }: DecisionWindow, given: Partial<Press>): Press => {
  return { kind: 'window', caller: CALLER, id, view: VIEW, ...given };
};
const approve = (requests: readonly RequestId[]): Partial<Press> => ({
  marks: { decision: 'approve', requests: [...requests] },
});
/** Stores the press, handles it, and gives the words of the answers. */
async function submitted(window: DecisionWindow, given: Partial<Press>, key = 't1') {
  const before = replicas.told.length;
  await replicas.start().inbox.store(pressOn(window, given), key, silent, {});
  replicas.start().work();
  await replicas.clock.advance(5 * MINUTE);
  return replicas.told.slice(before).map(({ message }) => JSON.stringify(message.blocks));
}
const statesOf = async (requests: readonly { readonly id: RequestId }[]) =>
  Promise.all(requests.map(async ({ id }) => (await replicas.store.requests.get(id))?.state));
const auditOf = async (action: string) =>
  (await replicas.store.audit.list(0, 500)).filter((entry) => entry.action === action);

describe('several requests in one window', () => {
  it('are decided each on its own, with what its person says, and none that is not marked', async () => {
    const requests = await asked(13);
    const window = await opened();
    expect(offeredIn(window)).toEqual(requests.map(({ id }) => id));
    const marks = { decision: 'deny', requests: offeredIn(window).slice(0, 12) } as const;
    const [answer] = await submitted(window, { marks: { ...marks }, comment: 'Not today.' });
    expect(answer).toContain('You denied 12 requests. Nothing was sent.');
    expect(answer).not.toContain('Not denied');
    expect(await statesOf(requests)).toEqual([...Array(12).fill('denied'), 'waiting']);
    expect(
      (await auditOf('approval.denied')).map(({ detail }) => [detail['seal'], detail['comment']]),
    ).toEqual(requests.slice(0, 12).map(({ seal }) => [seal, 'Not today.']));
  });

  it('that were not offered in the window are refused and recorded, and the others are decided', async () => {
    const [offered, typed, other] = await asked(3);
    if (offered === undefined || typed === undefined || other === undefined) throw new Error('too few');
    await replicas.store.requests.replace({ ...typed, typedCount: true, version: typed.version + 1 });
    const window = await opened();
    expect(offeredIn(window)).toEqual([offered.id, other.id]);
    const [answer] = await submitted(window, approve([offered.id, typed.id, requestId('r_none')]));
    expect(answer).toContain('You approved 1 request. Each is re-checked before it’s sent.');
    expect(answer).toContain('*Not approved: 2*');
    expect(answer).toContain('A request that couldn’t be read');
    expect(await statesOf([offered, typed, other])).toEqual(['approved', 'waiting', 'waiting']);
    expect((await auditOf('window.refused')).map(({ detail }) => detail['why'])).toEqual([
      'other-view',
      'other-view',
    ]);
  });

  it.each([
    ['somebody else', { caller: { ...CALLER, person: personId('U0EVE') } }, 'for somebody else'],
    ['an edited view', { view: { ...VIEW, hash: 'h2' } }, 'isn’t the window as Patchbay opened it'],
  ])('are not decided by the submission of %s', async (_what, given, words) => {
    const requests = await asked(2);
    const window = await opened();
    const answers = await submitted(window, { ...approve(offeredIn(window)), ...given });
    expect(answers).toEqual([expect.stringContaining(words)]);
    expect(await statesOf(requests)).toEqual(['waiting', 'waiting']);
    expect(await auditOf('window.refused')).toHaveLength(1);
  });

  it('are decided by the first submission of a window alone', async () => {
    const requests = await asked(2);
    const window = await opened();
    await submitted(window, approve(offeredIn(window).slice(0, 1)));
    const answers = await submitted(window, approve(offeredIn(window).slice(1)), 't2');
    expect(answers).toEqual([expect.stringContaining('this window was submitted before')]);
    expect(await statesOf(requests)).toEqual(['approved', 'waiting']);
  });

  it('name in the answer what does not hold any more, with its link', async () => {
    const requests = await asked(3);
    const window = await opened();
    const [changed, denied] = requests;
    if (changed === undefined || denied === undefined) throw new Error('too few');
    await replicas.store.requests.replace({ ...changed, seal: 'seal-2', version: changed.version + 1 });
    const before = { ...denied, state: 'denied', decidedBy: BOB } as const;
    await replicas.store.requests.replace({ ...before, version: denied.version + 1 });
    const [answer] = await submitted(window, approve(offeredIn(window)));
    expect(answer).toContain('You approved 1 request.');
    expect(answer).toContain('*Not approved: 2*');
    expect(answer).toMatch(/web-1: This request has changed\. Review the updated message, then decide\./);
    expect(answer).toMatch(/• Already denied by <@U0BOB>: /);
    expect(await statesOf(requests)).toEqual(['waiting', 'denied', 'approved']);
  });

  it('are decided although one of them keeps failing, and the answer says which', async () => {
    const requests = await asked(3);
    const window = await opened();
    broken = requests[1]?.id;
    const answers = await submitted(window, approve(offeredIn(window)));
    expect(answers).toEqual([expect.stringContaining('You approved 2 requests.')]);
    expect(answers[0]).toMatch(
      /Couldn’t be decided: unexpected error \(reference `\w+`\)\. Check its card\./,
    );
    expect(await statesOf(requests)).toEqual(['approved', 'waiting', 'approved']);
  });

  it('approve nothing more where they are handled on days later, and say what was', async () => {
    const requests = await asked(2);
    const window = await opened();
    const { inbox, dispatch } = replicas.start();
    await inbox.store(pressOn(window, approve(offeredIn(window))), 't1', silent, {});
    const first = pressOn(window, approve(offeredIn(window).slice(0, 1)));
    const now = { submission: 'press:t1', isFirstTry: true, askedAt: replicas.clock.now() };
    await dispatch.submitWindow({ ...first, ...now });
    await replicas.clock.advance(16 * MINUTE);
    replicas.start().work();
    await replicas.clock.advance(SECOND);
    const answer = JSON.stringify(replicas.told.at(-1)?.message.blocks);
    expect(answer).toContain('You approved 1 request.');
    expect(answer).toContain('this window expired');
    expect(await statesOf(requests)).toEqual(['approved', 'waiting']);
  });
});
