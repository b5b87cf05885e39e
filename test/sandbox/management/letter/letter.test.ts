/**
 * The local service against a client that keeps to the letter of the interface document: every endpoint, parameter,
 * field, form and status. Disagreements are rows with their source.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { useStarted } from '../../../harness/use-started.ts';
import { startCoverageStage } from '../coverage/coverage-harness.ts';
import { filterOperators, parametersIn, wordsUnder } from '../coverage/interface-document.ts';
import { isObject, type Json } from '../coverage/json-fields.ts';
import { KNOWN } from './known.ts';
import { disagreements, isListed } from './letter-check.ts';
import {
  type Call,
  ENDPOINTS,
  endpointOf,
  objectsIn,
  type Reply,
  type Section,
  send,
} from './letter-client.ts';
import { PARAMETER_RULES } from './parameter-rules.ts';

describe.each(['documented', 'live'] as const)('the %s service', (profile) => {
  const stage = useStarted(() => startCoverageStage(profile));
  let all: { readonly groups: readonly Json[]; readonly devices: readonly Json[] } = {
    groups: [],
    devices: [],
  };
  beforeAll(async () => {
    all = { groups: await rows('GET /servergroups'), devices: await rows('GET /servers') };
  });

  const ask = (title: string, call?: Call): Promise<Reply> => send(stage.management, title, call);
  async function rows(title: string, call?: Call): Promise<readonly Json[]> {
    const { status, body } = await ask(title, call);
    expect(status).toBe(200);
    return objectsIn({ answer: isObject(body) && 'results' in body ? 'page' : 'list' }, body);
  }
  const ids = (found: readonly Json[]) => found.map(({ id }) => Number(id));
  const defaultGroup = () => Number(all.groups.find(({ name }) => name === '')?.['id']);
  const everyGroup = () => ids(all.groups);
  const aDevice = () => Number(all.devices.find(({ os_family }) => os_family === 'Windows')?.['id']);

  /** Bodies with every field of the document. */
  const bodies: Readonly<Record<string, () => Json>> = {
    '4.1': () => ({
      name: 'Branch offices',
      refresh_interval: 720,
      parent_server_group_id: defaultGroup(),
      ui_color: '#BD0FE1',
      notes: 'Seldom online.',
      enable_os_auto_update: true,
      enable_wsus: true,
      wsus_server: 'http://branch.example.com:8530',
      policies: [],
    }),
    '4.2': () => ({
      device_filters: [{ field: 'os_family', op: 'in', value: ['Windows'] }],
      server_groups: everyGroup(),
    }),
    '4.3': () => ({ command_type_name: 'InstallUpdate', args: 'KB5042881 GoogleChrome' }),
    '4.4': () => ({ ip_addrs: ['203.0.113.77'], exception: true, tags: ['till'], custom_name: 'Till 4' }),
  };
  const callFor = (section: Section, id = aDevice()): Call => {
    const body = bodies[section]?.();
    return { id, ...(body === undefined ? {} : { body }) };
  };

  it.each(ENDPOINTS.map(({ section, title }) => [section, title] as const))(
    '§%s %s answers as documented',
    async (section, title) => {
      const endpoint = endpointOf(section);
      stage.management.reset();
      if (section === '4.8') await ask('POST /servers/{id}/queues', callFor('4.3'));
      // The named devices of the seed: each lacks something that another has.
      const everyone = ['4.6', '4.7'].includes(section) ? ids(all.devices).slice(0, 12) : [aDevice()];
      const found = new Set<string>();
      for (const id of everyone)
        for (const line of disagreements(endpoint, await ask(title, callFor(section, id)))) found.add(line);
      const known = KNOWN.filter((row) => row.titles.includes(title) && row.profiles.includes(profile));
      expect([...found].sort()).toEqual(known.flatMap(({ lines }) => lines).sort());
    },
  );

  it('names only events and commands of the document', async () => {
    for (const { name } of await rows('GET /events')) expect(isListed('name', name), String(name)).toBe(true);
    const id = aDevice();
    const worklet = Number(
      (await rows('GET /policies')).find((one) => one['policy_type_name'] === 'custom')?.['id'],
    );
    for (const word of wordsUnder('command_type_name | Effect')) {
      const command_type_name = word.replace('{policy_id}', String(worklet));
      const body = { command_type_name, ...(word === 'InstallUpdate' ? { args: 'KB5042881' } : {}) };
      expect(await ask('POST /servers/{id}/queues', { id, body })).toEqual({ status: 201, body: null });
      const entry = (await rows('GET /servers/{id}/queues', { id })).at(-1);
      expect(entry).toMatchObject(body);
      expect(isListed('command_type_name', entry?.['command_type_name'])).toBe(true);
    }
  });

  it('takes the time of a command as the samples have it, and a command without a type of its body', async () => {
    const id = aDevice();
    const body = { command_type_name: 'GetOS', exec_time: '2026-03-12T04:00:00+0000' };
    for (const call of [{ body }, { body, untyped: true }] as const)
      expect(await ask('POST /servers/{id}/queues', { id, ...call })).toEqual({ status: 201, body: null });
    const times = (await rows('GET /servers/{id}/queues', { id })).map((entry) => String(entry['exec_time']));
    expect(times.filter((time) => time.startsWith('2026-03-12T04:00:00'))).toHaveLength(2);
  });

  it('takes a number as PS_VERSION of one device', async () => {
    const call = { id: aDevice(), query: { PS_VERSION: 5 } };
    expect((await ask('GET /servers/{id}', call)).status).toBe(200);
  });

  describe.each(Object.entries(PARAMETER_RULES))('%s', (title, rules) => {
    const { query } = endpointOf(title === 'GET /servers' ? '4.5' : '4.9');
    const paging = ['o', 'limit', 'page', 'l', 'p', 'countOnly'];
    let whole: readonly Json[] = [];
    beforeAll(async () => {
      stage.management.reset();
      // What lists of the live service leave out is judged by the device itself.
      const devices = title === 'GET /servers' ? ids(all.devices) : [];
      const single = await Promise.all(devices.map((id) => rows('GET /servers/{id}', { id })));
      whole = devices.length > 0 ? single.flat() : await rows(title);
    });

    it('has a rule for every parameter of the document', () => {
      const named = query.map(({ name }) => name).filter((name) => !paging.includes(name));
      // In the request samples only (§4.5).
      const sampled = title === 'GET /servers' ? ['needsAttention'] : [];
      expect(Object.keys(rules).sort()).toEqual([...named, ...sampled].sort());
    });

    it.each(Object.entries(rules))(
      '%s leaves the rows of its value, and no other',
      async (name, { values, keeps }) => {
        const tried = values(whole);
        expect(tried.length).toBeGreaterThan(0);
        for (const value of tried) {
          const kept = whole.filter((row) => keeps(row, value));
          expect(kept.length, `${name}=${value}`).toBeLessThan(whole.length);
          const found = await rows(title, { query: { [name]: value } });
          expect(ids(found).sort(), `${name}=${value}`).toEqual(ids(kept).sort());
        }
      },
    );
  });

  it.each(['GET /servers', 'GET /events'])(
    '%s assumes the organization from the key without o',
    async (title) => {
      expect(ids(await rows(title, { query: { o: null } }))).toEqual(ids(await rows(title)));
    },
  );

  it('counts events with countOnly, and those of one name', async () => {
    // The shape is not shown; that it is a count follows from its name.
    const count = async (query: Json) => JSON.stringify((await ask('GET /events', { query })).body);
    expect(await count({ countOnly: 1 })).toMatch(/\d/);
    expect(await count({ countOnly: 1, eventName: 'system.add' })).not.toBe(await count({ countOnly: 1 }));
    expect(await rows('GET /events', { query: { countOnly: 0 } })).toEqual(await rows('GET /events'));
  });

  const paged = ENDPOINTS.filter(({ query }) => query.some(({ name }) => name === 'limit'));
  it.each(paged.map(({ section, title }) => [title, section] as const))(
    '%s keeps limit and page',
    async (title, section) => {
      stage.management.reset();
      const call = callFor(section);
      const {
        most = 0,
        least = 0,
        otherwise = 0,
      } = endpointOf(section).query.find(({ name }) => name === 'limit') ?? {};
      const page = (query: Json) => rows(title, { ...call, query });
      const whole = await page({ limit: most });
      expect([least, whole.length > 4]).toEqual([1, true]);
      expect(await page({})).toEqual(whole.slice(0, otherwise));
      expect(await page({ limit: 2 })).toEqual(whole.slice(0, 2));
      expect(await page({ limit: 2, page: 0 })).toEqual(whole.slice(0, 2));
      expect(await page({ limit: 2, page: 1 })).toEqual(whole.slice(2, 4));
      for (const query of [{ limit: least - 1 }, { limit: most + 1 }, { page: -1 }])
        expect((await ask(title, { ...call, query })).status).toBeGreaterThanOrEqual(400);
    },
  );

  it('takes the deprecated l and p for limit and page', async () => {
    const devices = await rows('GET /servers');
    expect(await rows('GET /servers', { query: { l: 3, p: 1 } })).toEqual(devices.slice(3, 6));
  });

  it('previews with every operator of every field', async () => {
    const size = async (field: string, op: string, value: readonly unknown[]) => {
      const spelled = profile === 'live' ? op.replace('not in', 'not_in') : op;
      const body = { device_filters: [{ field, op: spelled, value }], server_groups: everyGroup() };
      const reply = await ask('POST /policies/device-filters-preview', { body });
      expect(reply.status, `${field} ${op}`).toBe(200);
      return isObject(reply.body) ? Number(reply.body['size']) : 0;
    };
    const sample: Json = {
      ...{ os_family: 'Linux', os_version_id: String(all.devices[0]?.['os_version_id']) },
      ...{ ip_addr: '203.0.113', tag: 'critical', hostname: 'web' },
    };
    for (const [field, [keep = '', leave = '']] of filterOperators()) {
      const [kept, left] = [
        await size(field, keep, [sample[field]]),
        await size(field, leave, [sample[field]]),
      ];
      expect(kept + left, field).toBe(all.devices.length);
      expect(kept, field).toBeGreaterThan(0);
    }
  });

  it('creates a group from every field, and from the required ones alone', async () => {
    const { refresh_interval, enable_wsus, wsus_server, policies, ...echoed } = bodies['4.1']?.() ?? {};
    const create = (body: Json) => ask('POST /servergroups', { body });
    const whole = { ...echoed, refresh_interval, enable_wsus, wsus_server, policies };
    expect(await create(whole)).toMatchObject({ status: 201, body: { ...echoed, refresh_interval } });
    const required = parametersIn('4.1', 'Body').filter((one) => one.required);
    const least = Object.fromEntries(required.map(({ name }) => [name, Reflect.get(whole, name)]));
    expect((await create({ ...least, name: 'Least' })).status).toBe(201);
    for (const { name } of required)
      expect((await create({ ...whole, [name]: undefined })).status, name).toBeGreaterThanOrEqual(400);
    const { least: from = 0, most: to = 0 } = required.find(({ name }) => name === 'refresh_interval') ?? {};
    for (const minutes of [from, to])
      expect((await create({ ...least, name: `${minutes}`, refresh_interval: minutes })).status).toBe(201);
    for (const minutes of profile === 'live' ? [to + 1] : [from - 1, to + 1])
      expect((await create({ ...least, refresh_interval: minutes })).status).toBeGreaterThanOrEqual(400);
    for (const color of ['#123456', 'any text'])
      expect(await create({ ...least, name: color, ui_color: color })).toMatchObject({
        status: 201,
        body: { ui_color: color },
      });
    for (const value of [null, true, false]) {
      const created = await create({
        ...least,
        name: `${value}`,
        enable_os_auto_update: value,
        enable_wsus: value,
      });
      expect(created).toMatchObject({ status: 201, body: { enable_os_auto_update: value } });
    }
  });

  it('changes every field of a device, and its group in the query or in the body', async () => {
    const id = aDevice();
    const device = async () => (await rows('GET /servers/{id}', { id })).at(0);
    const body = bodies['4.4']?.() ?? {};
    expect(Object.keys(body).sort()).toEqual(
      parametersIn('4.4', 'Body')
        .map(({ name }) => name)
        .sort(),
    );
    const put = (call: Call) => ask('PUT /servers/{id}', { id, ...call });
    expect(await put({ body })).toEqual({ status: 204, body: null });
    expect(await device()).toMatchObject(body);
    const [first, second] = everyGroup().filter((group) => group !== defaultGroup());
    await put({ query: { server_group_id: first }, body });
    expect(await device()).toMatchObject({ server_group_id: first });
    await put({ body: { ...body, server_group_id: second, custom_name: null } });
    expect((await put({ body, untyped: true })).status).toBeGreaterThanOrEqual(400);
    const unset = profile === 'live' ? '' : null;
    expect(await device()).toMatchObject({ server_group_id: second, custom_name: unset });
  });

  it.each(ENDPOINTS.map(({ section, title }) => [title, section] as const))(
    '%s answers nobody without a key',
    async (title, section) => {
      const { status } = await ask(title, { ...callFor(section), key: null });
      expect(status).toBeGreaterThanOrEqual(400);
    },
  );
});
