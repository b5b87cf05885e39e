import { describe, expect, it } from 'vitest';
import type { ChangeFault, GroupChange } from '../../../src/fleet/model/changes.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { scriptedFleet } from '../harness.ts';
import { GROUP, sentOf, stored, storedThing, type Thing } from './harness.ts';

const sentBack = {
  name: 'Web',
  refresh_interval: 1440,
  parent_server_group_id: 1,
  ui_color: '#059F1D',
  notes: 'Old',
  enable_os_auto_update: null,
  policies: [9, 10],
  // Unknown here, but preserved.
  quiet_hours: { from: 22 },
};

const taking = (before: Thing) => ({
  reply: { status: 204 },
  after: (sent: Thing) => ({ body: { ...before, ...sent } }),
});

describe('a change of a group', () => {
  it.each<[GroupChange, Thing]>([
    [{ name: 'Db' }, { name: 'Db' }],
    [{ refreshIntervalMinutes: 720 }, { refresh_interval: 720 }],
    [{ parentId: groupId(2) }, { parent_server_group_id: 2 }],
    [{ color: '#CC6666' }, { ui_color: '#CC6666' }],
    [{ notes: '' }, { notes: '' }],
    [{ osAutoUpdate: false }, { enable_os_auto_update: false }],
    [{ policyIds: [] }, { policies: [] }],
  ])('of %j is sent with all other fields, and read back', async (change, changed) => {
    const { editor, service } = await storedThing(stored(), taking(stored()));
    expect(await editor.updateGroup(GROUP, change)).toMatchObject({
      kind: 'done',
      result: { after: change, notApplied: [], unconfirmed: [], alsoChanged: [] },
    });
    expect(sentOf(service.requests)).toEqual([
      { method: 'GET', path: '/servergroups/5', query: { o: '7' }, body: null },
      { method: 'PUT', path: '/servergroups/5', query: { o: '7' }, body: { ...sentBack, ...changed } },
      { method: 'GET', path: '/servergroups/5', query: { o: '7' }, body: null },
    ]);
  });

  const managed = { is_managed: true, server_url: 'http://wsus.example:8530', id: 1 };
  const forced = { enable_wsus: true, wsus_server: 'http://wsus.example:8530' };
  it.each<[string, Thing, GroupChange, Thing]>([
    [
      'is kept when the change does not set it',
      { wsus_config: managed },
      { name: 'Db' },
      { name: 'Db', ...forced },
    ],
    ['keeps its server', { wsus_config: managed }, { wsus: { enabled: true } }, forced],
    [
      'loses its server when it ends',
      { wsus_config: managed },
      { wsus: { enabled: false } },
      { enable_wsus: false },
    ],
    [
      'gets another server',
      { wsus_config: managed },
      { wsus: { enabled: true, server: 'http://other.example:80' } },
      { enable_wsus: true, wsus_server: 'http://other.example:80' },
    ],
    [
      'stays unset where its parts are null',
      { wsus_config: { is_managed: null, server_url: null } },
      { name: 'Db' },
      { name: 'Db', enable_wsus: null },
    ],
  ])('WSUS %s', async (_, more, change, sent) => {
    const { editor, writes } = await storedThing(stored(more), { reply: { status: 204 } });
    expect(await editor.updateGroup(GROUP, change)).toMatchObject({ kind: 'done' });
    expect(sentOf(writes())).toMatchObject([{ body: { ...sentBack, ...sent } }]);
    expect(Object.keys(sentOf(writes())[0]?.body ?? {}).sort()).toEqual(
      Object.keys({ ...sentBack, ...sent }).sort(),
    );
  });

  it('sends no policies for a group that shows none as [0]', async () => {
    const { editor, writes } = await storedThing(stored({ policies: [0] }), { reply: { status: 204 } });
    await editor.updateGroup(GROUP, { name: 'Db' });
    expect(sentOf(writes())).toMatchObject([{ body: { policies: [] } }]);
  });

  it('of the Default Group keeps its blank name and itself as its parent', async () => {
    const before = stored({ name: '', parent_server_group_id: 5 });
    const { editor, writes } = await storedThing(before, taking(before));
    expect(await editor.updateGroup(GROUP, { notes: 'New' })).toMatchObject({ kind: 'done' });
    expect(sentOf(writes())).toMatchObject([{ body: { name: '', parent_server_group_id: 5, notes: 'New' } }]);
  });

  it.each<[string, Thing, GroupChange, ChangeFault]>([
    ['below itself', {}, { parentId: GROUP }, { kind: 'group-below-itself' }],
    [
      'whose interval is not said',
      { refresh_interval: null },
      { name: 'Db' },
      { kind: 'not-shown', what: 'group-refresh-interval' },
    ],
  ])('%s is refused and nothing is sent', async (_, more, change, fault) => {
    const { editor, writes } = await storedThing(stored(more), { reply: { status: 204 } });
    expect(await editor.updateGroup(GROUP, change)).toMatchObject({ kind: 'refused', error: { fault } });
    expect(writes()).toHaveLength(0);
  });

  it.each<[GroupChange, ChangeFault]>([
    [{}, { kind: 'nothing-named', what: 'change' }],
    [{ name: ' ' }, { kind: 'blank-group-name' }],
    [{ refreshIntervalMinutes: 1 }, { kind: 'refresh-interval', least: 240, most: 1440 }],
  ])('of %j is refused without a request', async (change, fault) => {
    const { editor, service } = await storedThing(stored(), { reply: { status: 204 } });
    expect(await editor.updateGroup(GROUP, change)).toMatchObject({ kind: 'refused', error: { fault } });
    expect(service.requests).toHaveLength(0);
  });

  it('names what was not applied and what else changed', async () => {
    const after = stored({ notes: 'Someone else’s', policies: [] });
    const { editor } = await storedThing(stored(), {
      reply: { status: 204 },
      after: () => ({ body: after }),
    });
    expect(await editor.updateGroup(GROUP, { name: 'Db' })).toMatchObject({
      kind: 'done',
      result: { notApplied: ['name'], alsoChanged: ['notes', 'policyIds'] },
    });
  });

  it.each<[string, GroupChange, string]>([
    ['is done when the group reads as wanted', { name: 'Db' }, 'done'],
    ['is unknown when the group does not show it', { name: 'Db', wsus: { enabled: true } }, 'unknown'],
  ])('with a lost answer %s', async (_, change, kind) => {
    const { editor, writes } = await storedThing(stored(), {
      reply: 'drop',
      after: () => ({ body: stored({ name: 'Db' }) }),
    });
    expect(await editor.updateGroup(GROUP, change)).toMatchObject({ kind });
    expect(writes()).toHaveLength(1);
  });

  it('that was deleted is missing, not forbidden', async () => {
    const { editor, service } = await scriptedFleet(({ path }) =>
      path === '/servergroups' ? { body: [] } : { status: 403 },
    );
    expect(await editor.updateGroup(GROUP, { name: 'Db' })).toMatchObject({
      kind: 'refused',
      error: { kind: 'missing' },
    });
    expect(service.requests.map(({ method }) => method)).not.toContain('PUT');
  });
});
