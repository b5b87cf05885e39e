/** A service with one thing of each kind, which is read, replaced and read again over real HTTP. */
import type { FleetClientOptions } from '../../../src/fleet/client.ts';
import { groupId } from '../../../src/lib/ids.ts';
import { ORGANIZATION, scriptedFleet } from '../harness.ts';
import type { Reply, Seen } from '../scripted-server.ts';

export type Thing = Readonly<Record<string, unknown>>;

/** `GET` answers `thing`; the test decides what a write answers, and what `GET` answers after it. */
export async function storedThing(
  thing: Thing,
  write: { readonly reply: Reply; readonly after?: (sent: Thing) => Reply },
  options: Partial<FleetClientOptions> = {},
) {
  let answer: Reply = { body: thing };
  const keptFields = await scriptedFleet(({ method, body }) => {
    if (method === 'GET') return answer;
    answer = write.after?.(body === '' ? {} : jsonOf(body)) ?? answer;
    return write.reply;
  }, options);
  return {
    ...keptFields,
    writes: () => keptFields.service.requests.filter(({ method }) => method !== 'GET'),
  };
}

/** An answer that accepts a write, and shows of it nothing. */
export const TAKEN = { reply: { status: 204 } } as const;
/** The same, after which the thing reads like this. */
export const becoming = (answer: Reply) => ({ ...TAKEN, after: () => answer });
/** A service that accepts everything. */
export const taking = (before: Thing) => ({
  ...TAKEN,
  after: (sent: Thing) => ({ body: { ...before, ...sent } }),
});

export const NOTHING_ELSE = { notApplied: [], unconfirmed: [], alsoChanged: [] };

export function jsonOf(body: string): Thing {
  const parsed: unknown = JSON.parse(body);
  if (typeof parsed !== 'object' || parsed === null) throw new Error('no object was sent');
  return { ...parsed };
}

/** Method, path, query and body of each request. */
export function sentOf(requests: readonly Seen[]) {
  return requests.map(({ method, path, query, body }) => ({
    method,
    path,
    query,
    body: body === '' ? null : jsonOf(body),
  }));
}

export const GROUP = groupId(5);

export const stored = (more: Thing = {}): Thing => ({
  id: 5,
  organization_id: ORGANIZATION,
  name: 'Web',
  refresh_interval: 1440,
  parent_server_group_id: 1,
  ui_color: '#059F1D',
  notes: 'Old',
  enable_os_auto_update: null,
  server_count: 3,
  wsus_config: null,
  policies: [9, 10],
  quiet_hours: { from: 22 },
  ...more,
});
