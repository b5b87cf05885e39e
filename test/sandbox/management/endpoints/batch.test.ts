import { describe, expect, it } from 'vitest';
import { SECOND } from '../../../../src/lib/clock.ts';
import { startService, type TestService } from '../harness/service.ts';

const BATCH = '/servers/batch';
const apply = (...value: string[]) => ({ attribute: 'tags', action: 'apply', value });
const remove = (...value: string[]) => ({ attribute: 'tags', action: 'remove', value });

async function tagsOf(service: TestService, id: number): Promise<unknown> {
  return (await service.rows('/servers?limit=5')).find((row) => row['id'] === id)?.['tags'];
}

describe('POST /servers/batch', () => {
  it('answers with a job of which nothing is done yet', async () => {
    const service = await startService();
    const { status, body } = await service.post(BATCH, { devices: [4001, 4002], actions: [apply('x')] });
    expect(status).toBe(200);
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      total_jobs: 2,
      pending_jobs: 2,
      processed_jobs: 0,
      progress: 0,
      failed_jobs: 0,
      created_at: '2026-03-10T12:00:00+0000',
      cancelled_at: null,
      finished_at: null,
    });
    expect((await service.post(BATCH, { devices: [4001], actions: [apply('x')] })).body).not.toMatchObject({
      id: Object(body).id,
    });
  });

  it('is carried out a moment later, on these devices and no others', async () => {
    const service = await startService();
    const other = await tagsOf(service, 4003);
    await service.post(BATCH, { devices: [4001, 4002], actions: [apply('x', 'web'), remove('production')] });
    expect(await tagsOf(service, 4001)).toEqual(['web', 'production']);
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(service, 4001)).toEqual(['web', 'x']);
    expect(await tagsOf(service, 4002)).toEqual(['web', 'x']);
    expect(await tagsOf(service, 4003)).toEqual(other);
  });

  it('does one action after the other', async () => {
    const service = await startService();
    await service.post(BATCH, { devices: [4001], actions: [apply('x'), remove('x', 'web'), apply('web')] });
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(service, 4001)).toEqual(['production', 'web']);
  });

  it('keeps what a change in between has set', async () => {
    const service = await startService();
    await service.post(BATCH, { devices: [4001], actions: [apply('x')] });
    await service.put('/servers/4001', { server_group_id: 3111, exception: false, tags: ['between'] });
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(service, 4001)).toEqual(['between', 'x']);
  });

  it('passes over devices that are not there', async () => {
    const service = await startService();
    await service.post(BATCH, { devices: [1, 4002, 4001], actions: [apply('x')] });
    await service.delete('/servers/4002');
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(service, 4001)).toEqual(['web', 'production', 'x']);
  });

  it('is forgotten by a reset', async () => {
    const service = await startService();
    await service.post(BATCH, { devices: [4001], actions: [apply('x')] });
    service.management.reset();
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(service, 4001)).toEqual(['web', 'production']);
  });

  it.each([
    ['500', 500, 200],
    ['501', 501, 400],
  ] as const)('takes at most 500 devices: %s', async (_, count, status) => {
    const service = await startService();
    const devices = Array.from({ length: count }, (_, index) => 4001 + index);
    const answer = await service.post(BATCH, { devices, actions: [apply('x')] });
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.body).toEqual({ errors: { devices: ['The devices may not have more than 500 items.'] } });
  });

  it.each([
    ['devices', undefined],
    ['devices', []],
    ['devices', '4001'],
    ['devices', ['4001']],
    ['actions', undefined],
    ['actions', []],
    ['actions', apply('x')],
    ['actions', [{ ...apply('x'), attribute: 'custom_name' }]],
    ['actions', [{ ...apply('x'), action: 'add' }]],
    ['actions', [{ ...apply('x'), value: 'x' }]],
    ['actions', ['apply']],
  ])('refuses %s: %j, and changes nothing', async (field, value) => {
    const service = await startService();
    const body = { devices: [4001], actions: [apply('x')], [field]: value };
    expect(await service.post(BATCH, body)).toMatchObject({
      status: 400,
      body: { errors: { [field]: [expect.any(String)] } },
    });
    await service.clock.advance(10 * SECOND);
    expect(await tagsOf(service, 4001)).toEqual(['web', 'production']);
  });
});
