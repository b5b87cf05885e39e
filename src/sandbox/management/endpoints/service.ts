/** What every endpoint works on: the world as it is now, and how it is to be written down. */
import type { Clock } from '../../../clock.ts';
import type { Profile } from '../profiles.ts';
import type { Device, Group, Policy } from '../world/model.ts';
import type { MovingWorld } from '../world/moving-world.ts';

export type Service = {
  readonly clock: Clock;
  readonly profile: Profile;
  /** Read anew for each request: a reset makes another. */
  readonly moving: () => MovingWorld;
};

export type Slice = { readonly limit?: number | undefined; readonly page?: number | undefined };

const NUMBER = /^\d{1,15}$/;

/** The device that a path names, by its id or, where the profile has that, by its UUID. */
export function deviceAt(service: Service, id: string | undefined): Device | undefined {
  if (id === undefined) return undefined;
  const { devices } = service.moving().state;
  if (NUMBER.test(id)) return devices.get(Number(id));
  return service.profile.uuidPaths ? [...devices.values()].find(({ uuid }) => uuid === id) : undefined;
}

export function groupAt(service: Service, id: string | undefined): Group | undefined {
  if (id === undefined || !NUMBER.test(id)) return undefined;
  return service.moving().state.groups.get(Number(id));
}

export function policyAt(service: Service, id: string | undefined): Policy | undefined {
  if (id === undefined || !NUMBER.test(id)) return undefined;
  return service.moving().state.policies.get(Number(id));
}

/** Whether each of these groups is there. Any id that is not is answered with 403 ("in practice" 2.2). */
export function haveGroups(service: Service, ids: readonly number[]): boolean {
  const { groups } = service.moving().state;
  return ids.every((id) => groups.has(id));
}

/** One page of `rows`; a page past the end is empty. */
export function pageOf<T>(rows: readonly T[], { limit, page = 0 }: Slice, all: number): readonly T[] {
  const size = limit ?? all;
  return rows.slice(page * size, (page + 1) * size);
}
