/** What every endpoint works with: the current world, and how to format it. */
import type { Clock } from '../../../lib/clock.ts';
import type { Profile } from '../profiles.ts';
import type { RunningWorld } from '../world/activity/running-world.ts';
import type { WorldDevice, WorldGroup, WorldPolicy } from '../world/model.ts';

export type EndpointContext = {
  readonly clock: Clock;
  readonly profile: Profile;
  /** Read for each request, because a reset replaces the world. */
  readonly world: () => RunningWorld;
};

export type PageParameters = { readonly limit?: number | undefined; readonly page?: number | undefined };

const NUMBER = /^\d{1,15}$/;

/** The device of a path, by id or, where the profile has that, by UUID. */
export function deviceOrNotFound(service: EndpointContext, id: string | undefined): WorldDevice | undefined {
  if (id === undefined) return undefined;
  const { devices } = service.world().state;
  if (NUMBER.test(id)) return devices.get(Number(id));
  return service.profile.uuidPaths ? [...devices.values()].find(({ uuid }) => uuid === id) : undefined;
}

export function groupOrNotFound(service: EndpointContext, id: string | undefined): WorldGroup | undefined {
  if (id === undefined || !NUMBER.test(id)) return undefined;
  return service.world().state.groups.get(Number(id));
}

export function policyOrNotFound(service: EndpointContext, id: string | undefined): WorldPolicy | undefined {
  if (id === undefined || !NUMBER.test(id)) return undefined;
  return service.world().state.policies.get(Number(id));
}

/** Whether all these groups exist. An unknown id is answered with 403 ("in practice" 2.2). */
export function allGroupsExist(service: EndpointContext, ids: readonly number[]): boolean {
  const { groups } = service.world().state;
  return ids.every((id) => groups.has(id));
}

/** One page of `rows`; a page past the end is empty. */
export function slicePage<T>(
  rows: readonly T[],
  { limit, page = 0 }: PageParameters,
  all: number,
): readonly T[] {
  const size = limit ?? all;
  return rows.slice(page * size, (page + 1) * size);
}
