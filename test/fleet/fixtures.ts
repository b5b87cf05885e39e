/** Rows as the management service sends them: recorded ones, and builders for the rest. */
import { readFileSync } from 'node:fs';

/** A file of recorded payloads (`test/fixtures/management`). */
export function recorded(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../fixtures/management/${name}`, import.meta.url), 'utf8'));
}

export function recordedRow(name: string, index = 0): Record<string, unknown> {
  const list = recorded(name);
  if (!Array.isArray(list)) throw new Error(`${name} is no list`);
  return { ...list[index] };
}

/** A device in the live service's list since 2025: without details, status or policy status. */
export function listedDevice(id: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  const row = recordedRow('servers-list-2022.json');
  return { ...row, id, name: `device-${id}`, detail: {}, policy_status: [null], status: {}, ...more };
}

/** An event of the published form. */
export function event(id: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    name: 'system.patch.failed',
    user_id: null,
    server_id: 42,
    organization_id: 7,
    policy_id: null,
    data: null,
    server_name: 'web-01',
    policy_name: null,
    policy_type_name: null,
    create_time: '2021-12-16 06:20:38.153713',
    ...more,
  };
}

/** A policy as the live service lists it, its configuration with a script in it. */
export function policy(id: number, more: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id,
    uuid: '4b4f64a6-3b0e-4d11-9f0b-52a8c1d5a6ff',
    organization_id: 7,
    name: 'Disable SMBv1',
    policy_type_name: 'custom',
    configuration: { evaluation_code: 'echo a-script', secrets: [{ value: 'a-secret' }] },
    notes: '',
    status: 'inactive',
    next_remediation: '2026-03-11T02:00:00+0000',
    schedule_days: 254,
    schedule_weeks_of_month: 62,
    schedule_months: 8190,
    schedule_time: '02:00',
    server_groups: [20, 21],
    server_count: 12,
    create_time: '2022-04-29T01:30:09+0000',
    ...more,
  };
}
