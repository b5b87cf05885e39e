/** A service that keeps one thing of each kind: it is read, replaced and read again over real HTTP. */
import type { FleetOptions } from '../../../src/fleet/client.ts';
import { scriptedFleet } from '../harness.ts';
import type { Reply, Seen } from '../scripted-server.ts';

export type Thing = Readonly<Record<string, unknown>>;

/** `GET` answers `thing`; what a write answers, and what `GET` answers after it, is up to the test. */
export async function keptThing(
  thing: Thing,
  write: { readonly reply: Reply; readonly after?: (sent: Thing) => Reply },
  options: Partial<FleetOptions> = {},
) {
  let answer: Reply = { body: thing };
  const kept = await scriptedFleet(({ method, body }) => {
    if (method === 'GET') return answer;
    answer = write.after?.(body === '' ? {} : jsonOf(body)) ?? answer;
    return write.reply;
  }, options);
  return { ...kept, writes: () => kept.service.requests.filter(({ method }) => method !== 'GET') };
}

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
