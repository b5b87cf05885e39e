/** Checking for a change whose answer was lost, by reads only. And tags that are added to existing ones. */
import { describe, expect, it } from 'vitest';
import type { ChangeFault, DeviceChange, GroupChange, TagChange } from '../../../src/fleet/model/changes.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { listedDevice } from '../fixtures.ts';
import { DEVICE, ORGANIZATION } from '../harness.ts';
import { jsonOf, storedThing, type Thing } from './harness.ts';

const device: Thing = listedDevice(DEVICE, {
  organization_id: ORGANIZATION,
  server_group_id: 5,
  exception: false,
  tags: ['a', 'b'],
  custom_name: 'Front desk',
  ip_addrs: ['192.0.2.1'],
  status: { device_status: 'ready' },
});
const group: Thing = {
  id: 5,
  name: 'Kiosks',
  organization_id: ORGANIZATION,
  parent_server_group_id: 1,
  refresh_interval: 360,
  ui_color: '#059F1D',
  notes: '',
  enable_os_auto_update: null,
  policies: [3, 4],
};
const nowhere = { reply: { status: 500 } };

describe('a device compared with the wanted change', () => {
  it.each<[DeviceChange, readonly string[]]>([
    [{ customName: 'Front desk', exception: false, groupId: groupId(5) }, []],
    [{ retag: { add: ['a'], remove: ['c'] } }, []],
    [{ retag: { add: ['c'], remove: [] } }, ['tags']],
    [{ retag: { add: [], remove: ['b'] }, exception: true }, ['exception', 'tags']],
    [{ customName: null }, ['customName']],
  ])('%j is not applied in %j', async (change, notApplied) => {
    const { editor, writes } = await storedThing(device, nowhere);
    const found = { notApplied, unconfirmed: [], alsoChanged: [] };
    expect(await editor.checkDevice(DEVICE, change)).toMatchObject(found);
    expect(writes()).toEqual([]);
  });
});

describe('a group compared with the wanted change', () => {
  it.each<[GroupChange, object]>([
    [
      { name: 'Kiosks', color: 'pine green', policyIds: [] },
      { notApplied: ['policyIds'], unconfirmed: [] },
    ],
    [
      { notes: '', wsus: { enabled: true } },
      { notApplied: [], unconfirmed: ['wsus'] },
    ],
    [{ refreshIntervalMinutes: 720 }, { notApplied: ['refreshIntervalMinutes'] }],
  ])('%j', async (change, found) => {
    const { editor, writes } = await storedThing(group, nowhere);
    expect(await editor.checkGroup(groupId(5), change)).toMatchObject(found);
    expect(writes()).toEqual([]);
  });
});

describe('tags that are added and removed with other fields', () => {
  it('are merged into the current tags when the change is made', async () => {
    const { editor, writes } = await storedThing(device, {
      reply: { status: 204 },
      after: (sent) => ({ body: { ...device, ...sent } }),
    });
    const change = { retag: { add: ['c'], remove: ['a'] }, exception: true };
    expect(await editor.updateDevice(DEVICE, change)).toMatchObject({
      kind: 'done',
      result: { notApplied: [], alsoChanged: [], after: { tags: ['b', 'c'] } },
    });
    expect(writes().map(({ body }) => jsonOf(body))).toMatchObject([{ tags: ['b', 'c'], exception: true }]);
  });

  it.each<[TagChange, ChangeFault]>([
    [{ add: [' '], remove: [] }, { kind: 'blank-tag' }],
    [
      { add: [], remove: [] },
      { kind: 'nothing-named', what: 'tag' },
    ],
    [
      { add: ['a'], remove: ['a'] },
      { kind: 'tag-both-ways', tag: 'a' },
    ],
  ])('%j is refused before sending', async (retag, fault) => {
    const { editor, service } = await storedThing(device, nowhere);
    expect(await editor.updateDevice(DEVICE, { retag })).toMatchObject({
      kind: 'refused',
      error: { fault },
    });
    expect(service.requests).toEqual([]);
  });
});
