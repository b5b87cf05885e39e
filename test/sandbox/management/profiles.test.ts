/** Every difference between the profiles, observed over HTTP. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { PROFILE_DIFFERENCES, profileOf } from '../../../src/sandbox/management/profiles.ts';
import { type JsonRow, rowOf, startService, type TestService } from './harness/service.ts';

const PROFILES = ['documented', 'live'] as const;
const ROWS = Object.entries(PROFILE_DIFFERENCES).map(([id, difference]) => ({ id, ...difference }));

const WEB = '/servers/4001';
const PREVIEW = '/policies/device-filters-preview';

const PROBES: Readonly<Record<string, (service: TestService) => Promise<unknown>>> = {
  singleDevice: async ({ get }) => (Array.isArray((await get(WEB)).body) ? 'array' : 'object'),
  unsetName: async ({ rows }) => (await rows('/servers')).map((row) => row['custom_name']).find(isUnset),
  listDetails: async ({ rows }) => (await rows('/servers')).every(({ detail }) => 'CPU' in rowOf(detail)),
  listSwitches: async ({ rows }) =>
    (await rows('/servers?exclude_policy_status=1')).every(
      ({ policy_status }) => lengthOf(policy_status) === 0,
    ),
  bareUnscannedRows: async ({ rows }) => {
    const unscanned = (await rows('/servers')).filter((row) => row['last_refresh_time'] === null);
    return (
      same(unscanned.map(({ status, policy_status }) => `${JSON.stringify([status, policy_status])}`)) ===
      '[{},[null]]'
    );
  },

  serverPolicies: async (service) => lengthOf((await single(service))['server_policies']) > 0,
  newerFields: async (service) => {
    const { policy_status: statuses, ...device } = await single(service);
    const [installed] = await service.rows(`${WEB}/packages?limit=1`);
    return same([
      'is_compatible' in device,
      'will_reboot' in rowOf(Array.isArray(statuses) ? statuses[0] : null),
      'kev_cves' in rowOf(installed),
    ]);
  },
  // An hour after a reboot, the uptime is between fifty minutes and one hour.
  uptimeUnitMs: async (service) => {
    await service.post(`${WEB}/queues`, { command_type_name: 'Reboot' });
    await service.clock.advance(HOUR);
    await service.post(`${WEB}/queues`, { command_type_name: 'GetOS' });
    await service.clock.advance(10 * MINUTE);
    const uptime = Number((await single(service))['uptime']);
    return [SECOND, MINUTE].find((unit) => uptime * unit > 45 * MINUTE && uptime * unit < 75 * MINUTE);
  },
  sparsePackages: async ({ rows }) => {
    const ids = (await rows('/servers?limit=20')).map(({ id }) => id);
    const packages = await Promise.all(ids.map((id) => rows(`/servers/${id}/packages`)));
    return packages.flat().some((row) => !('display_name' in row));
  },

  noCves: async ({ rows }) =>
    (await rows('/servers/4004/packages'))
      .filter(({ installed, cves }) => installed === false && lengthOf(cves) === 0)
      .map(({ cves }) => cves)
      .at(0),
  logonTime: async ({ rows }) => {
    const forms: Readonly<Record<string, RegExp>> = {
      Windows: /^\d+\/\d+\/\d{4} \d+:\d\d:\d\d [AP]M$/,
      Mac: /^\d{4}-\d\d-\d\d \d\d:\d\d$/,
      Linux: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/,
    };
    const logons = (await rows('/servers?include_details=1')).flatMap(({ os_family: family, detail }) => {
      const { TIME } = rowOf(rowOf(detail)['LAST_USER_LOGON']);
      return TIME === undefined ? [] : [{ family: String(family), time: String(TIME) }];
    });
    if (logons.every(({ time }) => formOf(time) === 'offset')) return 'offset';
    const written = logons.filter(({ family, time }) => forms[family]?.test(time) === true);
    const families = new Set(written.map(({ family }) => family)).size;
    return written.length === logons.length && families === 3 ? 'agent' : logons;
  },
  emptyLogon: async (service) =>
    JSON.stringify(rowOf((await single(service))['detail'])['LAST_USER_LOGON']) === '{}',
  notificationId: async ({ rows }) => {
    const [sent] = await rows('/events?eventName=system.notification.sent');
    const id = rowOf(sent?.['data'])['notification_id'];
    return typeof id === 'string' && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)
      ? 'uuid'
      : typeof id;
  },
  eventTime: async ({ rows }) => same((await rows('/events')).map((row) => formOf(row['create_time']))),
  queueTime: async (service) => {
    await service.post(`${WEB}/queues`, { command_type_name: 'GetOS' });
    return same((await service.rows(`${WEB}/queues`)).map((row) => formOf(row['exec_time'])));
  },
  queueResponse: async (service) => {
    await service.post(`${WEB}/queues`, { command_type_name: 'GetOS' });
    await service.clock.advance(50 * SECOND);
    const [answered] = await service.rows(`${WEB}/queues`);
    return Array.isArray(answered?.['response']) ? 'list' : 'text';
  },
  plainCommandFields: async (service) => {
    for (const command_type_name of ['GetOS', 'Reboot'])
      await service.post(`${WEB}/queues`, { command_type_name });
    const entries = await service.rows(`${WEB}/queues`);
    const plain = [false, true].map((reboot) => ({ command_id: null, policy_id: 0, reboot }));
    const rich = [
      { command_id: null, policy_id: null, reboot: 0 },
      { command_id: 1_900_002, policy_id: 0, reboot: true },
    ];
    const sent = JSON.stringify(
      entries.map(({ command_id, policy_id, reboot }) => ({ command_id, policy_id, reboot })),
    );
    return [true, false].find((isPlain) => sent === JSON.stringify(isPlain ? plain : rich));
  },
  leastRefreshMinutes: async (service) => {
    const parent_server_group_id = (await service.rows('/servergroups')).find(({ name }) => name === '')?.[
      'id'
    ];
    for (const refresh_interval of [239, 240, 359, 360]) {
      const name = `every ${refresh_interval}`;
      const { status } = await service.post('/servergroups', {
        name,
        refresh_interval,
        parent_server_group_id,
      });
      if (status === 201) return refresh_interval;
    }
    return undefined;
  },
  notInOperator: (service) =>
    only(['not in', 'not_in'], (op) => isTaken(service, { field: 'os_family', op, value: ['Linux'] })),
  filterOperators: async (service) =>
    (await isTaken(service, { field: 'hostname', op: 'in', value: ['web-01'] })) ? 'any' : 'by field',
  newerFilterFields: (service) =>
    accepted(['organizational_unit', 'serial_number', 'colour'], (field) =>
      isTaken(service, { field, op: 'like_any', value: ['x'] }),
    ),
  previewAddresses: async (service) => {
    const { body } = await service.post(PREVIEW, {
      device_filters: [],
      server_groups: await groups(service),
    });
    const { results } = rowOf(body);
    const names = Object.keys(rowOf(Array.isArray(results) ? results[0] : null));
    const [first, second] = names.filter((name) => name.startsWith('ip_'));
    return { public: first, private: second };
  },
  previewWithoutGroups: async ({ post }) => (await post(PREVIEW, { device_filters: [] })).status,
  policyActions: async (service) => {
    const [policy] = await service.rows('/policies');
    return isThere(await service.post(`/policies/${policy?.['id']}/action`, { action: 'remediateAll' }));
  },
  batch: async ({ post }) => {
    const actions = [{ attribute: 'tags', action: 'apply', value: ['one'] }];
    return isThere(await post('/servers/batch', { devices: [4001], actions }));
  },
  assumedOrganization: async ({ raw, management: { apiKey } }) => {
    const { status } = await raw('/policies', { headers: { authorization: `Bearer ${apiKey}` } });
    return status === 200;
  },
  fleetPackages: async ({ get, management: { organizationId } }) =>
    isThere(await get(`/orgs/${organizationId}/packages?awaiting=1&limit=1`)),
  rateHeaders: async ({ management }) => {
    const { headers } = await fetch(`${management.baseUrl}/servers`);
    return same(['limit', 'remaining', 'reset'].map((name) => headers.has(`x-ratelimit-${name}`)));
  },
};

describe('the table of differences', () => {
  it('has a probe for every row, and a row for every probe', () => {
    expect(Object.keys(PROBES).sort()).toEqual(ROWS.map(({ id }) => id).sort());
  });

  it.each(ROWS)('has another value in each profile: $id', ({ documented, live }) => {
    expect(documented).not.toEqual(live);
  });

  it('makes a profile of each of its columns', () => {
    for (const profile of PROFILES) {
      expect(profileOf(profile)).toEqual(Object.fromEntries(ROWS.map((row) => [row.id, row[profile]])));
    }
    expect(profileOf()).toEqual(profileOf('live'));
  });
});

describe.each(PROFILES)('the %s service shows', (profile) => {
  it.each(ROWS)('its own $id', async ({ id, [profile]: value }) => {
    const service = await startService({ profile });
    expect(await PROBES[id]?.(service)).toEqual(value);
  });
});

/** The device of a single read, however the profile wraps it. */
async function single({ get }: TestService, path = WEB): Promise<JsonRow> {
  const { body } = await get(path);
  return rowOf(Array.isArray(body) ? body[0] : body);
}

async function groups({ rows }: TestService): Promise<readonly unknown[]> {
  return (await rows('/servergroups')).map(({ id }) => id);
}

async function isTaken(service: TestService, filter: object): Promise<boolean> {
  const body = { device_filters: [filter], server_groups: await groups(service) };
  return (await service.post(PREVIEW, body)).status === 200;
}

async function accepted(
  candidates: readonly string[],
  isAccepted: (candidate: string) => Promise<boolean>,
): Promise<readonly string[]> {
  const answers = await Promise.all(candidates.map(isAccepted));
  return candidates.filter((_, index) => answers[index]);
}

async function only(candidates: readonly string[], isAccepted: (candidate: string) => Promise<boolean>) {
  const taken = await accepted(candidates, isAccepted);
  return taken.length === 1 ? taken[0] : taken;
}

/** The common value; a difference that shows only in some places is none of the table's values. */
function same<T>(values: readonly T[]): T | readonly T[] {
  const [first, ...others] = new Set(values);
  return first === undefined || others.length > 0 ? values : first;
}

function isThere({ status }: { readonly status: number }): boolean {
  if (status !== 404 && status >= 300) throw new Error(`answered with ${status}`);
  return status !== 404;
}

function isUnset(name: unknown): boolean {
  return name === '' || name === null;
}

/** 0 for anything but a list. */
function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}

const FORMS = {
  offset: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/,
  seconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
  milliseconds: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  microseconds: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{6}$/,
};

function formOf(time: unknown): string | undefined {
  return Object.entries(FORMS).find(([, form]) => form.test(String(time)))?.[0];
}
