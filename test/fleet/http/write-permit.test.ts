/** A write that waits, and a pause of all writes meanwhile. */
import { describe, expect, it } from 'vitest';
import { createHttp } from '../../../src/fleet/http/http-client.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { secret } from '../../../src/lib/secret.ts';
import { DEVICE, fleetAt, KEY, ORGANIZATION, scriptedFleet, until } from '../harness.ts';
import { scriptedServer } from '../scripted-server.ts';

const scan = { kind: 'scan' } as const;

describe('a write', () => {
  it.each<[string, () => Promise<boolean>]>([
    ['all writes are stopped', async () => false],
    ['it cannot be known', () => Promise.reject(new Error('no database'))],
  ])('is not sent where %s', async (_, mayWrite) => {
    const { writer, editor, reader, service, figures } = await scriptedFleet({ body: {} }, { mayWrite });
    expect(await writer.issue(DEVICE, scan)).toEqual({ kind: 'withheld' });
    expect(await editor.deleteDevice(DEVICE)).toEqual({ kind: 'withheld' });
    expect(
      await editor.createGroup({ name: 'new', parentId: groupId(1), refreshIntervalMinutes: 480 }),
    ).toEqual({ kind: 'withheld' });
    expect(service.requests).toEqual([]);
    expect(figures()).toMatchObject({ running: 0, outcomes: {}, breaker: { state: 'closed' } });
    await reader.countEvents().catch(() => null);
    expect(service.requests).toHaveLength(1);
  });

  it('that waits for its turn is not sent when all writes are paused meanwhile', async () => {
    let open = true;
    const held = Promise.withResolvers<void>();
    const service = await scriptedServer(async () => {
      await held.promise;
      return { status: 201 };
    });
    const { writer, figures } = fleetAt(service.url, { concurrency: 1, mayWrite: async () => open });
    const first = writer.issue(DEVICE, scan);
    const second = writer.issue(DEVICE, scan);
    await until(() => service.requests.length === 1 && figures().waiting.write === 1);
    open = false;
    held.resolve();
    expect(await first).toEqual({ kind: 'accepted' });
    expect(await second).toEqual({ kind: 'withheld' });
    expect(service.requests).toHaveLength(1);
  });

  it('is checked once more when its connection is open', async () => {
    const service = await scriptedServer({ status: 201 });
    const http = createHttp({ baseUrl: service.url, apiKey: secret(KEY) });
    const request = {
      method: 'POST',
      path: '/servers/{id}/queues',
      id: DEVICE,
      query: { o: ORGANIZATION },
    } as const;
    expect(await http.send(request, { timeoutMs: 5_000, mayStart: () => false })).toMatchObject({
      kind: 'failed',
      withheld: true,
      sent: false,
    });
    expect(service.requests).toEqual([]);
    expect(await http.send(request, { timeoutMs: 5_000, mayStart: () => true })).toMatchObject({
      kind: 'answered',
    });
    await http.close();
  });
});
