/** What the fields of a policy take (§4.10). */
import { describe, expect, it } from 'vitest';
import { policyFieldFaults } from '../../../src/fleet/editor/policy-fields.ts';
import type { NewPolicy, PolicyChange, PolicyField } from '../../../src/fleet/model/changes.ts';
import { groupId, policyId } from '../../../src/lib/ids.ts';
import { ORGANIZATION, scriptedFleet } from '../harness.ts';
import type { Reply } from '../scripted-server.ts';
import { becoming, NOTHING_ELSE, sentOf, storedThing, TAKEN, type Thing, taking } from './harness.ts';

const POLICY = policyId(9);
const CONFIGURATION = {
  patch_rule: 'filter',
  password: 'the-secret',
  filters: ['*Chrome*'],
  auto_reboot: false,
  secrets: { token: { id: 'x' } },
};
const stored = (more: Thing = {}): Thing => ({
  id: 9,
  uuid: 'c0ffee',
  organization_id: ORGANIZATION,
  name: 'Browsers',
  policy_type_name: 'patch',
  notes: 'Old',
  configuration: CONFIGURATION,
  schedule_days: 254,
  schedule_weeks_of_month: 62,
  schedule_months: 8190,
  schedule_time: '02:00',
  server_groups: [5],
  server_count: 12,
  status: 'active',
  create_time: '2026-01-01T00:00:00+0000',
  next_remediation: null,
  scheduled_timezone: 'UTC+0000',
  ...more,
});
const {
  uuid: _u,
  server_count: _c,
  status: _s,
  create_time: _t,
  next_remediation: _n,
  ...sentBack
} = stored();

describe('a change of a policy', () => {
  it.each<[PolicyChange, Thing]>([
    [{ name: 'Chrome' }, { name: 'Chrome' }],
    [{ notes: '' }, { notes: '' }],
    [{ days: 62 }, { schedule_days: 62 }],
    [
      { days: 0, weeksOfMonth: 2, months: 4, time: '23:59' },
      { schedule_days: 0, schedule_weeks_of_month: 2, schedule_months: 4, schedule_time: '23:59' },
    ],
    [{ groupIds: [groupId(6), groupId(7)] }, { server_groups: [6, 7] }],
    [{ timezone: 'UTC+0530' }, { use_scheduled_timezone: true, scheduled_timezone: 'UTC+0530' }],
    [{ timezone: 'device' }, { use_scheduled_timezone: false }],
    [
      { settings: { autoReboot: true, deferrals: 2, deferralHours: [8, 1], pendingTextMac: 'Restart now' } },
      {
        configuration: {
          ...CONFIGURATION,
          auto_reboot: true,
          custom_notification_max_delays: 2,
          custom_notification_deferment_periods: [8, 1],
          custom_pending_reboot_notification_message_mac: 'Restart now',
        },
      },
    ],
  ])('of %j is sent with all other fields and the id, and read back', async (change, changed) => {
    const { editor, service } = await storedThing(stored(), taking(stored()));
    const outcome = await editor.updatePolicy(POLICY, change);
    expect(outcome).toMatchObject({ kind: 'done', result: { after: { id: 9 }, ...NOTHING_ELSE } });
    // The raw policy holds scripts and secrets.
    expect(JSON.stringify(outcome)).not.toContain('the-secret');
    expect(sentOf(service.requests)).toEqual([
      { method: 'GET', path: '/policies/9', query: { o: '7' }, body: null },
      { method: 'PUT', path: '/policies/9', query: { o: '7' }, body: { ...sentBack, ...changed } },
      { method: 'GET', path: '/policies/9', query: { o: '7' }, body: null },
    ]);
  });

  it('sends back configuration values that are named like secrets', async () => {
    const configuration = { api_key: 'the-secret', inner: { secret: 'the-secret' } };
    const { editor, service } = await storedThing(
      stored({ configuration }),
      taking(stored({ configuration })),
    );
    const outcome = await editor.updatePolicy(POLICY, { notes: 'New' });
    expect(outcome).toMatchObject({ kind: 'done', result: NOTHING_ELSE });
    expect(sentOf(service.requests)[1]?.body).toMatchObject({ configuration });
    expect(JSON.stringify(outcome)).not.toContain('the-secret');
  });

  const OWN_ZONE = { ...CONFIGURATION, use_scheduled_timezone: false };
  it.each<[string, Thing, PolicyChange, Thing]>([
    ['sends no groups for null, which is not taken', { server_groups: null }, {}, { server_groups: [] }],
    [
      'changes the time zone in the configuration too, where that holds it',
      { configuration: OWN_ZONE },
      { timezone: 'UTC+0530' },
      { use_scheduled_timezone: true, configuration: { ...OWN_ZONE, use_scheduled_timezone: true } },
    ],
  ])('%s', async (_, shown, change, sent) => {
    const { editor, service } = await storedThing(stored(shown), taking(stored(shown)));
    const outcome = await editor.updatePolicy(POLICY, { notes: 'New', ...change });
    expect(outcome).toMatchObject({ kind: 'done', result: NOTHING_ELSE });
    expect(sentOf(service.requests)[1]?.body).toMatchObject(sent);
  });

  it('a secret that another policy begins to share meanwhile is no change', async () => {
    const bound = (numPolicies: number) =>
      stored({
        notes: 'New',
        configuration: { ...CONFIGURATION, secrets: { apiKey: { id: 'a', numPolicies } } },
      });
    const { editor } = await storedThing(bound(1), becoming({ body: bound(2) }));
    expect(await editor.updatePolicy(POLICY, { notes: 'New' })).toMatchObject({
      kind: 'done',
      result: NOTHING_ELSE,
    });
  });

  const zonedInConfiguration = (zone: string) =>
    stored({
      configuration: { ...CONFIGURATION, use_scheduled_timezone: true, scheduled_timezone: zone },
      scheduled_timezone: undefined,
    });
  it.each<[PolicyChange, Thing, readonly string[], readonly string[], readonly string[]]>([
    [{ name: 'Chrome' }, stored(), ['name'], [], []],
    [{ settings: { autoReboot: true } }, stored(), ['autoReboot'], [], []],
    [{ settings: { timeout: 30 } }, stored(), [], ['timeout'], []],
    [{ time: '03:00' }, stored({ name: 'Else' }), ['time'], [], ['name']],
    [{ notes: 'New' }, stored({ notes: undefined }), [], ['notes'], []],
    [{ timezone: 'UTC+0530' }, zonedInConfiguration('UTC+0530'), [], [], []],
    [{ timezone: 'UTC+0530' }, zonedInConfiguration('UTC+0100'), ['timezone'], [], []],
    [
      { notes: 'New' },
      stored({ notes: 'New', configuration: { auto_reboot: true } }),
      [],
      [],
      ['configuration', 'autoReboot'],
    ],
  ])(
    'of %j is compared with what reads back',
    async (change, after, notApplied, unconfirmed, alsoChanged) => {
      const { editor } = await storedThing(stored(), becoming({ body: after }));
      expect(await editor.updatePolicy(POLICY, change)).toMatchObject({
        kind: 'done',
        result: { notApplied, unconfirmed, alsoChanged },
      });
    },
  );

  it.each<[Reply, Thing, string]>([
    [{ status: 500 }, stored({ name: 'Chrome' }), 'done'],
    [{ status: 500 }, stored(), 'unknown'],
    [{ status: 400, body: { errors: ['name must be unique'] } }, stored(), 'refused'],
  ])('answered by %j is sent once', async (reply, after, kind) => {
    const { editor, writes } = await storedThing(stored(), { reply, after: () => ({ body: after }) });
    expect(await editor.updatePolicy(POLICY, { name: 'Chrome' })).toMatchObject({ kind });
    expect(writes()).toHaveLength(1);
  });

  it('is refused when the configuration is not shown', async () => {
    const { editor, writes } = await storedThing(stored({ configuration: null }), TAKEN);
    expect(await editor.updatePolicy(POLICY, { name: 'Chrome' })).toMatchObject({
      kind: 'refused',
      error: { fault: { kind: 'not-shown', what: 'policy-configuration' } },
    });
    expect(writes()).toHaveLength(0);
  });

  it('that names nothing is refused without a request', async () => {
    const fault = { kind: 'nothing-named', what: 'change' };
    const { editor, service } = await storedThing(stored(), TAKEN);
    expect(await editor.updatePolicy(POLICY, {})).toMatchObject({
      kind: 'refused',
      error: { kind: 'invalid', method: 'PUT', status: null, fault },
    });
    expect(service.requests).toHaveLength(0);
  });
});

type Call = {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
};
const UNCONFIRMED = ['name', 'notes', 'days', 'time', 'groupIds', 'severities', 'autoReboot'];
const NOT_SEEN = { kind: 'done', result: { after: null, unconfirmed: UNCONFIRMED } };

describe('a new policy', () => {
  const policy: NewPolicy = {
    name: 'Browsers',
    severities: ['high'],
    notes: 'Old',
    days: 254,
    time: '02:00',
    groupIds: [groupId(5)],
    settings: { autoReboot: true },
  };
  const others = [stored({ id: 8, name: 'Browsers 2' }), stored({ id: 7, name: 'browsers' })];
  /** The list of policies after the create, in one page. */
  const listing =
    (rows: readonly Thing[], reply: Reply = { status: 201 }) =>
    ({ method, path, query }: Call): Reply => {
      if (method === 'POST') return reply;
      if (path === '/policies/9') return { body: rows.find(({ id }) => id === 9) };
      return { body: query['page'] === '0' ? rows : [] };
    };

  it('is found by its name, because the service answers nothing', async () => {
    const configuration = { patch_rule: 'filter', severity_filter: ['high'], auto_reboot: true };
    const { editor, service } = await scriptedFleet(listing([...others, stored({ configuration })]));
    expect(await editor.createPolicy(policy)).toMatchObject({
      kind: 'done',
      result: { after: { id: 9 }, ...NOTHING_ELSE },
    });
    expect(sentOf(service.requests)[0]).toEqual({
      method: 'POST',
      path: '/policies',
      query: { o: '7' },
      body: {
        organization_id: 7,
        name: 'Browsers',
        policy_type_name: 'patch',
        notes: 'Old',
        schedule_days: 254,
        schedule_weeks_of_month: 62,
        schedule_months: 8190,
        schedule_time: '02:00',
        use_scheduled_timezone: false,
        server_groups: [5],
        configuration: {
          patch_rule: 'filter',
          filter_type: 'severity',
          severity_filter: ['high'],
          auto_patch: true,
          auto_reboot: true,
          notify_user: false,
        },
      },
    });
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each<[string, readonly Thing[]]>([
    ['nobody has its name', others],
    ['two have its name', [stored(), stored({ id: 10 })]],
  ])('is created but not found when %s', async (_, rows) => {
    const { editor } = await scriptedFleet(listing(rows));
    expect(await editor.createPolicy(policy)).toMatchObject(NOT_SEEN);
  });

  it('is created but not found when the list cannot be read', async () => {
    const { editor } = await scriptedFleet(({ method }) => ({ status: method === 'POST' ? 201 : 403 }));
    expect(await editor.createPolicy(policy)).toMatchObject(NOT_SEEN);
  });

  it.each<[Reply, string]>([
    [{ status: 400 }, 'refused'],
    [{ status: 500 }, 'unknown'],
    ['drop', 'unknown'],
  ])(
    'answered by %j is sent once and %s: a list would not tell it from an older one',
    async (reply, kind) => {
      const { editor, service } = await scriptedFleet(listing([stored()], reply));
      expect(await editor.createPolicy(policy)).toMatchObject({ kind });
      expect(service.requests).toHaveLength(1);
    },
  );

  it('without a name is refused without being sent', async () => {
    const { editor, service } = await scriptedFleet(listing([]));
    expect(await editor.createPolicy({ ...policy, name: '' })).toMatchObject({
      kind: 'refused',
      error: { method: 'POST', path: '/policies', fault: { kind: 'policy-field', field: 'name' } },
    });
    expect(service.requests).toHaveLength(0);
  });
});

it.each<[PolicyChange, PolicyField, string]>([
  [{ name: ' ' }, 'name', 'a name that isn’t blank'],
  [{ days: 256 }, 'days', 'days of the week'],
  [{ days: 3 }, 'days', 'days of the week'],
  [{ weeksOfMonth: 64 }, 'weeksOfMonth', 'weeks of the month'],
  [{ months: -2 }, 'months', 'months of the year'],
  [{ time: '24:00' }, 'time', 'a time such as 02:00'],
  [{ time: '9:00' }, 'time', 'a time such as 02:00'],
  [{ timezone: 'Europe/Berlin' }, 'timezone', 'device, or an offset such as UTC+0100'],
  [{ settings: { timeout: 14 } }, 'timeout', '15 to 480 minutes'],
  [{ settings: { deferrals: -1 } }, 'deferrals', 'a whole number from 0'],
  [{ settings: { patchTextMac: 'x'.repeat(71) } }, 'patchTextMac', 'at most 70 characters'],
  [
    { settings: { deferralHours: [1, 25] } },
    'deferralHours',
    'up to 3 different numbers of hours from 1 to 24',
  ],
])('a policy does not take %j: its %s must be %s; nothing is requested', async (change, field, expected) => {
  expect(policyFieldFaults(change, { policyTimezones: true })).toEqual([{ field, expected }]);
  const { editor, service } = await storedThing({}, TAKEN);
  const fault = { kind: 'policy-field', field };
  const error = { kind: 'invalid', method: 'PUT', status: null, fault };
  expect(await editor.updatePolicy(policyId(9), change)).toMatchObject({ kind: 'refused', error });
  expect(service.requests).toHaveLength(0);
});

it('a service without time zones for policies takes none', () => {
  const change = { timezone: 'UTC+0100' };
  expect(policyFieldFaults(change, { policyTimezones: true })).toEqual([]);
  expect(policyFieldFaults(change, { policyTimezones: false })).toEqual([
    { field: 'timezone', expected: 'no time zone: the management service has none for policies' },
  ]);
});
