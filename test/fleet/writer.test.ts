import { describe, expect, it } from 'vitest';
import { type Cause, causeOf, fleetError } from '../../src/fleet/errors.ts';
import { mayHaveHappened } from '../../src/fleet/writer.ts';
import { DEVICE, fleetAt, KEY, scriptedFleet } from './harness.ts';
import { type Reply, scriptedServer } from './scripted-server.ts';

describe('a command', () => {
  it.each([
    [{ kind: 'scan' }, { command_type_name: 'GetOS' }],
    [{ kind: 'reboot' }, { command_type_name: 'Reboot' }],
    [{ kind: 'patch-all' }, { command_type_name: 'InstallAllUpdates' }],
    [
      { kind: 'patch', packages: ['KB1', 'KB2'] },
      { command_type_name: 'InstallUpdate', args: 'KB1 KB2' },
    ],
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

  it('that the interface cannot express is refused without being sent', async () => {
    const { writer, service } = await scriptedFleet({ status: 201 });
    expect(await writer.issue(DEVICE, { kind: 'patch', packages: ['Two Words'] })).toEqual({
      kind: 'refused',
      error: {
        kind: 'invalid',
        method: 'POST',
        path: '/servers/{id}/queues',
        status: null,
        detail: 'the service takes names separated by spaces, so it cannot be told "Two Words"',
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
    ['429', { status: 429 }, 'refused', 'throttled'],
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

  it('certainly did not happen where nobody listens', async () => {
    const service = await scriptedServer({});
    await service.stop();
    const { writer } = fleetAt(service.url);
    expect(await writer.issue(DEVICE, { kind: 'reboot' })).toMatchObject({
      kind: 'refused',
      error: { kind: 'unreachable', status: null },
    });
  });

  it('in flight still learns its answer when the client closes', async () => {
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
    expect(await writer.issue(DEVICE, { kind: 'reboot' })).toMatchObject({ kind: 'refused' });
  });
});

describe('a write that failed may have happened', () => {
  const statuses: readonly (readonly [number | null, boolean])[] = [
    [null, true],
    [200, true],
    [302, true],
    [400, false],
    [401, false],
    [403, false],
    [404, false],
    [408, true],
    [409, false],
    [429, false],
    [499, false],
    [500, true],
    [502, true],
    [504, true],
  ];
  const error = (status: number | null) => {
    const cause: Cause = (status === null ? null : causeOf(status, null)) ?? { kind: 'unreadable' };
    return fleetError({ method: 'POST', path: '/servers/{id}/queues' }, status, cause, '');
  };

  it.each(statuses)('after status %s: %s', (status, expected) => {
    expect(mayHaveHappened({ sent: true, error: error(status) })).toBe(expected);
  });

  it('never where nothing was sent', () => {
    for (const [status] of statuses)
      expect(mayHaveHappened({ sent: false, error: error(status) })).toBe(false);
  });
});
