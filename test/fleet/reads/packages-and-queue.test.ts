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
