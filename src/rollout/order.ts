/** The order of the devices of a rollout, which is the order of its waves. Pure. */

/** What decides where a device goes. */
export type WavePlace = {
  readonly id: number;
  /** Null: not known. */
  readonly isOnline: boolean | null;
  /** Devices of one kind, such as a system in a group. */
  readonly kind: string;
};

/**
 * Connected devices first: they prove within minutes whether the change is good, and one that is offline proves nothing.
 * Among them the kinds are spread evenly, so that any first part of the rollout, above all its canary, has each kind in
 * the share that it has of all; within a kind the oldest id comes first. The same devices always come in the same order.
 */
export function inWaveOrder<T>(devices: readonly T[], placeOf: (device: T) => WavePlace): readonly T[] {
  const placed = devices.map((device) => ({ device, place: placeOf(device) }));
  return [true, null, false].flatMap((isOnline) =>
    spread(placed.filter(({ place }) => place.isOnline === isOnline)).map(({ device }) => device),
  );
}

type Placed = { readonly place: WavePlace };

/** Each kind takes the places that divide the whole evenly; on one place the larger kind comes first. */
function spread<P extends Placed>(all: readonly P[]): readonly P[] {
  const kinds = Map.groupBy(
    all.toSorted((a, b) => a.place.id - b.place.id),
    ({ place }) => place.kind,
  );
  const ranked = [...kinds.values()].flatMap((same) =>
    same.map((one, at) => ({ one, at: (at + 0.5) / same.length, size: same.length })),
  );
  return ranked
    .toSorted((a, b) => a.at - b.at || b.size - a.size || a.one.place.id - b.one.place.id)
    .map(({ one }) => one);
}
