import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { jsonDigest, policyReader } from '../../../src/fleet/schema/policy.ts';
import { readSingle } from '../../../src/fleet/schema/rows.ts';
import { organizationId, policyId } from '../../../src/lib/ids.ts';
import { property } from '../../harness/property.ts';
import { policy } from '../fixtures.ts';

const ORGANIZATION = organizationId(7);
const read = policyReader(ORGANIZATION);

describe('a policy', () => {
  it('is read with its schedule and without its configuration', () => {
    expect(read(policy(3))).toEqual({
      kind: 'row',
      row: {
        id: 3,
        name: 'Disable SMBv1',
        type: 'custom',
        notes: '',
        status: 'inactive',
        nextRemediation: Date.UTC(2026, 2, 11, 2),
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        selectsByTag: false,
        schedule: { days: 254, weeksOfMonth: 62, months: 8190, time: '02:00', timezone: null },
        settings: {},
        groupIds: [20, 21],
        deviceCount: 12,
        createTime: Date.UTC(2022, 3, 29, 1, 30, 9),
      },
    });
  });

  it('is read with the settings that it states, and its time zone', () => {
    const configuration = {
      evaluation_code: 'a-secret',
      auto_reboot: false,
      notify_user: 'yes',
      custom_notification_max_delays: '2',
      custom_notification_deferment_periods: [1, 4],
      custom_pending_reboot_notification_deferment_periods: [1, 'x'],
      custom_notification_patch_message: '',
      custom_notification_reboot_message: null,
    };
    expect(read(policy(3, { configuration, use_scheduled_timezone: false }))).toMatchObject({
      row: {
        schedule: { timezone: 'device' },
        settings: { autoReboot: false, deferrals: 2, deferralHours: [1, 4], patchText: '' },
      },
    });
    const fixed = { use_scheduled_timezone: true, scheduled_timezone: 'UTC+0100' };
    expect(read(policy(3, fixed))).toMatchObject({ row: { schedule: { timezone: 'UTC+0100' } } });
  });

  it.each([
    [{ use_scheduled_timezone: true, scheduled_timezone: 'UTC+0100' }, 'UTC+0100'],
    [{ use_scheduled_timezone: false }, 'device'],
  ])('has its time zone from the configuration %j where the policy has none', (zone, timezone) => {
    expect(read(policy(3, { configuration: zone }))).toMatchObject({ row: { schedule: { timezone } } });
  });

  it('reveals nothing of its configuration, wherever it is', () => {
    const secrets = {
      configuration: 'a-secret',
      access_key: 'a-secret',
      extra: { evaluation_code: 'a-secret' },
    };
    expect(JSON.stringify(read(policy(3, secrets)))).not.toContain('a-secret');
  });

  const digestOf = (more: Record<string, unknown>) => {
    const row = read(policy(3, more));
    return row.kind === 'row' ? row.row.digest : undefined;
  };
  const script = { evaluation_code: 'exit 0', remediation_code: 'rm x', secrets: [{ value: 'a' }] };

  it('has the digest of what it runs and when, whatever the order of the keys', () => {
    const { evaluation_code, ...rest } = script;
    const same = { ...rest, evaluation_code };
    expect(digestOf({ configuration: same })).toBe(digestOf({ configuration: script }));
    expect(digestOf({ configuration: script, notes: 'x', status: 'y', next_remediation: 'z' })).toBe(
      digestOf({ configuration: script }),
    );
  });

  it.each([
    ['a script', { configuration: { ...script, remediation_code: 'rm y' } }],
    ['a secret', { configuration: { ...script, secrets: [{ value: 'b' }] } }],
    ['a key more', { configuration: { ...script, os_family: null } }],
    ['the days', { configuration: script, schedule_days: 2 }],
    ['the time', { configuration: script, schedule_time: '03:00' }],
    ['the time zone', { configuration: script, scheduled_timezone: 'UTC+0100' }],
    ['whether that time zone is used', { configuration: script, use_scheduled_timezone: true }],
  ])('has another digest when %s differs', (_, more) => {
    expect(digestOf(more)).not.toBe(digestOf({ configuration: script }));
  });

  it('has the same digest when another policy shares its secret, and another one for another secret', () => {
    const bound = (more: object) => ({
      configuration: { ...script, secrets: { apiKey: { id: '6710', name: 'apiKey', ...more } } },
    });
    const before = digestOf(bound({ numPolicies: 1, description: 'prod key' }));
    expect(digestOf(bound({ numPolicies: 7, description: 'prod key (shared)' }))).toBe(before);
    expect(digestOf(bound({ numPolicies: 1, description: 'prod key', id: '9' }))).not.toBe(before);
  });

  it.each([[null], [undefined], [{}], ['text'], [[]]])(
    'has no digest when its configuration is %j',
    (configuration) => {
      expect(digestOf({ configuration })).toBeNull();
    },
  );

  it('keeps 0 of a schedule', () => {
    expect(read(policy(3, { schedule_days: 0 }))).toMatchObject({ row: { schedule: { days: 0 } } });
  });

  it('of another organization, or other than the requested one, is foreign', () => {
    expect(read(policy(3, { organization_id: 8 })).kind).toBe('foreign');
    const readOther = policyReader(ORGANIZATION, policyId(4));
    expect(readSingle(policy(3), readOther)).toEqual({
      kind: 'misshapen',
      detail: 'a row of another policy',
    });
    expect(readSingle(policy(4), readOther).kind).toBe('one');
  });
});

/** The same JSON with the keys of every object in reverse order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, turned(inner)]),
  );
}

describe('a digest', () => {
  it('is the whole of a SHA-256', () => {
    expect(jsonDigest({ script: 'echo' })).toMatch(/^[0-9a-f]{64}$/);
  });

  property([fc.json()])('does not depend on the order of keys', (text) => {
    const value: unknown = JSON.parse(text);
    expect(jsonDigest(turned(value))).toBe(jsonDigest(value));
  });

  const value = fc.json({ maxDepth: 2 }).map((text): unknown => JSON.parse(text));
  property([value, value])('differs for any two different values', (one, other) => {
    const same = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
    expect(jsonDigest(one) === jsonDigest(other)).toBe(same);
  });

  it.each<[unknown, unknown]>([
    [[1, 2], [12]],
    [[[1], 2], [[1, 2]]],
    [{ a: 1, b: 2 }, { a: { b: 2 } }],
    [{ a: '1' }, { a: 1 }],
    [{ a: null }, {}],
    [[], {}],
    ['{}', {}],
    [0, false],
    [{ a: [1], b: [2] }, { a: [1, 2] }],
  ])('differs for %j and %j', (one, other) => {
    expect(jsonDigest(one)).not.toBe(jsonDigest(other));
  });

  it.each([150, 100_000])('sees a change below %i levels', (depth) => {
    const deep = (script: string): string => {
      const inner = `${'[{"a":'.repeat(depth / 2)}"${script}"${'}]'.repeat(depth / 2)}`;
      return jsonDigest(JSON.parse(inner));
    };
    expect(deep('echo')).toMatch(/^[0-9a-f]{64}$/);
    expect(deep('echo')).toBe(deep('echo'));
    expect(deep('rm')).not.toBe(deep('echo'));
  });

  it('tells numbers that are too large to be held from null', () => {
    expect(jsonDigest(JSON.parse('{"a":1e999}'))).not.toBe(jsonDigest({ a: null }));
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return entries.map(([key, inner]) => ['key', key, sorted(inner)]).concat([['object']]);
}
