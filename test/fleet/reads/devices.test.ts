import { describe, expect, it } from 'vitest';
import type { DeviceQuery } from '../../../src/fleet/fleet.ts';
import { groupId, policyId } from '../../../src/ids.ts';
import { listedDevice } from '../fixtures.ts';
import { errorOf, ORGANIZATION, rowsOf, scriptedFleet } from '../harness.ts';

describe('a list of devices', () => {
  const always = { o: '7', limit: '500', page: '0' };

  it.each<[DeviceQuery, Readonly<Record<string, string>>]>([
    [{}, {}],
    [{ groupId: groupId(5) }, { groupId: '5' }],
    [{ policyId: policyId(9) }, { policyId: '9' }],
    [{ pending: true }, { pending: '1' }],
    [{ pending: false }, { pending: '0' }],
    [{ missingPatches: true }, { patchStatus: 'missing' }],
    [{ exception: true }, { exception: '1' }],
    [{ exception: false }, { exception: '0' }],
    [{ managed: true }, { managed: '1' }],
    [{ managed: false }, { managed: '0' }],
    [{ needsAttention: true }, { needsAttention: '1' }],
    [{ needsAttention: false }, { needsAttention: '0' }],
    [{ shellVersion: '5.1' }, { PS_VERSION: '5.1' }],
    [{ include: {} }, {}],
    [{ include: { details: true } }, { include_details: '1' }],
    [{ include: { nextPatchTime: true } }, { include_next_patch_time: '1' }],
    [{ include: { details: false, nextPatchTime: false } }, {}],
    [{ withoutPolicyStatus: true }, { exclude_policy_status: '1' }],
    [{ withoutPolicyStatus: false }, {}],
    [
      { groupId: groupId(5), policyId: policyId(9), pending: true, missingPatches: true, managed: true },
      { groupId: '5', policyId: '9', pending: '1', patchStatus: 'missing', managed: '1' },
    ],
  ])('of %j is asked for by %j and nothing else', async (query, parameters) => {
    const { reader, service } = await scriptedFleet({ body: [] });
    await rowsOf(reader.devices(query));
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({ method: 'GET', path: '/servers', body: '' });
    expect(service.requests[0]?.query).toEqual({ ...always, ...parameters });
  });

  it.each<[string, DeviceQuery, Record<string, unknown>]>([
    ['exception', { exception: true }, { exception: false }],
    ['exception', { exception: false }, { exception: true }],
    ['needsAttention', { needsAttention: true }, { needs_attention: false }],
    ['pending', { pending: true }, { pending: false, pending_patches: 0 }],
    ['pending', { pending: false }, { pending: true, pending_patches: 3 }],
    [
      'policyId',
      { policyId: policyId(9) },
      { policy_status: [{ policy_id: 8 }], status: { policy_statuses: [{ id: 8 }] } },
    ],
  ])('is refused where the service ignored the filter %s', async (name, query, fields) => {
    const row = listedDevice(1, { organization_id: ORGANIZATION, total_count: 1, ...fields });
    const { reader } = await scriptedFleet({ body: [row] });
    expect(await errorOf(rowsOf(reader.devices(query)))).toMatchObject({
      kind: 'unreadable',
      detail: `the service ignored the filter ${name}`,
    });
  });

  it('is believed where a device does not say whether it was meant', async () => {
    const row = listedDevice(1, { organization_id: ORGANIZATION, total_count: 1, needs_attention: null });
    const { reader } = await scriptedFleet({ body: [row] });
    expect(await rowsOf(reader.devices({ needsAttention: true }))).toHaveLength(1);
  });
});
