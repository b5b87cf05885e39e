/** What lists share: devices in them, their pages, and the command that lists again. */

import type { Device, ListedDevice } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId } from '../../lib/ids.ts';

/** A device with what its own record does not say. */
export type DeviceLine = { readonly device: Device; readonly groupName: string | null };
/** The same in a list, which shows less of it. */
export type ListedDeviceLine = {
  readonly device: ListedDevice;
  readonly groupName: string | null;
  /** When it was last seen; null where that is not stated. A connected one is seen now. */
  readonly seenAt?: Instant | null;
};

/** The same with what it was found by, or what tells it from others of its name. Contains personal data. */
export type PickLine = ListedDeviceLine & {
  readonly addresses?: readonly string[];
  readonly serialNumber?: string | null;
  /** The logged-in user, where the device was found by that name. */
  readonly userName?: string | null;
};

/** A device of a list; one that the fleet has no more keeps its line. */
export type DevicesRow = PickLine | { readonly device: null; readonly id: DeviceId };

/** A command as it is typed: `/fleet`, and what follows it. */
export type TypedLine = { readonly root: string; readonly text: string };

/** A list was read anew: the one of before was not kept any more, is another person's, or was read with other rights. */
export type RefreshReason = 'gone' | 'others' | 'rights';

/** A page of a list. `input` is the command's for the whole list, carried by the buttons as JSON. */
export type Paging = {
  readonly command: string;
  readonly input: unknown;
  /** What is typed to have the same list again; absent: the name of the command alone. */
  readonly line?: TypedLine;
  /** The key of the rows that these pages go over; absent: there is one page, or each is asked for anew. */
  readonly result?: string;
  /** Why the rows that a button went over are not these; absent: they are, or none were asked for. */
  readonly refreshReason?: RefreshReason;
  readonly page: number;
  readonly pages: number;
  readonly total: number;
  readonly asOf: Instant;
};

/** What a patch of listed devices installs; nothing named: all that is missing. */
export type PatchChoice = { readonly packages: readonly string[]; readonly severities: readonly string[] };

/** Changes of all devices of a list, that its reader may request. */
export type ListChanges =
  | {
      readonly kind: 'offered';
      readonly devices: number;
      /** The part of a command's input that says which devices. */
      readonly target: object;
      /** Null: none of them has patches. */
      readonly patch: PatchChoice | null;
      /** More devices may belong to the list: not all was read yet. */
      readonly isPart?: true;
    }
  | { readonly kind: 'too-many' };

/** A command with its input and page, to be run once more. */
export type RepeatedCommand = { readonly command: string; readonly input: unknown; readonly page: number };
