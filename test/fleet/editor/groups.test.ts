import { describe, expect, it } from 'vitest';
import type { ChangeFault, GroupChange, NewGroup } from '../../../src/fleet/model/changes.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { ORGANIZATION, scriptedFleet } from '../harness.ts';
import type { Reply } from '../scripted-server.ts';
import { becoming, GROUP, sentOf, stored, storedThing, TAKEN, type Thing, taking } from './harness.ts';

const least: NewGroup = { name: 'Web', refreshIntervalMinutes: 360, parentId: groupId(1) };
const sentLeast = { name: 'Web', refresh_interval: 360, parent_server_group_id: 1 };

/** The fields of the documented answer (§4.1). */
const echo = (more: Thing = {}) => ({
  id: 5,
  organization_id: ORGANIZATION,
  ...sentLeast,
  ui_color: null,
  notes: '',
  enable_os_auto_update: null,
  wsus_config: null,
  ...more,
});

const SERVER = 'http://wsus.example:8530';
const POLICIES = { policyIds: [policyId(9)] };
const wsus = (server: string) => ({ wsus: { enabled: true, server } });

describe('a new group', () => {
  it.each<[string, Partial<NewGroup>, Thing, Thing, readonly string[]]>([
    ['with what is required', {}, {}, {}, []],
    ['with a color by value', { color: '#abcdef' }, { ui_color: '#abcdef' }, { ui_color: '#ABCDEF' }, []],
    ['with a color by name', { color: 'utah clay' }, { ui_color: '#D78500' }, { ui_color: '#D78500' }, []],
    ['with notes', { notes: 'Front' }, { notes: 'Front' }, { notes: 'Front' }, []],
    [
      'with updates on',
      { osAutoUpdate: true },
      { enable_os_auto_update: true },
      { enable_os_auto_update: true },
      [],
    ],
    ['with updates as they are', { osAutoUpdate: null }, { enable_os_auto_update: null }, {}, []],
    ['with WSUS, not echoed', wsus(SERVER), { enable_wsus: true, wsus_server: SERVER }, {}, ['wsus']],
    [
      'with WSUS, which is echoed',
      wsus(SERVER),
      { enable_wsus: true, wsus_server: SERVER },
      { wsus_config: { is_managed: true, server_url: SERVER } },
      [],
    ],
    [
      'with WSUS, which is echoed empty',
      { wsus: { enabled: false } },
      { enable_wsus: false },
      { wsus_config: { is_managed: null, server_url: null } },
      ['wsus'],
    ],
    ['with policies, which are not echoed', POLICIES, { policies: [9] }, {}, ['policyIds']],
    ['with policies, which are echoed', POLICIES, { policies: [9] }, { policies: [9] }, []],
  ])('%s is sent once', async (_, more, sent, echoed, unconfirmed) => {
    const { editor, service } = await scriptedFleet({ status: 201, body: echo(echoed) });
    expect(await editor.createGroup({ ...least, ...more })).toMatchObject({
      kind: 'done',
      result: { group: { id: 5, name: 'Web' }, notApplied: [], unconfirmed },
    });
    expect(sentOf(service.requests)).toEqual([
      { method: 'POST', path: '/servergroups', query: { o: '7' }, body: { ...sentLeast, ...sent } },
    ]);
  });

  it.each<[string, Partial<NewGroup>, Thing]>([
    ['refreshIntervalMinutes', { refreshIntervalMinutes: 720 }, { refresh_interval: 1440 }],
    ['parentId', { parentId: groupId(2) }, {}],
    ['color', { color: 'Salmon' }, { ui_color: '#059F1D' }],
    ['notes', { notes: 'Front' }, { notes: null }],
    ['osAutoUpdate', { osAutoUpdate: false }, { enable_os_auto_update: true }],
    ['wsus', { wsus: { enabled: true } }, { wsus_config: { is_managed: false } }],
    ['policyIds', POLICIES, { policies: [] }],
  ])('reports that the service echoed %s differently', async (field, more, echoed) => {
    const { editor } = await scriptedFleet({ status: 201, body: echo(echoed) });
    expect(await editor.createGroup({ ...least, ...more })).toMatchObject({
      kind: 'done',
      result: { notApplied: [field], unconfirmed: [] },
    });
  });

  const anInterval = (least: number) => ({ kind: 'refresh-interval', least, most: 1440 }) as const;
  const aWsus = { kind: 'wsus-address' } as const;
  const aColor = { kind: 'group-color' } as const;
  it.each<[string, Partial<NewGroup>, ChangeFault]>([
    ['no name', { name: '' }, { kind: 'blank-group-name' }],
    ['a blank name', { name: ' \t' }, { kind: 'blank-group-name' }],
    ['too short an interval', { refreshIntervalMinutes: 239 }, anInterval(240)],
    ['too long an interval', { refreshIntervalMinutes: 1441 }, anInterval(240)],
    ['half a minute', { refreshIntervalMinutes: 300.5 }, anInterval(240)],
    ['no number of minutes', { refreshIntervalMinutes: Number.NaN }, anInterval(240)],
    ['a color without its mark', { color: 'abcdef' }, aColor],
    ['a short color', { color: '#abc' }, aColor],
    ['an unknown color', { color: 'Blue' }, aColor],
    ['WSUS without its port', wsus('http://wsus.example'), aWsus],
    ['WSUS over TLS', wsus('https://wsus.example:8531'), aWsus],
    ['WSUS with a slash', wsus('http://wsus.example:8530/'), aWsus],
    ['WSUS with a path', wsus('http://wsus.example:8530/a'), aWsus],
    ['WSUS with a person', wsus('http://me@wsus.example:8530'), aWsus],
    ['WSUS with no host', wsus('http://:8530'), aWsus],
    ['WSUS with port 0', wsus('http://wsus.example:0'), aWsus],
    ['WSUS with a port too high', wsus('http://wsus.example:65536'), aWsus],
    ['WSUS with a blank', wsus(' http://wsus.example:8530'), aWsus],
    ['WSUS of half an address', wsus('http://[::1:8530'), aWsus],
    ['a server without WSUS', { wsus: { enabled: null, server: SERVER } }, { kind: 'wsus-not-forced' }],
  ])('with %s is refused without being sent', async (_, more, fault) => {
    const { editor, service } = await scriptedFleet({ status: 201, body: echo() });
    expect(await editor.createGroup({ ...least, ...more })).toEqual({
      kind: 'refused',
      error: { kind: 'invalid', method: 'POST', path: '/servergroups', status: null, detail: '', fault },
    });
    expect(service.requests).toHaveLength(0);
  });

  it.each([
    ['live', 240, 'done'],
    ['live', 1440, 'done'],
    ['documented', 240, 'refused'],
    ['documented', 359, 'refused'],
    ['documented', 360, 'done'],
  ] as const)('in the %s dialect with an interval of %i minutes is %s', async (dialect, minutes, kind) => {
    const { editor } = await scriptedFleet({ status: 201, body: echo() }, { dialect });
    expect(await editor.createGroup({ ...least, refreshIntervalMinutes: minutes })).toMatchObject({ kind });
  });

  it.each(['http://wsus.example:1', 'http://10.0.0.7:65535', 'http://[2001:db8::7]:8530'])(
    'takes the WSUS server %s',
    async (server) => {
      const { editor, service } = await scriptedFleet({ status: 201, body: echo() });
      expect(await editor.createGroup({ ...least, ...wsus(server) })).toMatchObject({ kind: 'done' });
      expect(sentOf(service.requests)).toMatchObject([{ body: { wsus_server: server } }]);
    },
  );

  it.each<[string, Reply, string]>([
    ['400', { status: 400, body: { errors: { name: ['Taken.'] } } }, 'refused'],
    ['403', { status: 403 }, 'refused'],
    ['500', { status: 500 }, 'unknown'],
    ['a dropped connection', 'drop', 'unknown'],
    ['201 without a body', { status: 201 }, 'unknown'],
    ['201 with another organization', { status: 201, body: echo({ organization_id: 8 }) }, 'unknown'],
  ])('answered by %s is sent once and %s', async (_, reply, kind) => {
    const { editor, service } = await scriptedFleet(reply);
    expect(await editor.createGroup(least)).toMatchObject({ kind, error: { path: '/servergroups' } });
    expect(service.requests).toHaveLength(1);
  });
});

describe('the deletion of a group', () => {
  it('is sent after the group was read', async () => {
    const { editor, service } = await storedThing(stored(), becoming({ status: 404 }));
    expect(await editor.deleteGroup(GROUP)).toEqual({ kind: 'done', result: { gone: true } });
    expect(sentOf(service.requests)).toEqual([
      { method: 'GET', path: '/servergroups/5', query: { o: '7' }, body: null },
      { method: 'DELETE', path: '/servergroups/5', query: { o: '7' }, body: null },
      { method: 'GET', path: '/servergroups/5', query: { o: '7' }, body: null },
    ]);
  });

  it.each([{ name: '' }, { parent_server_group_id: 5 }])(
    'is refused for the Default Group: %j',
    async (more) => {
      const { editor, writes } = await storedThing(stored(more), TAKEN);
      expect(await editor.deleteGroup(GROUP)).toMatchObject({
        kind: 'refused',
        error: { fault: { kind: 'default-group' }, method: 'DELETE' },
      });
      expect(writes()).toHaveLength(0);
    },
  );

  it.each<[string, Reply, Reply, string]>([
    ['is refused by 400', { status: 400 }, { body: stored() }, 'refused'],
    ['with a lost answer is done when the group is gone', 'drop', { status: 404 }, 'done'],
    ['with a lost answer is unknown when the group still exists', 'drop', { body: stored() }, 'unknown'],
  ])('%s', async (_, reply, after, kind) => {
    const { editor, writes } = await storedThing(stored(), { reply, after: () => after });
    expect(await editor.deleteGroup(GROUP)).toMatchObject({ kind });
    expect(writes()).toHaveLength(1);
  });
});

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

  const managed = { is_managed: true, server_url: SERVER, id: 1 };
  const forced = { enable_wsus: true, wsus_server: SERVER };
  it.each<[string, Thing, GroupChange, Thing]>([
    ['is kept when it is not set', { wsus_config: managed }, { name: 'Db' }, { name: 'Db', ...forced }],
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
    const { editor, writes } = await storedThing(stored(more), TAKEN);
    expect(await editor.updateGroup(GROUP, change)).toMatchObject({ kind: 'done' });
    expect(sentOf(writes())).toMatchObject([{ body: { ...sentBack, ...sent } }]);
    expect(Object.keys(sentOf(writes())[0]?.body ?? {}).sort()).toEqual(
      Object.keys({ ...sentBack, ...sent }).sort(),
    );
  });

  it('sends no policies for a group that shows none as [0]', async () => {
    const { editor, writes } = await storedThing(stored({ policies: [0] }), TAKEN);
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
    const { editor, writes } = await storedThing(stored(more), TAKEN);
    expect(await editor.updateGroup(GROUP, change)).toMatchObject({ kind: 'refused', error: { fault } });
    expect(writes()).toHaveLength(0);
  });

  it.each<[GroupChange, ChangeFault]>([
    [{}, { kind: 'nothing-named', what: 'change' }],
    [{ name: ' ' }, { kind: 'blank-group-name' }],
    [{ refreshIntervalMinutes: 1 }, { kind: 'refresh-interval', least: 240, most: 1440 }],
  ])('of %j is refused without a request', async (change, fault) => {
    const { editor, service } = await storedThing(stored(), TAKEN);
    expect(await editor.updateGroup(GROUP, change)).toMatchObject({ kind: 'refused', error: { fault } });
    expect(service.requests).toHaveLength(0);
  });

  it('names what was not applied and what else changed', async () => {
    const after = stored({ notes: 'Someone else’s', policies: [] });
    const { editor } = await storedThing(stored(), becoming({ body: after }));
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
