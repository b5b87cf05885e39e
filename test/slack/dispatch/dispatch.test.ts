import { describe, expect, it } from 'vitest';
import { FleetFailure } from '../../../src/fleet/fleet.ts';
import { personId, requestId } from '../../../src/lib/ids.ts';
import { createLog } from '../../../src/lib/log.ts';
import { NotStored } from '../../../src/lib/not-stored.ts';
import type { AccessRefusals } from '../../../src/slack/access/access-refusals.ts';
import { renderView } from '../../../src/views/views.ts';
import { BROKEN } from '../../commands/harness/fake-fleet.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
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
    expect(await dispatch.runText('reboot #1001', caller, 'k')).toMatchObject({
      problem: { kind: 'unexpected', changed: 'nothing' },
    });
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
    expect(
      await createTestDispatch({ requests: { record } }).dispatch.runText('scan #1001', caller, 'k'),
    ).toMatchObject({
      problem: { kind: 'fleet', changed: 'unknown' },
    });
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
    for (const text of [
      'device #1001',
      'devices user:hush-hush',
      'gibberish hush-hush',
      'pause because hush-hush',
    ])
      await dispatch.runText(text, caller, 'k');
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
  const { dispatch } = createTestDispatch({
    requests: {
      openWindow: async () => ({
        kind: 'open',
        decides: { kind: 'approve', requestId: request.id, seal: 's' },
        devices: null,
        endsAt: START,
      }),
    },
    stored: [request],
    roleOf: async () => ({ role: 'approver', maybe: null }),
  });
  const order = { requestId: request.id, wanted: { kind: 'approve', seal: 's' }, caller } as const;
  expect(await dispatch.openWindow(order)).toMatchObject({
    outcome: {
      kind: 'window',
      id: expect.stringMatching(/^w_[0-9a-z]{32}$/),
      decides: { seal: 's' },
      request,
    },
  });
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
    expect(await dispatch.runText('pause because x', caller, 'k')).toMatchObject({
      problem: { kind: 'not-allowed', need: 'admin' },
    });
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
