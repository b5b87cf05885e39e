import { describe, expect, it } from 'vitest';
import { rowOf, startService } from '../harness/service.ts';

const OFFSET_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/;

describe('a row of GET /servers', () => {
  it('says the total of the query, not of the page', async () => {
    const service = await startService();
    const rows = await service.rows('/servers?limit=2');
    expect(rows.map((row) => row['total_count'])).toEqual([240, 240]);
    const [kiosk] = await service.rows('/servers?limit=1&groupId=3140');
    expect(kiosk?.['total_count']).toBe((await service.rows('/servers?groupId=3140')).length);
  });

  it('has no details unless they are requested', async () => {
    const service = await startService();
    const [bare] = await service.rows('/servers?limit=1');
    expect(bare).toMatchObject({
      detail: {},
      next_patch_time: null,
      patch_deferral_count: 0,
      server_policies: [],
    });
    const [full] = await service.rows('/servers?limit=1&include_details=1&include_next_patch_time=1');
    expect(rowOf(full?.['detail'])).toMatchObject({ MODEL: 'PowerEdge R650', PS_VERSION: null });
    expect(full?.['next_patch_time']).toMatch(OFFSET_TIME);
  });

  it('has an empty status for a device that was never scanned', async () => {
    const service = await startService();
    const fresh = (await service.rows('/servers')).find(({ name }) => name === 'desk-01');
    expect(fresh).toMatchObject({ policy_status: [null], status: {}, last_refresh_time: null });
    expect(await service.device('desk-01')).toMatchObject({ status: { agent_status: 'connected' } });
  });
});

describe('the filters of GET /servers', () => {
  it('are all kept at once', async () => {
    const service = await startService();
    const both = (await service.rows('/servers?groupId=3111')).filter(({ pending }) => pending === true);
    expect(both.length).toBeGreaterThan(0);
    expect(await service.rows('/servers?pending=1&groupId=3111')).toMatchObject(
      both.map(({ id }) => ({ id })),
    );
  });

  it.each([
    ['pending=true', 'pending', 'The pending field must be true or false.'],
    ['managed=2', 'managed', 'The managed field must be true or false.'],
    ['patchStatus=installed', 'patchStatus', 'The selected patchStatus is invalid.'],
    ['groupId=Linux', 'groupId', 'The groupId must be an integer.'],
  ])('refuses %s', async (query, field, message) => {
    const service = await startService();
    const answer = await service.get(`/servers?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: { [field]: [message] } } });
  });
});

describe('GET /servers/{id}', () => {
  it('is an object, with the policies written out', async () => {
    const service = await startService();
    const { body } = await service.get(`/servers/${await service.idOf('win-ts-01')}`);
    expect(body).toMatchObject({
      name: 'win-ts-01',
      server_policies: [{ policy_type_name: 'patch' }, { policy_type_name: 'custom' }],
      detail: { PS_VERSION: '5.1.20348.2652', LAST_USER_LOGON: { USER: 'CORP\\jsmith' } },
    });
  });

  it('calls a device compliant by its policies, and contradicts itself where only patches are pending', async () => {
    const service = await startService({ profile: 'documented' });
    const rows = await service.rows('/servers');
    for (const row of rows) {
      const states = (Array.isArray(row['policy_status']) ? row['policy_status'] : []).map(
        (entry) => rowOf(entry)['status'],
      );
      expect(row['compliant']).toBe(!states.includes(0));
      const text = rowOf(row['status'])['policy_status'];
      expect(text).toBe(
        states.length === 0
          ? 'unmanaged'
          : states.every((state) => state === 1)
            ? 'compliant'
            : 'non-compliant',
      );
    }
    const contradicting = rows.filter(
      (row) => row['compliant'] && rowOf(row['status'])['policy_status'] === 'non-compliant',
    );
    expect(contradicting.length).toBeGreaterThan(0);
  });
});
