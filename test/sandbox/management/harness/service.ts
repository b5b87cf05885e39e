/** A service with a stopped clock, over real HTTP. */
import { onTestFinished } from 'vitest';
import { createManualClock, instant, type MovableClock } from '../../../../src/lib/clock.ts';
import type {
  ManagementOptions,
  ManagementService,
  Wire,
} from '../../../../src/sandbox/contracts/services.ts';
import { createManagement } from '../../../../src/sandbox/management/management.ts';
import { ORGANIZATION_ID } from '../../../../src/sandbox/management/seed/organization.ts';
import { createWire } from '../../../../src/sandbox/wire/wire.ts';

export const START = instant(Date.parse('2026-03-10T12:00:00Z'));

/** Unvalidated JSON: tests say which fields they expect. */
export type JsonRow = Record<string, unknown>;
type HttpAnswer = { readonly status: number; readonly body: unknown; readonly text: string };

export type TestService = Readonly<ReturnType<typeof clientOf>>;

type Options = Omit<ManagementOptions, 'clock' | 'wire' | 'port'>;

/** Stops with the test. */
export async function startService(options: Options = {}): Promise<TestService> {
  const clock = createManualClock(START);
  const wire = createWire({ clock });
  const management = await createManagement({ ...options, clock, wire });
  onTestFinished(async () => {
    await management.stop();
    clock.stop();
  });
  return clientOf(management, clock, wire);
}

function clientOf(management: ManagementService, clock: MovableClock, { journal }: Wire) {
  const raw = async (path: string, init?: RequestInit): Promise<HttpAnswer> => {
    const response = await fetch(`${management.baseUrl}${path}`, init);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    return { status: response.status, text, body: isJson ? JSON.parse(text) : null };
  };
  const headers = { authorization: `Bearer ${management.apiKey}` };
  /** With the key and, unless the path has one, the organization. */
  const get = (path: string) => raw(withOrganization(path, management.organizationId), { headers });
  const rows = async (path: string): Promise<readonly JsonRow[]> => rowsIn(await get(path));
  const idOf = async (name: string): Promise<number> => {
    const found = (await rows('/servers')).filter((row) => row['name'] === name);
    if (found.length !== 1) throw new Error(`${found.length} devices are called ${name}`);
    return Number(found[0]?.['id']);
  };
  const send = (method: string, path: string, body: unknown) =>
    raw(withOrganization(path, management.organizationId), {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  return {
    management,
    clock,
    journal,
    raw,
    get,
    rows,
    idOf,
    post: (path: string, body: unknown): Promise<HttpAnswer> => send('POST', path, body),
    put: (path: string, body: unknown): Promise<HttpAnswer> => send('PUT', path, body),
    delete: (path: string): Promise<HttpAnswer> =>
      raw(withOrganization(path, management.organizationId), { method: 'DELETE', headers }),
    /** The single read of the only device of this name. */
    device: async (name: string): Promise<JsonRow> => rowOf((await get(`/servers/${await idOf(name)}`)).body),
  };
}

function rowsIn({ status, body }: HttpAnswer): readonly JsonRow[] {
  if (status !== 200 || !Array.isArray(body))
    throw new Error(`Not a list: ${status} ${JSON.stringify(body)}`);
  return body.map(rowOf);
}

export function rowOf(value: unknown): JsonRow {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`Not an object: ${JSON.stringify(value)}`);
  return { ...value };
}

function withOrganization(path: string, id: number): string {
  if (/[?&]o=/.test(path)) return path;
  return `${path}${path.includes('?') ? '&' : '?'}o=${id}`;
}

/** A new policy with the fields that are required, and no others. */
export const NEW_WORKLET = {
  organization_id: ORGANIZATION_ID,
  name: 'Restart spooler',
  policy_type_name: 'custom',
  configuration: { os_family: 'Windows', evaluation_code: 'Exit 1', remediation_code: 'Exit 0' },
  schedule_days: 0,
  schedule_time: '00:00',
};
