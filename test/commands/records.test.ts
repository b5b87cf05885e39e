import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { approvalsCommand } from '../../src/commands/approvals.ts';
import { auditCommand, groupActivities } from '../../src/commands/audit.ts';
import { registry } from '../../src/commands/index.ts';
import { operationsCommand } from '../../src/commands/operations.ts';
import { statusCommand } from '../../src/commands/status.ts';
import { DAY, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { deviceId, personId, requestId } from '../../src/lib/ids.ts';
import type { RolloutHold } from '../../src/rollout/progress.ts';
import type { TargetState } from '../../src/store/port/request-records.ts';
import type { AuditRecord } from '../../src/store/port/store.ts';
import { toCsv } from '../../src/views/sharing/csv.ts';
import { renderView } from '../../src/views/views.ts';
import { aDevice, START } from '../harness/builders.ts';
import { property } from '../harness/property.ts';
import { aRequest, aStartedRequest, aTarget } from '../harness/records.ts';
import { aRollout, aRolloutRequest } from '../harness/rollouts.ts';
import { BROKEN } from './harness/fake-fleet.ts';
import { HEALTHY } from './harness/fake-records.ts';
import { testPorts } from './harness/ports.ts';
import { faultOf, runCommand } from './harness/typed-line.ts';

const OTHER = personId('UOTHER');

describe('approvals', () => {
  const approvals = (kept: Parameters<typeof testPorts>[1], text = '', page = 0) =>
    runCommand(approvalsCommand, 'approvals', text, testPorts({}, kept).ports, page);
  const idsOf = async (...given: Parameters<typeof approvals>) =>
    (await approvals(...given)).rows.map(({ request }) => request.id);

  const kept = {
    requests: [
      aRequest({ id: requestId('a_late'), expiresAt: START }),
      aRequest({ id: requestId('a_own') }),
      aRequest({ id: requestId('a_other'), requesterId: OTHER }),
      aRequest({ id: requestId('a_denied'), state: 'denied' }),
      aStartedRequest({ id: requestId('o_scan') }),
    ],
    unposted: ['approval:a_other'],
  } as const;

  it('lists those that wait, whoever asked, with links to their cards', async () => {
    const view = await approvals(kept);
    expect(view.rows.map(({ request, link }) => [request.id, link])).toEqual([
      ['a_own', 'https://example.slack.com/approval:a_own'],
      ['a_other', null],
    ]);
    expect(view.paging).toMatchObject({ total: 2, input: { mine: false } });
  });

  it('lists rollouts that are held before the requests, and none that goes on or was stopped', async () => {
    const rollout = (id: string, hold: RolloutHold | null, counts = { ready: 40, open: 40 }) =>
      aRolloutRequest({ id: requestId(id), state: 'running', rollout: aRollout(40, { hold }), counts });
    const requests = [
      aRequest({ id: requestId('a_waits') }),
      rollout('r_gate', { kind: 'gate', at: START }),
      rollout('r_runs', null),
      rollout('r_braked', { kind: 'braked', bad: 2, ended: 9, at: START }),
      rollout('r_stopped', { kind: 'stopped', by: OTHER, at: START }),
      { ...rollout('r_sent', { kind: 'paused', by: OTHER, at: START }), counts: { queued: 40, open: 40 } },
    ];
    expect(await idsOf({ requests })).toEqual(['r_gate', 'r_braked', 'a_waits']);
  });

  it('lists one’s own in any state', async () => {
    const view = await approvals(kept, 'mine');
    expect(view.rows.map(({ request }) => request.id)).toEqual(['a_late', 'a_own', 'a_denied']);
    expect(view.paging.input).toEqual({ mine: true });
  });

  it('lists of one’s own first what waits or stands still', async () => {
    const hold = { kind: 'braked', bad: 2, ended: 9, at: START } as const;
    const requests = [
      aRequest({ id: requestId('a_expired'), state: 'expired', createdAt: later(START, MINUTE) }),
      aRolloutRequest({ id: requestId('r_braked'), state: 'running', rollout: aRollout(40, { hold }) }),
      aRequest({ id: requestId('a_waits') }),
    ];
    expect(await idsOf({ requests }, 'mine')).toEqual(['r_braked', 'a_waits', 'a_expired']);
  });

  it('lists of one’s own a rollout that is held, also where it needed no approval', async () => {
    const hold = { kind: 'gate', at: START } as const;
    const held = { state: 'running', rollout: aRollout(40, { hold }), expiresAt: null } as const;
    const requests = [aRolloutRequest({ id: requestId('r_scan'), ...held })];
    expect(await idsOf({ requests }, 'mine')).toEqual(['r_scan']);
    const waiting = [aRequest({ id: requestId('a_waits') })];
    const { ports } = testPorts({}, { requests: waiting });
    const list = await runCommand(operationsCommand, 'operations', '', ports);
    expect(JSON.stringify(renderView(list))).toContain('1 request waits for approval.');
  });

  it('lists those that wait the longest first, as the window does in which several are decided', async () => {
    const at = (id: string, minutes: number) =>
      aRequest({ id: requestId(id), createdAt: later(START, minutes * MINUTE) });
    const requests = [at('a_3', 3), at('a_1', 1), at('a_2', 2)];
    expect(await idsOf({ requests })).toEqual(['a_1', 'a_2', 'a_3']);
  });

  it('asks for the links of one page alone', async () => {
    const many = Array.from({ length: 23 }, (_, at) => aRequest({ id: requestId(`a_${at}`) }));
    const view = await approvals({ requests: many }, '', 4);
    expect(view.rows).toHaveLength(3);
    expect(view.paging).toMatchObject({ page: 4, pages: 5, total: 23 });
  });

  it('names the reader as decider only if they may decide, and in no list of one’s own', async () => {
    const { ports } = testPorts({}, kept);
    const refused = { kind: 'not-allowed', need: 'approver', role: null } as const;
    const reads = (line: string, refusal: typeof refused | null) =>
      runCommand(approvalsCommand, 'approvals', line, { ...ports, refusal: async () => refusal });
    expect(await reads('', null)).toMatchObject({ decider: ports.asker });
    expect('decider' in (await reads('', refused))).toBe(false);
    expect('decider' in (await reads('mine', null))).toBe(false);
  });

  it('lists what waits for one device, each with all of its devices', async () => {
    const devices = [1, 2, 3].map((id) => aDevice({ id: deviceId(id), name: `web-0${id}` }));
    const of = (id: string, ids: readonly number[]) =>
      aRequest({
        id: requestId(id),
        targets: ids.map((one, position) => aTarget({ deviceId: deviceId(one), position, state: 'ready' })),
      });
    const both = of('a_both', [1, 2]);
    const { ports } = testPorts({ devices }, { requests: [both, of('a_other', [3])] });
    const view = await runCommand(approvalsCommand, 'approvals', 'web-02', ports);
    expect(view.rows.map(({ request }) => request)).toEqual([both]);
    expect(view.paging.line).toMatchObject({ text: 'approvals web-02' });
  });

  it.each([['is:waiting', { kind: 'unknown-word' }]])('does not take “%s”', (text, fault) => {
    expect(faultOf(approvalsCommand, text)).toMatchObject(fault);
  });
});

describe('operations', () => {
  it('lists what is under way first, then the newest, each linked to the card that shows it', async () => {
    const ended = [aTarget({ state: 'verified', endedAt: START })];
    const kept = {
      requests: [
        aRequest({ id: requestId('a_waiting') }),
        aStartedRequest({ id: requestId('o_new'), createdAt: later(START, 9), targets: ended }),
        aStartedRequest({ id: requestId('o_old'), createdAt: START, targets: ended }),
        aRequest({ id: requestId('a_1'), createdAt: START, state: 'running', targets: [aTarget()] }),
      ],
    };
    const view = await runCommand(operationsCommand, 'operations', '', testPorts({}, kept).ports);
    expect(view.rows.map(({ request, link }) => [request.id, link])).toEqual([
      ['a_1', 'https://example.slack.com/approval:a_1'],
      ['o_new', 'https://example.slack.com/operation:o_new'],
      ['o_old', 'https://example.slack.com/operation:o_old'],
    ]);
    expect(view).toMatchObject({ open: 1, paging: { total: 3 } });
  });
});

describe('audit', () => {
  let sequence = 0;
  const entry = (subject: string, detail: AuditRecord['detail'], at = START): AuditRecord => {
    sequence += 1;
    return { at, actor: OTHER, action: 'approval.requested', subject, detail, sequence, hash: '' };
  };
  const kept = {
    audit: [
      entry('o_1', { device: 1002 }),
      entry('o_1', { device: 1001 }),
      entry('a_1', { note: null }),
      entry('a_1', { devices: '1001 1002' }),
      entry('a_2', { devices: '11001' }),
      entry('a_3', { devices: '1001' }, later(START, -8 * DAY)),
    ],
  };
  const content = { devices: [aDevice()] };

  it('lists what was done in the last week, or in the requested days', async () => {
    const { ports } = testPorts(content, kept);
    const paging = { total: 5 };
    expect(await runCommand(auditCommand, 'audit', '', ports)).toMatchObject({ device: null, paging });
    const longer = await runCommand(auditCommand, 'audit', 'days:30', ports);
    expect(longer).toMatchObject({ paging: { total: 6 }, cut: false });
  });

  it.each(['device web-01', 'device #1001'])('lists what was done about “%s”', async (text) => {
    const view = await runCommand(auditCommand, 'audit', text, testPorts(content, kept).ports);
    expect(view.rows.flatMap(({ entries }) => entries)).toEqual(kept.audit.slice(1, 4));
    expect(view.paging.input).toEqual({ device: 1001, days: 7 });
  });

  it('names what it knows by number, and is shown without names where the service does not answer', async () => {
    const { ports } = testPorts(content, kept);
    const { names } = await runCommand(auditCommand, 'audit', '', ports);
    expect([...names.devices]).toEqual([[1001, 'web-01']]);
    const fresh = testPorts(content, kept);
    fresh.fleet.failWith(BROKEN);
    const bare = await runCommand(auditCommand, 'audit', '', fresh.ports);
    expect(bare).toMatchObject({ paging: { total: 5 } });
    expect(bare.names.devices.size).toBe(0);
  });

  it('pages by lines and counts entries, each of which is on one page', async () => {
    const steps = Array.from({ length: 30 }, (_, at) => [
      { ...entry(`o_${at}`, { device: 1001 }), actor: 'patchbay' as const, action: 'operation.accepted' },
      { ...entry(`o_${at}`, { device: 1001 }), actor: 'patchbay' as const, action: 'operation.issuing' },
    ]).flat();
    const { ports } = testPorts(content, { audit: steps });
    const read = (page: number) => runCommand(auditCommand, 'audit', '', ports, page);
    const pages = await Promise.all([0, 1, 2].map(read));
    for (const view of pages) expect(view).toMatchObject({ lines: 30, paging: { total: 60, pages: 3 } });
    const shown = pages.flatMap(({ rows }) => rows.flatMap(({ entries }) => entries));
    expect(new Set(shown)).toEqual(new Set(steps));
    expect(shown).toHaveLength(60);
  });

  it('says where there is more than was read', async () => {
    const many = Array.from({ length: 2_001 }, () => entry('a_1', {}));
    const view = await runCommand(auditCommand, 'audit', '', testPorts({}, { audit: many }).ports);
    expect(view).toMatchObject({ cut: true });
  });

  it('is for approvers', () => {
    expect(registry.find('audit')).toMatchObject({ permission: 'audit' });
    expect(registry.find('operations')).toMatchObject({ permission: 'read' });
  });

  it.each([
    ['device', { kind: 'missing', what: 'Which device?' }],
    ['web-01', { kind: 'unknown-word', word: 'web-01' }],
    ['days:91', { kind: 'bad-value', expected: '1 to 90 days' }],
  ])('does not take “%s”', (text, fault) => {
    expect(faultOf(auditCommand, text)).toMatchObject(fault);
  });
});

describe('status', () => {
  const words = async (ports: Parameters<typeof statusCommand.run>[2]) =>
    JSON.stringify(renderView(await statusCommand.run({}, 0, ports)));

  it('says that all is well, with the age of what was read', async () => {
    const { ports } = testPorts({ devices: [aDevice()] });
    const shown = await words(ports);
    for (const part of [
      '✅ *Patchbay is healthy*',
      '95 of 100 in total, 28 of 29 for device lists',
      '1 device, read',
      '0.1.0',
    ])
      expect(shown).toContain(part);
  });

  it('names what needs attention', async () => {
    const { ports, fleet } = testPorts({ devices: [aDevice({ id: deviceId(1) })] });
    fleet.failWith(BROKEN);
    const health = async () => ({
      ...HEALTHY,
      slack: false,
      database: false,
      troubles: [{ trouble: { kind: 'database-down' as const }, since: START }],
      events: { lastSuccess: later(START, -9 * MINUTE), failures: 3 },
      calls: {
        ...HEALTHY.calls,
        breaker: { state: 'open' as const, retryInMs: 4_200, failing: null },
        outcomes: { broken: 8 },
      },
    });
    const shown = await words({ ...ports, health });
    for (const part of [
      '⚠️ *Patchbay needs attention*',
      'The database hasn’t responded since',
      'failed 3 times since then',
      'requests paused for 5 seconds',
      'failed: service errors 8',
      'Not read yet',
    ])
      expect(shown).toContain(part);
  });
});

describe('results of requests', () => {
  const STATES: readonly (readonly [TargetState, number])[] = [
    ['verified', 25],
    ['not_verified', 3],
    ['queued', 2],
    ['not_sent', 1],
    ['refused', 1],
    ['ready', 8],
  ];
  const ENDED: ReadonlySet<TargetState> = new Set(['verified', 'not_verified', 'not_sent', 'refused']);

  const targets = STATES.flatMap(([state, count]) => Array.from({ length: count }, () => state)).map(
    (state, at) =>
      aTarget({
        deviceId: deviceId(at + 1),
        displayName: `web-${at + 1}`,
        state,
        endedAt: ENDED.has(state) ? aRequest().createdAt : null,
      }),
  );
  const request = aRequest({ id: requestId('r_1'), state: 'running', targets, rollout: aRollout(40) });
  const { ports } = testPorts({}, { requests: [request] });

  const show = async (input: object, page = 0, more: object = {}) => {
    const view = await operationsCommand.run({ of: 'r_1', ...input }, page, { ...ports, ...more });
    if (view.kind !== 'results') throw new Error(view.kind);
    return view;
  };
  const states = async (...given: Parameters<typeof show>) =>
    (await show(...given)).rows.map(({ state }) => state);

  describe('the results of a rollout', () => {
    it('begin with the devices on which it did not work', async () => {
      const first = await states({});
      expect(first.slice(0, 8)).toEqual([
        ...['not_verified', 'not_verified', 'not_verified', 'refused', 'not_sent'],
        ...['queued', 'queued', 'ready'],
      ]);
      expect(first).toHaveLength(20);
    });

    it('have every device on exactly one page', async () => {
      const pages = await Promise.all([show({}, 0), show({}, 1), show({}, 9)]);
      expect(pages.map(({ paging }) => paging.page)).toEqual([0, 1, 1]);
      const names = pages.slice(0, 2).flatMap(({ rows }) => rows.map(({ displayName }) => displayName));
      expect(new Set(names).size).toBe(40);
    });

    it.each([
      ['failed', 4],
      ['open', 2],
      ['waiting', 8],
      ['verified', 25],
      ['unknown', 0],
    ])('are those in one state where that is asked for: %s', async (group, total) => {
      expect((await show({ group })).paging.total).toBe(total);
    });

    it('are one file, without the seals', async () => {
      const csv = toCsv(await show({}, 0, { pageSize: 10_000 }));
      expect(csv?.rows).toBe(40);
      expect(csv?.text.split('\n')[0]).toMatch(
        /^\uFEFFdevice,hostname,id,wave,state,evidence,accepted,ended,packages,request\r?$/,
      );
      expect(csv?.text).not.toContain('seal-1');
    });

    it('of a request that is gone say so', async () => {
      const view = await operationsCommand.run({ of: 'r_2' }, 0, ports);
      expect(view).toEqual({ kind: 'decided', outcome: { kind: 'absent' } });
    });
  });

  describe('operations', () => {
    it('lists what waits in rollouts first, then what runs', async () => {
      const waiting = aRolloutRequest({ id: requestId('r_2') });
      const requests = [request, waiting, aRequest({ id: requestId('r_3') })];
      const { ports: both } = testPorts({}, { requests });
      const view = await operationsCommand.run({}, 0, both);
      expect(view).toMatchObject({ rows: [{ request: { id: 'r_2' } }, { request: { id: 'r_1' } }], open: 1 });
    });

    it('is found as rollouts, too, and called by one name', () => {
      expect(registry.find('Rollouts')).toBe(operationsCommand);
      expect(registry.help().map(({ name }) => name)).not.toContain('rollouts');
      expect(registry.find('constructor')).toBeNull();
    });
  });
});

describe('activities of the audit log', () => {
  const ANN = personId('U0ANN');
  type Step = Partial<AuditRecord> & { readonly s?: number };

  /** In order; `s`: seconds from the start. Passed to the function newest first, as the store does. */
  function acts(...steps: readonly Step[]) {
    const entries = steps.map(({ s = 0, ...given }, at): AuditRecord => {
      const usual = { actor: 'patchbay', action: 'operation.queued', subject: 'a_1', detail: {} } as const;
      return { ...usual, at: later(START, s * SECOND), sequence: at, hash: '', ...given };
    });
    return groupActivities(entries.toReversed());
  }
  const sequences = (...steps: readonly Step[]) =>
    acts(...steps).map(({ entries }) => entries.map(({ sequence }) => sequence));

  const detail = { command: 'scan' };
  const requestEntry: Step = { actor: ANN, action: 'approval.requested', subject: 'a_1', detail };
  const approved: Step = { actor: ANN, action: 'approval.approved', subject: 'a_1' };
  const issuing: Step = { action: 'operation.issuing', detail: { device: 1 } };
  const accepted: Step = { action: 'operation.accepted', detail: { device: 1 } };

  describe('an activity', () => {
    it('is what Patchbay did for one request within seconds, with the request', () => {
      const [sent, ...before] = acts(requestEntry, approved, issuing, { ...accepted, s: 1 });
      expect(sent).toMatchObject({ order: { command: 'scan' } });
      expect(sent?.entries.map(({ action }) => action)).toEqual(['operation.issuing', 'operation.accepted']);
      expect(before.map(({ entries }) => entries.length)).toEqual([1, 1]);
    });

    it.each<readonly [string, readonly Step[], readonly (readonly number[])[]]>([
      ['what a person did', [approved, approved], [[1], [0]]],
      ['a person between', [accepted, { actor: ANN }, accepted], [[2], [1], [0]]],
      ['another request', [accepted, { subject: 'a_2' }], [[1], [0]]],
      ['another device', [accepted, { detail: { device: 2 } }], [[1], [0]]],
      ['a pause of more than seconds', [accepted, { s: 11 }], [[1], [0]]],
      [
        'more than half a minute in all',
        [accepted, { s: 10 }, { s: 20 }, { s: 30 }, { s: 31 }],
        [[4], [0, 1, 2, 3]],
      ],
      [
        'what is about no request',
        [{ action: 'alerts.sound-again' }, { action: 'alerts.sound-again' }],
        [[1], [0]],
      ],
    ])('ends at %s', (_what, steps, expected) => {
      expect(sequences(...steps)).toEqual(expected);
    });

    it('continues where another request came in between', () => {
      expect(sequences(accepted, { subject: 'a_2' }, {})).toEqual([[1], [0, 2]]);
    });

    it('continues for each of several devices, and includes nothing about other devices', () => {
      const other = { detail: { device: 2 } };
      expect(sequences(issuing, other, accepted, other)).toEqual([
        [1, 3],
        [0, 2],
      ]);
    });
  });

  const step = fc.record({
    actor: fc.constantFrom('patchbay' as const, ANN),
    action: fc.constantFrom('operation.queued', 'approval.sent-back', 'alerts.silenced'),
    subject: fc.constantFrom('a_1', 'a_2'),
    s: fc.integer({ min: 0, max: 60 }),
    detail: fc.constantFrom({}, { device: 1 }, { device: 2 }),
  });
  property([fc.array(step, { maxLength: 40 })])('contains every entry exactly once', (steps) => {
    const all = sequences(...steps).flat();
    expect(all.toSorted((a, b) => a - b)).toEqual(steps.map((_, at) => at));
  });
});
