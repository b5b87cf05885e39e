import { describe, expect, it } from 'vitest';
import { queueEntryId } from '../../../src/lib/ids.ts';
import { recorded, recordedRow } from '../fixtures.ts';
import { DEVICE, errorOf, paged, queryOf, rowsOf, scriptedFleet } from '../harness.ts';

describe('the packages of a device', () => {
  it('are read to their end', async () => {
    const row = recordedRow('packages-2026.json');
    const rows = Array.from({ length: 1_045 }, (_, index) => ({ ...row, id: index + 1, server_id: DEVICE }));
    const { reader, service } = await scriptedFleet(paged(rows));
    expect(await rowsOf(reader.packages(DEVICE))).toHaveLength(1_045);
    expect(service.requests.map(({ path, query }) => [path, query['o'], query['page']])).toEqual(
      ['0', '1', '2', '3'].map((page) => ['/servers/42/packages', '7', page]),
    );
  });

  it('are refused when one belongs to another device', async () => {
    const { reader } = await scriptedFleet({
      body: [{ ...recordedRow('packages-2026.json'), server_id: 43 }],
    });
    expect(await errorOf(rowsOf(reader.packages(DEVICE)))).toMatchObject({ kind: 'unreadable' });
  });
});

describe('the missing packages of all devices', () => {
  const missing = (id: number, device: number, more: Record<string, unknown> = {}) => ({
    ...recordedRow('packages-2026.json', 2),
    ...{ id, server_id: device, organization_id: 7, installed: false },
    ...more,
  });

  it('are read to their end in pages, whatever ids the service gives packages of two devices', async () => {
    const rows = Array.from({ length: 700 }, (_, at) => missing((at % 7) + 1, Math.floor(at / 7) + 1));
    const { reader, service } = await scriptedFleet(paged(rows));
    const read = await rowsOf(reader.missingPackages());
    expect(read).toHaveLength(700);
    expect(read[8]).toMatchObject({ deviceId: 2, item: { id: 2, installed: false } });
    expect(queryOf(service.requests)).toEqual(
      ['0', '1', '2'].map((page) => ({
        method: 'GET',
        path: '/orgs/7/packages',
        query: { o: '7', awaiting: '1', includeUnmanaged: '1', limit: '500', page },
      })),
    );
  });

  it.each([
    ['ignored the filter', { installed: true }, 'a package that is installed, or does not say'],
    [
      'does not say whether it is installed',
      { installed: null },
      'a package that is installed, or does not say',
    ],
    ['names no device', { server_id: null }, 'a package without a device'],
    ['is of another organization', { organization_id: 8 }, 'a row of another organization'],
  ])('are refused when the service %s', async (_, more, detail) => {
    const { reader } = await scriptedFleet({ body: [missing(1, 1), missing(2, 1, more)] });
    expect(await errorOf(rowsOf(reader.missingPackages()))).toMatchObject({ kind: 'unreadable', detail });
  });
});

describe('the queue of a device', () => {
  it('is read as recorded', async () => {
    const { reader, service } = await scriptedFleet({ body: recorded('queue-2026.json') });
    expect(await reader.queue(DEVICE)).toMatchObject([
      {
        id: 555,
        type: 'Reboot',
        args: '',
        policyId: 99,
        execTime: Date.UTC(2026, 5, 5, 4, 9, 6),
        response: null,
        responseTime: null,
      },
    ]);
    expect(queryOf(service.requests)).toEqual([
      { method: 'GET', path: '/servers/42/queues', query: { o: '7' } },
    ]);
  });

  it('may be empty', async () => {
    const { reader } = await scriptedFleet({ body: [] });
    expect(await reader.queue(DEVICE)).toEqual([]);
  });

  it.each([
    ['another device', [{ ...recordedRow('queue-2026.json'), server_id: 43 }]],
    ['another organization', [{ ...recordedRow('queue-2026.json'), organization_id: 8 }]],
    ['no list', { id: 555 }],
    ['an entry without an id beside a good one', [recordedRow('queue-2026.json'), { server_id: 42 }]],
  ])('is refused as unreadable when the answer is of %s', async (_, body) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.queue(DEVICE))).toMatchObject({
      kind: 'unreadable',
      path: '/servers/{id}/queues',
    });
  });
});

describe('one entry of a queue', () => {
  const entry = queueEntryId(555);

  it('is read by its id', async () => {
    const answered = { ...recordedRow('queue-2026.json'), response: ['0', 'Installing', null] };
    const { reader, service } = await scriptedFleet({ body: answered });
    expect(await reader.queueEntry(DEVICE, entry)).toMatchObject({
      id: 555,
      response: { exitCode: 0, output: 'Installing' },
      responseTime: null,
    });
    expect(queryOf(service.requests)).toEqual([
      { method: 'GET', path: '/servers/42/queues/555', query: { o: '7' } },
    ]);
  });

  it('is null when the service no longer knows it', async () => {
    const { reader } = await scriptedFleet({ status: 404, body: { errors: ['Not found'] } });
    expect(await reader.queueEntry(DEVICE, entry)).toBeNull();
  });

  it.each([
    ['another entry', { ...recordedRow('queue-2026.json'), id: 556 }],
    ['another device', { ...recordedRow('queue-2026.json'), server_id: 43 }],
    ['nothing', []],
  ])('is refused as unreadable when the answer is of %s', async (_, body) => {
    const { reader } = await scriptedFleet({ body });
    expect(await errorOf(reader.queueEntry(DEVICE, entry))).toMatchObject({ kind: 'unreadable' });
  });
});
