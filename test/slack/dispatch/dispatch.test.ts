import { describe, expect, it } from 'vitest';
import { FleetFailure } from '../../../src/fleet/fleet.ts';
import type { Role } from '../../../src/lib/access.ts';
import { channelId, deviceId, personId, requestId } from '../../../src/lib/ids.ts';
import { createLog, silentLog } from '../../../src/lib/log.ts';
import { NotStored } from '../../../src/lib/not-stored.ts';
import type { ControlInput } from '../../../src/requests/decide/control-rollout.ts';
import type { DecisionResult } from '../../../src/requests/decide/state-machine.ts';
import type { AccessRefusals } from '../../../src/slack/access/access-refusals.ts';
import { createDecide } from '../../../src/slack/dispatch/decide.ts';
import { withCommandPrefix } from '../../../src/slack/dispatch/dispatch.ts';
import {
  createInFlight,
  type Dispatch,
  interruptible,
  RESTARTING,
} from '../../../src/slack/dispatch/dispatch-port.ts';
import { startedView } from '../../../src/slack/dispatch/submit-request.ts';
import { renderView } from '../../../src/views/views.ts';
import { BROKEN } from '../../commands/harness/fake-fleet.ts';
import { createFakeRecords } from '../../commands/harness/fake-records.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aGroup, START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';
import { NO_GROUPS } from '../../harness/rules.ts';
import { caller, createTestDispatch, OPERATOR, rejects } from '../harness/test-dispatch.ts';

describe('what went wrong', () => {
  it('while planning changed nothing, and while reading nothing could', async () => {
    const { dispatch, fleet } = createTestDispatch();
    fleet.failWith(BROKEN);
    const words = async (line: string) => renderView(await dispatch.runText(line, caller, 'k')).text;
    expect(await words('reboot #1001')).toContain('Nothing was changed.');
    expect(await words('device #1001')).toMatch(
      /^The management service had an internal error (?!.*changed)/s,
    );
  });

  it('by an unexpected error before any request changed nothing', async () => {
    const { dispatch } = createTestDispatch({ roleOf: async () => rejects() });
    const expected = { problem: { kind: 'unexpected', changed: 'nothing' } };
    expect(await dispatch.runText('reboot #1001', caller, 'k')).toMatchObject(expected);
  });

  it('after a request or decision may have changed something', async () => {
    const { dispatch } = createTestDispatch();
    const maybe = { problem: { kind: 'unexpected', changed: 'unknown' } };
    expect(await dispatch.runText('reboot #1001', caller, 'k')).toMatchObject(maybe);
    const order = { requestId: requestId('r_1'), caller } as const;
    expect(await dispatch.withdraw(order)).toMatchObject(maybe);
  });

  it('at the service after a request may have changed something', async () => {
    const record = async () => {
      throw new FleetFailure(BROKEN);
    };
    const { dispatch } = createTestDispatch({ requests: { record } });
    const problem = { kind: 'fleet', changed: 'unknown' };
    expect(await dispatch.runText('scan #1001', caller, 'k')).toMatchObject({ problem });
  });
});

it('a full disk has its own message', async () => {
  const roleOf = async (): Promise<never> => {
    throw new NotStored('disk-full', 'patchbay.sqlite', null);
  };
  const { dispatch } = createTestDispatch({ roleOf });
  const view = await dispatch.runText('reboot #1001', caller, 'k');
  expect(view).toMatchObject({ problem: { kind: 'not-stored', why: 'disk-full', changed: 'nothing' } });
  expect(renderView(view).text).toMatch(/^The disk is full, so Patchbay couldn’t save this\./);
});

describe('the log', () => {
  /** All log lines at the default level. */
  const listening = () => {
    const lines: Record<string, unknown>[] = [];
    const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
    return { lines, log: createLog({ level: 'info', destination }) };
  };

  it('has one line for each command: who, what, how it ended, and nothing that was typed', async () => {
    const { lines, log } = listening();
    const { dispatch, fleet } = createTestDispatch({ log });
    const reads = ['device #1001', 'devices user:hush-hush', 'gibberish hush-hush'];
    for (const text of [...reads, 'pause because hush-hush']) await dispatch.runText(text, caller, 'k');
    fleet.failWith(BROKEN);
    await dispatch.runText('reboot #1001 because hush-hush', caller, 'k');
    const about = lines.filter(({ event }) => event === 'command');
    expect(about).toMatchObject([
      { what: 'device', person: OPERATOR, outcome: 'device', device: 1001, ms: expect.any(Number) },
      { what: 'devices', person: OPERATOR },
      { what: 'other', outcome: 'unknown-command' },
      { what: 'pause', outcome: 'not-allowed' },
      { what: 'reboot', outcome: 'fleet', reference: expect.any(String) },
    ]);
    const [failed] = lines.filter(({ event }) => event === 'command.failed');
    expect(about.at(-1)?.['reference']).toBe(failed?.['reference']);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });

  it('has one line for each decision', async () => {
    const { lines, log } = listening();
    const request = aRequest({ state: 'withdrawn', reason: 'hush-hush' });
    const { dispatch } = createTestDispatch({
      log,
      requests: { withdraw: async () => ({ kind: 'decided', request }) },
      stored: [request],
    });
    await dispatch.withdraw({ requestId: request.id, caller });
    expect(lines).toMatchObject([
      { event: 'decision', what: 'withdraw', person: OPERATOR, outcome: 'withdrawn', request: request.id },
    ]);
    expect(JSON.stringify(lines)).not.toContain('hush');
  });
});

it('a window shows the request that was read for it', async () => {
  const request = aRequest();
  const decides = { kind: 'approve', requestId: request.id, seal: 's' } as const;
  const { dispatch } = createTestDispatch({
    requests: { openWindow: async () => ({ kind: 'open', decides, devices: null, endsAt: START }) },
    stored: [request],
    roleOf: async () => ({ role: 'approver', maybe: null }),
  });
  const order = { requestId: request.id, wanted: { kind: 'approve', seal: 's' }, caller } as const;
  const id = expect.stringMatching(/^w_[0-9a-z]{32}$/);
  const outcome = { kind: 'window', id, decides: { seal: 's' }, request };
  expect(await dispatch.openWindow(order)).toMatchObject({ outcome });
});

describe('somebody without the right', () => {
  it('learns whom to ask for it', async () => {
    const { dispatch } = createTestDispatch({ roleOf: async () => ({ role: null, maybe: null }) });
    const refusal = await dispatch.runText('device #1001', caller, 'k');
    expect(refusal).toMatchObject({ problem: { kind: 'not-allowed', need: 'viewer' } });
    expect(JSON.stringify(renderView(refusal).blocks)).toContain('Ask <@U0ADMIN> for it.');
  });

  it('is recorded with what they tried, typed or pressed', async () => {
    const tried: string[] = [];
    const noted: AccessRefusals['recordRefusal'] = (person, attempt, view) => {
      if (view.kind === 'problem' && view.problem.kind === 'not-allowed') tried.push(`${person} ${attempt}`);
      return view;
    };
    const { dispatch } = createTestDispatch({ noted, roleOf: async () => ({ role: 'viewer', maybe: null }) });
    await dispatch.runText('reboot #1001', caller, 'k');
    await dispatch.runText('reboot', caller, 'k');
    await dispatch.runText('device #1001', caller, 'k');
    await dispatch.runText('subscribe here to patch failures', caller, 'k');
    await dispatch.runCommand({ name: 'scan', input: { device: 1001 }, page: 0, caller, requestKey: 'k' });
    expect(tried).toEqual(['UOPERATOR reboot', 'UOPERATOR reboot', 'UOPERATOR subscribe', 'UOPERATOR scan']);
  });

  it('may do what is certain while a user group cannot be read', async () => {
    const { dispatch } = createTestDispatch({
      roleOf: async () => ({ role: 'operator', maybe: 'approver' }),
    });
    expect(await dispatch.runText('device #1001', caller, 'k')).not.toMatchObject({ kind: 'problem' });
    const unknown = { problem: { kind: 'rights-unknown' } };
    expect(await dispatch.runText('audit', caller, 'k')).toMatchObject(unknown);
    const expected = { problem: { kind: 'not-allowed', need: 'admin' } };
    expect(await dispatch.runText('pause because x', caller, 'k')).toMatchObject(expected);
    const order = { requestId: requestId('r_1'), caller } as const;
    for (const kind of ['approve', 'deny'] as const)
      expect(await dispatch.openWindow({ ...order, wanted: { kind, seal: 's' } })).toMatchObject(unknown);
  });

  it('may withdraw their own request whatever Slack says', async () => {
    const withdraw = async () => ({ kind: 'absent' }) as const;
    const { dispatch } = createTestDispatch({ requests: { withdraw }, roleOf: async () => rejects() });
    const order = { requestId: requestId('r_1'), caller } as const;
    expect(await dispatch.withdraw(order)).toMatchObject({ kind: 'decided' });
  });

  it('gets no content of aliases and saved targets', async () => {
    const settings = createFakeSettings();
    const shared = { owner: null, by: personId('U0ADMIN') };
    await settings.aliases.save({ ...shared, name: 'lr', line: 'devices tag:secret' });
    await settings.saved.save({ ...shared, name: 'vault', line: 'tag:secret is:nonsense' });
    const { dispatch } = createTestDispatch({ settings, roleOf: async () => ({ role: null, maybe: null }) });
    for (const text of ['lr', 'lr web', 'devices in:vault', 'devices in:vaul', 'explain devices in:vaul']) {
      const view = await dispatch.runText(text, caller, 'k');
      expect(view).toMatchObject({ kind: 'problem', problem: { kind: 'not-allowed', need: 'viewer' } });
    }
  });
});

const REQUEST = aRolloutRequest({ state: 'running' });
const CALLER = { person: personId('U0ANN'), channel: channelId('C0APPROVALS') };

/** The answer to a press, and what was asked of the requests. */
async function pressed(
  result: DecisionResult,
  { role = 'approver', maybe = null }: { role?: Role | null; maybe?: Role | null } = {},
) {
  const asked: ControlInput[] = [];
  const refuses = () => Promise.reject(new Error('not asked for'));
  const { control } = createDecide({
    log: silentLog,
    people: { roleOf: async () => ({ role, maybe }), ...NO_GROUPS },
    ports: { clock: { now: () => START }, records: createFakeRecords({ requests: [REQUEST] }) },
    requests: {
      ...{ withdraw: refuses, openWindow: refuses, window: refuses, submitWindow: refuses },
      approverGroups: () => [],
      control: async (input) => {
        asked.push(input);
        return result;
      },
    },
  });
  return { view: await control({ requestId: requestId('r_1'), control: 'pause', caller: CALLER }), asked };
}
const refused = (refusal: Extract<DecisionResult, { kind: 'refused' }>['refusal']) =>
  ({ kind: 'refused', refusal }) as const;
const NOT_ALLOWED = refused({ kind: 'not-allowed', need: 'approver', role: null });

describe('a press on a control of a rollout', () => {
  it('is judged by the role that the person has now', async () => {
    const { view, asked } = await pressed({ kind: 'decided', request: REQUEST });
    expect(asked).toEqual([{ requestId: 'r_1', person: 'U0ANN', role: 'approver', control: 'pause' }]);
    expect(view).toMatchObject({ outcome: { kind: 'controlled', control: 'pause', request: { id: 'r_1' } } });
  });

  it.each<[DecisionResult, string]>([
    [{ kind: 'absent' }, 'absent'],
    [NOT_ALLOWED, 'others-rollout'],
    [refused({ kind: 'own-request' }), 'own-rollout'],
    [refused({ kind: 'rollout-is', standing: 'ended' }), 'rollout-is'],
    [refused({ kind: 'stale-card' }), 'stale-card'],
  ])('that changes nothing says why: %o', async (result, kind) => {
    expect((await pressed(result)).view).toMatchObject({ kind: 'decided', outcome: { kind } });
  });

  it('of the requester counts although nobody knows their role', async () => {
    const unread = { role: null, maybe: 'approver' } as const;
    const expected = { outcome: { kind: 'controlled' } };
    expect((await pressed({ kind: 'decided', request: REQUEST }, unread)).view).toMatchObject(expected);
    expect((await pressed(NOT_ALLOWED, unread)).view).toMatchObject({ problem: { kind: 'rights-unknown' } });
  });
});

const unused: Dispatch = {
  runText: async () => RESTARTING,
  runCommand: async () => RESTARTING,
  withdraw: async () => RESTARTING,
  control: async () => RESTARTING,
  openWindow: async () => RESTARTING,
  submitWindow: async () => RESTARTING,
};
const never = () => new Promise<string>(() => undefined);

describe('questions in flight', () => {
  it('are waited for', async () => {
    const inFlight = createInFlight({ answersMs: 60_000 });
    const gate = Promise.withResolvers<string>();
    const told: unknown[] = [];
    const asked = inFlight.track(async () => {
      told.push(await inFlight.untilRestart(() => gate.promise));
    });
    void asked();
    const drained = inFlight.drain();
    gate.resolve('answer');
    await drained;
    expect(told).toEqual(['answer']);
  });

  it('that take too long end with the words that ask to ask again, each of them', async () => {
    const inFlight = createInFlight({ answersMs: 1 });
    const told: unknown[] = [];
    const asked = inFlight.track(async () => {
      told.push(await inFlight.untilRestart(never));
    });
    void asked();
    void asked();
    await inFlight.drain();
    expect(told).toEqual([RESTARTING, RESTARTING]);
    expect(await inFlight.untilRestart(never)).toEqual(RESTARTING);
  });

  it('do not start once nobody waits for them: their askers are told to try again', async () => {
    const inFlight = createInFlight({ answersMs: 1 });
    void inFlight.track(async () => void (await inFlight.untilRestart(never)))();
    await inFlight.drain();
    let begun = 0;
    const runCommand = async () => {
      begun += 1;
      return RESTARTING;
    };
    const dispatch = interruptible({ ...unused, runCommand }, inFlight);
    const caller = { person: personId('U0ANN'), channel: channelId('C0OPS') };
    await dispatch.runCommand({ name: 'scan', input: {}, page: 0, caller, requestKey: 'command:1' });
    expect(begun).toBe(0);
  });

  it('whose askers cannot be reached do not delay the stop for ever', async () => {
    const inFlight = createInFlight({ answersMs: 1, notifyMs: 1 });
    void inFlight.track(async () => void (await never()))();
    await inFlight.drain();
  });

  it('that fail are no longer in flight', async () => {
    const inFlight = createInFlight({ answersMs: 60_000 });
    const failing = inFlight.track(async () => {
      throw new Error('no');
    });
    await expect(failing()).rejects.toThrow('no');
    await inFlight.drain();
  });
});

it('counts all devices of a request, not only those that are loaded', () => {
  const request = aRolloutRequest({ action: { kind: 'scan' }, expiresAt: null });
  expect(renderView(startedView(request, null)).text).toContain('Scan of 40 devices requested.');
});

describe('another configured command', () => {
  const ROOT = '/ops';
  const CALLER = { person: personId('U0ANN'), channel: channelId('C0OPS') };

  /** All texts of an answer, in every form of its message. */
  async function answerTexts(text: string): Promise<string> {
    const devices = Array.from({ length: 12 }, (_, at) =>
      aDevice({ id: deviceId(at + 1), name: `web-${at}` }),
    );
    const { ports } = testPorts({ devices, groups: [aGroup({ name: 'Linux servers' })] });
    const { dispatch } = createTestDispatch({
      roleOf: async () => ({ role: 'admin', maybe: null }),
      given: { ports, root: ROOT, admins: () => [] },
    });
    return JSON.stringify(renderView(await withCommandPrefix(dispatch, ROOT).runText(text, CALLER, 'k')));
  }

  describe('with another root command', () => {
    it.each([
      ...[
        'help',
        'help devices',
        'help devcies',
        'explain device web-1',
        'explain alias x = y',
        'devices web',
      ],
      ...['devices group:"Linux servrs"', 'devices is:onlin', 'devices "open', 'devcies web', 'device'],
      ...['device-remove web-1', 'alias', 'alias lr = devices web', 'nonsense', 'groups', 'device nobody'],
      ...['policy nothing', 'group nothing', 'alias remove nothing', 'unsubscribe 99', 'silence off 99'],
      'acknowledge #99',
    ])('“%s” is answered in its terms', async (text) => {
      const words = await answerTexts(text);
      expect(words).not.toContain('/fleet');
    });

    it('the lines that are offered begin with it', async () => {
      expect(await answerTexts('help devcies')).toContain('/ops help devices');
      expect(await answerTexts('devices group:"Linux servrs"')).toContain('/ops devices');
      expect(await answerTexts('explain device web-1')).toContain('/ops device');
    });

    it.each([
      ['groups', '`/ops group NAME`'],
      ['device nobody', '`/ops devices WORDS`'],
      ['policy nothing', '`/ops policies`'],
      ['group nothing', '`/ops groups`'],
      ['alias remove nothing', '`/ops alias`'],
      ['unsubscribe 99', '`/ops subscriptions all`'],
      ['silence off 99', '`/ops subscriptions all`'],
      ['acknowledge #99', '`/ops alerts`'],
    ])('“%s” says what can be typed: %s', async (text, typed) => {
      expect(await answerTexts(text)).toContain(typed);
    });

    it.each(['/fleet', '/fleet devices', '/fleetx'])(
      'the words “%s” of somebody stay theirs',
      async (word) => {
        expect(await answerTexts(`device "${word}"`)).toContain(word);
      },
    );
  });
});
