import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type FailureCause, failureCause, fleetError } from '../../src/fleet/http/errors.ts';
import type { FleetCommand } from '../../src/fleet/model/actions.ts';
import type { QueueEntry } from '../../src/fleet/model/resources.ts';
import {
  decodeCommand,
  encodeCommand,
  findQueuedDuplicate,
  isUnanswered,
  type WireCommand,
} from '../../src/fleet/queue-entries.ts';
import { failedWrite } from '../../src/fleet/writer.ts';
import { instant } from '../../src/lib/clock.ts';
import { policyId } from '../../src/lib/ids.ts';
import { aQueueEntry, aResponse } from '../harness/builders.ts';
import { property } from '../harness/property.ts';
import { DEVICE, fleetAt, KEY, scriptedFleet } from './harness.ts';
import { type Reply, scriptedServer } from './scripted-server.ts';

const SMUGGLED = { action: 'remediateAll', exec_time: '2026-01-01T00:00:00+0000' };

describe('a command', () => {
  it.each([
    [{ kind: 'scan' }, { command_type_name: 'GetOS' }],
    [{ kind: 'reboot' }, { command_type_name: 'Reboot' }],
    [{ kind: 'patch-all' }, { command_type_name: 'InstallAllUpdates' }],
    [
      { kind: 'patch', packages: ['KB1', 'KB2'] },
      { command_type_name: 'InstallUpdate', args: 'KB1 KB2' },
    ],
    // No other way to test a policy is known, in either dialect.
    [{ kind: 'policy-test', policyId: policyId(99) }, { command_type_name: 'policy_99_test' }],
  ] as const)('is sent once: %j', async (command, body) => {
    const { writer, service } = await scriptedFleet({ status: 201 });
    expect(await writer.issue(DEVICE, command)).toEqual({ kind: 'accepted' });
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: '/servers/42/queues',
      query: { o: '7' },
      headers: { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' },
    });
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual(body);
  });

  it('that the interface cannot express is refused before sending', async () => {
    const { writer, service } = await scriptedFleet({ status: 201 });
    expect(await writer.issue(DEVICE, { kind: 'patch', packages: ['Two Words'] })).toEqual({
      kind: 'refused',
      error: {
        kind: 'invalid',
        method: 'POST',
        path: '/servers/{id}/queues',
        status: null,
        detail: '',
        fault: { kind: 'package-name', name: 'Two Words' },
      },
    });
    expect(await writer.issue(DEVICE, { kind: 'patch', packages: [] })).toMatchObject({ kind: 'refused' });
    expect(service.requests).toHaveLength(0);
  });

  it.each<[string, Reply]>([
    ['201 without a body', { status: 201 }],
    ['200 with an object', { body: { id: 1 } }],
    ['200 with an empty object', { body: {} }],
    ['201 with null', { status: 201, body: 'null' }],
    ['204', { status: 204 }],
    ['a message', { body: { message: 'Command submitted' } }],
    ['a message with a good code', { body: { message: 'OK', code: 200, status: 'success' } }],
    ['no errors', { body: { errors: [], error: null, success: true } }],
  ])('is accepted by %s', async (_, reply) => {
    const { writer } = await scriptedFleet(reply);
    expect(await writer.issue(DEVICE, { kind: 'reboot' })).toEqual({ kind: 'accepted' });
  });

  it.each<[string, Reply, string, string]>([
    ['400', { status: 400, body: { errors: ['Bad'] } }, 'refused', 'invalid'],
    ['401', { status: 401 }, 'refused', 'unauthorized'],
    ['403', { status: 403 }, 'refused', 'forbidden'],
    ['404', { status: 404 }, 'refused', 'missing'],
    ['404 cut inside its body', { status: 404, cut: '{' }, 'refused', 'missing'],
    ['429', { status: 429 }, 'unsent', 'throttled'],
    ['408', { status: 408 }, 'unknown', 'timeout'],
    ['500', { status: 500 }, 'unknown', 'broken'],
    ['502 with a page', { status: 502, body: '<html>' }, 'unknown', 'broken'],
    ['503', { status: 503, headers: { 'retry-after': '0' } }, 'unknown', 'broken'],
    ['a redirect', { status: 302, headers: { location: '/login' } }, 'unknown', 'unreadable'],
    ['no answer', 'hang', 'unknown', 'timeout'],
    ['half an answer', { status: 201, stall: '{' }, 'unknown', 'timeout'],
    ['a dropped connection', 'drop', 'unknown', 'unreachable'],
    ['a connection cut inside the body', { status: 201, cut: '{' }, 'unknown', 'unreadable'],
    ['half a JSON', { body: '{"id":' }, 'unknown', 'unreadable'],
    ['a page', { body: '<html>sign in</html>' }, 'unknown', 'unreadable'],
  ])('answered by %s is sent once', async (_, reply, kind, errorKind) => {
    const { writer, service } = await scriptedFleet(reply, { deadlineMs: 500 });
    const outcome = await writer.issue(DEVICE, { kind: 'reboot' });
    expect(outcome).toMatchObject({ kind, error: { kind: errorKind, method: 'POST' } });
    expect(service.requests).toHaveLength(1);
  });

  it.each<[Reply, string]>([
    [{ body: { errors: ['This device is not compatible with the command.'] } }, 'This device is not compat'],
    [{ status: 201, body: { error: 'device is in maintenance' } }, 'device is in maintenance'],
    [{ status: 201, body: { error: { message: 'no agent' } } }, 'no agent'],
    [{ body: { id: 9, errors: { command: ['is odd'] } } }, 'command: is odd'],
    [{ body: { success: false } }, ''],
    [{ body: { message: 'Busy', code: 'E_BUSY' } }, 'Busy'],
    [{ body: [{ message: 'Busy', statusCode: 503 }] }, 'Busy'],
    [{ body: '<!doctype html><p>Maintenance' }, 'a web page instead of JSON'],
  ])('answered by %j may have happened, and is sent once', async (reply, detail) => {
    const { writer, service } = await scriptedFleet(reply);
    expect(await writer.issue(DEVICE, { kind: 'reboot' })).toMatchObject({
      kind: 'unknown',
      error: { declined: true, detail: expect.stringContaining(detail) },
    });
    expect(service.requests).toHaveLength(1);
  });

  it.each<[string, Reply]>([
    ['half a JSON', { body: '{"error":' }],
    ['a cut one', { cut: '{"error": "no"}' }],
    ['a 500 with an error', { status: 500, body: { error: 'no' } }],
  ])('of which the answer was lost is not declined: %s', async (_, reply) => {
    const { writer } = await scriptedFleet(reply, { deadlineMs: 500 });
    const outcome = await writer.issue(DEVICE, { kind: 'reboot' });
    expect(outcome.kind === 'unknown' && outcome.error.declined).toBeUndefined();
  });

  it('certainly did not happen when nobody listens', async () => {
    const service = await scriptedServer({});
    await service.stop();
    const { writer } = fleetAt(service.url);
    expect(await writer.issue(DEVICE, { kind: 'reboot' })).toMatchObject({
      kind: 'unsent',
      error: { kind: 'unreachable', status: null },
      retryAfterMs: null,
    });
  });

  it('in flight still gets its answer when the client closes', async () => {
    let arrived = () => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let answer = (_: Reply) => {};
    const { writer, close } = await scriptedFleet(() => {
      arrived();
      return new Promise<Reply>((resolve) => {
        answer = resolve;
      });
    });
    const issuing = writer.issue(DEVICE, { kind: 'reboot' });
    await arrival;
    const closing = close();
    answer({ status: 201 });
    expect(await issuing).toEqual({ kind: 'accepted' });
    await closing;
    expect(await writer.issue(DEVICE, { kind: 'reboot' })).toMatchObject({ kind: 'unsent' });
  });
});

describe('the remediation of a policy on one device', () => {
  const command = { kind: 'policy-remediate', policyId: policyId(99) } as const;

  it('is a queue command in the documented interface', async () => {
    const { writer, service } = await scriptedFleet({ status: 201 }, { dialect: 'documented' });
    expect(await writer.issue(DEVICE, command)).toEqual({ kind: 'accepted' });
    expect(service.requests).toMatchObject([
      { method: 'POST', path: '/servers/42/queues', query: { o: '7' } },
    ]);
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({ command_type_name: 'policy_99_remediate' });
  });

  it('is an action of the policy on the live service', async () => {
    const { writer, service } = await scriptedFleet({ status: 201 });
    expect(await writer.issue(DEVICE, command)).toEqual({ kind: 'accepted' });
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({
      method: 'POST',
      path: '/policies/99/action',
      query: { o: '7' },
      headers: { 'content-type': 'application/json' },
    });
    expect(JSON.parse(service.requests[0]?.body ?? '')).toEqual({ action: 'remediateServer', serverId: 42 });
  });

  it.each<[Reply, string]>([
    [{ status: 404 }, 'refused'],
    [{ status: 500 }, 'unknown'],
    ['drop', 'unknown'],
  ])('answered by %j is %s, with its own path in the error', async (reply, kind) => {
    const { writer, service } = await scriptedFleet(reply);
    expect(await writer.issue(DEVICE, command)).toMatchObject({
      kind,
      error: { method: 'POST', path: '/policies/{id}/action' },
    });
    expect(service.requests).toHaveLength(1);
  });
});

describe('whatever command is issued, in either dialect', () => {
  const packages = fc.array(fc.string(), { maxLength: 3 });
  const id = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).map(policyId);
  const commands = fc.oneof(
    fc.constantFrom<FleetCommand>({ kind: 'scan' }, { kind: 'reboot' }, { kind: 'patch-all' }),
    packages.map((names): FleetCommand => ({ kind: 'patch', packages: names })),
    // Whatever a caller adds to the fields of a command is not passed on.
    id.map((one): FleetCommand => ({ kind: 'policy-test', policyId: one, ...SMUGGLED })),
    id.map((one): FleetCommand => ({ kind: 'policy-remediate', policyId: one, ...SMUGGLED })),
  );

  it.each(['live', 'documented'] as const)(
    '(%s), at most one device is named, never all of them, and never a time',
    async (dialect) => {
      const { writer, service } = await scriptedFleet({ status: 201 }, { dialect });
      await fc.assert(
        fc.asyncProperty(commands, async (command) => {
          const before = service.requests.length;
          await writer.issue(DEVICE, command);
          for (const { path, body } of service.requests.slice(before)) {
            const sent: unknown = JSON.parse(body);
            if (path === '/servers/42/queues') expect(sent).not.toHaveProperty('action');
            else expect(sent).toEqual({ action: 'remediateServer', serverId: DEVICE });
            expect(sent).not.toHaveProperty('exec_time');
            expect(body).not.toContain('remediateAll');
          }
        }),
        { numRuns: 50 },
      );
      expect(service.requests.length).toBeGreaterThan(0);
    },
  );
});

describe('a write that was sent and failed', () => {
  const statuses = [
    [null, 'unknown'],
    [200, 'unknown'],
    [302, 'unknown'],
    [400, 'refused'],
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [408, 'unknown'],
    [409, 'refused'],
    [429, 'unsent'],
    [499, 'refused'],
    [500, 'unknown'],
    [502, 'unknown'],
    [504, 'unknown'],
  ] as const;
  const error = (status: number | null) => {
    const cause: FailureCause = (status === null ? null : failureCause(status, null)) ?? {
      kind: 'unreadable',
    };
    return fleetError({ method: 'POST', path: '/servers/{id}/queues' }, status, cause, '');
  };

  const failed = (status: number | null, sent: boolean) =>
    ({ kind: 'failed', error: error(status), sent, retryable: false, retryAfterMs: 7_000 }) as const;

  it.each(statuses)('with status %s is %s', (status, expected) => {
    expect(failedWrite(failed(status, true))).toMatchObject({ kind: expected, error: { status } });
  });

  it('says when it may be sent again where it certainly was not taken', () => {
    expect(failedWrite(failed(429, true))).toMatchObject({ kind: 'unsent', retryAfterMs: 7_000 });
    for (const [status] of statuses)
      expect(failedWrite(failed(status, false))).toMatchObject({ kind: 'unsent', retryAfterMs: 7_000 });
  });
});

function wire(command: FleetCommand): WireCommand | null {
  const encoded = encodeCommand(command);
  return encoded.kind === 'encoded' ? encoded.command : null;
}

describe('a command on the wire', () => {
  it.each<[FleetCommand, WireCommand]>([
    [{ kind: 'scan' }, { type: 'GetOS', args: '' }],
    [{ kind: 'reboot' }, { type: 'Reboot', args: '' }],
    [{ kind: 'patch-all' }, { type: 'InstallAllUpdates', args: '' }],
    [
      { kind: 'patch', packages: ['KB12345', '{GUID-1}'] },
      { type: 'InstallUpdate', args: 'KB12345 {GUID-1}' },
    ],
    [
      { kind: 'policy-test', policyId: policyId(99) },
      { type: 'policy_99_test', args: '' },
    ],
    [
      { kind: 'policy-remediate', policyId: policyId(99) },
      { type: 'policy_99_remediate', args: '' },
    ],
  ])('%j is spelled %j', (command, expected) => {
    expect(wire(command)).toEqual(expected);
  });

  it.each(['', ' ', 'two words', 'tab\tbed', 'line\nbreak', 'a\u00a0b', 'quo"ted', 'bell\u0007'])(
    'cannot name the package %j',
    (name) => {
      expect(encodeCommand({ kind: 'patch', packages: ['fine', name] })).toEqual({
        kind: 'inexpressible',
        reason: 'package-name',
        name,
      });
    },
  );

  it('cannot be an install of nothing', () => {
    expect(encodeCommand({ kind: 'patch', packages: [] })).toMatchObject({ reason: 'no-packages' });
  });

  const command = fc.oneof(
    fc.constantFrom<FleetCommand>({ kind: 'scan' }, { kind: 'reboot' }, { kind: 'patch-all' }),
    fc
      .record({
        kind: fc.constantFrom('policy-test' as const, 'policy-remediate' as const),
        id: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
      })
      .map(({ kind, id }): FleetCommand => ({ kind, policyId: policyId(id) })),
    fc.array(fc.string(), { maxLength: 5 }).map((packages): FleetCommand => ({ kind: 'patch', packages })),
    fc
      .array(fc.stringMatching(/^[\w{}.,:+-]{1,20}$/), { minLength: 1, maxLength: 5 })
      .map((packages): FleetCommand => ({ kind: 'patch', packages })),
  );
  property([command])('is read back as the same command, or is refused', (one) => {
    const sent = wire(one);
    if (sent !== null) expect(decodeCommand(sent)).toEqual(one);
    else expect(one.kind).toBe('patch');
  });
});

describe('an entry of a queue', () => {
  it.each([
    '',
    'GetHostname',
    'reboot',
    'InstallUpdate',
    'policy_0_test',
    'policy_007_test',
    'policy_-1_test',
    'policy_9007199254740993_test',
    'policy__test',
    'policy_99_delete',
    'policy_99_test ',
    'xpolicy_99_test',
  ])('of type "%s" is not ours', (type) => {
    expect(decodeCommand({ type, args: '' })).toBeNull();
  });

  it('may have its arguments quoted as a whole', () => {
    expect(decodeCommand({ type: 'InstallUpdate', args: '"KB1 KB2"' })).toEqual({
      kind: 'patch',
      packages: ['KB1', 'KB2'],
    });
  });
});

const reboot: FleetCommand = { kind: 'reboot' };
const patch: FleetCommand = { kind: 'patch', packages: ['a', 'b'] };
const remediate: FleetCommand = { kind: 'policy-remediate', policyId: policyId(7) };

describe('an entry waits', () => {
  it.each([
    ['nothing was answered', {}, true],
    ['words were answered', { response: aResponse(0) }, false],
    ['an empty answer is an answer', { response: aResponse() }, false],
    ['only the time of an answer is known', { responseTime: instant(1) }, false],
  ])('%s', (_what, change, expected) => {
    expect(isUnanswered(aQueueEntry(change))).toBe(expected);
  });
});

describe('a waiting entry does the same as a command', () => {
  it.each<readonly [string, FleetCommand, Partial<QueueEntry>, boolean]>([
    ['a reboot as a reboot', reboot, {}, true],
    ['one that a policy put there', reboot, { policyId: policyId(99) }, true],
    ['one that was answered', reboot, { response: aResponse() }, false],
    ['a scan as a reboot', reboot, { type: 'GetOS' }, false],
    ['an empty type as anything', reboot, { type: '' }, false],
    ['a policy as anything', reboot, { type: 'policy_7_remediate' }, false],
    ['the same packages', patch, { type: 'InstallUpdate', args: 'a b' }, true],
    ['the same packages in another order', patch, { type: 'InstallUpdate', args: 'b a' }, true],
    ['the same packages in quotes', patch, { type: 'InstallUpdate', args: '"a b"' }, true],
    ['fewer packages', patch, { type: 'InstallUpdate', args: 'a' }, false],
    ['more packages', patch, { type: 'InstallUpdate', args: 'a b c' }, false],
    ['a package twice', patch, { type: 'InstallUpdate', args: 'a a' }, false],
    ['everything instead of some', patch, { type: 'InstallAllUpdates' }, false],
    ['everything as everything', { kind: 'patch-all' }, { type: 'InstallAllUpdates' }, true],
    ['a policy as itself', remediate, { type: 'policy_7_remediate' }, true],
    ['another policy', remediate, { type: 'policy_8_remediate' }, false],
    ['the test of a policy as its remediation', remediate, { type: 'policy_7_test' }, false],
    [
      'the test of a policy as itself',
      { kind: 'policy-test', policyId: policyId(7) },
      { type: 'policy_7_test' },
      true,
    ],
    ['a reboot that the policy put there', remediate, { policyId: policyId(7) }, false],
    ['a scan as a scan', { kind: 'scan' }, { type: 'GetOS' }, true],
  ])('%s', (_what, command, change, expected) => {
    const entry = aQueueEntry(change);
    expect(findQueuedDuplicate(command, [entry])).toBe(expected ? entry : null);
  });
});
