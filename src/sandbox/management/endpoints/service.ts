/** What every endpoint works on: the world as it is now, and how it is to be written down. */
import type { Clock } from '../../../clock.ts';
import type { Profile } from '../profiles.ts';
import type { Device } from '../world/model.ts';
import type { MovingWorld } from '../world/moving-world.ts';

export type Service = {
  readonly clock: Clock;
  readonly profile: Profile;
  /** Read anew for each request: a reset makes another. */
  readonly moving: () => MovingWorld;
};

export type Slice = { readonly limit?: number | undefined; readonly page?: number | undefined };

/** The device that a path names, by its id. */
export function deviceAt(service: Service, id: string | undefined): Device | undefined {
  if (id === undefined || !/^\d{1,15}$/.test(id)) return undefined;
  return service.moving().state.devices.get(Number(id));
}

/** One page of `rows`; a page past the end is empty. */
export function pageOf<T>(rows: readonly T[], { limit, page = 0 }: Slice, all: number): readonly T[] {
  const size = limit ?? all;
  return rows.slice(page * size, (page + 1) * size);
}
