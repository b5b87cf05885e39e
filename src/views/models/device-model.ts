/** Views of devices: a list's totals, what tells devices of one name apart, and the pages of one device. */

import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { ListedDeviceLine, Paging } from '../model.ts';

/** Of all devices of a list, not of its page alone. */
export type DeviceTotals = {
  readonly online: number;
  readonly offline: number;
  readonly pending: number;
  readonly needsReboot: number;
  readonly noncompliant: number;
};

/** A device among others of its name, with what tells it from these. For the one who asks alone. */
export type PickLine = ListedDeviceLine & {
  readonly addresses?: readonly string[];
  readonly serialNumber?: string | null;
};

/** What there is to see of one device. */
export type DevicePage =
  | 'facts'
  | 'hardware'
  | 'volumes'
  | 'network'
  | 'updates'
  | 'policies'
  | 'timeline'
  | 'queue';

/**
 * Its reader may change nothing, and whom to ask for that; absent: they may. `ask` null: several read it, and nobody is
 * named to them.
 */
export type ReadOnlyReader = { readonly lookOnly?: { readonly ask: readonly PersonId[] | null } };

/** `shared`: for everybody in a channel, so without what is personal. */
export type DevicePageView =
  | ({
      readonly kind: 'device-page';
      readonly page: Exclude<DevicePage, 'facts' | 'timeline' | 'queue'>;
      readonly device: Device;
      readonly asOf: Instant;
      readonly shared?: true;
    } & ReadOnlyReader)
  | {
      readonly kind: 'timeline';
      readonly device: Device;
      /** The newest first. */
      readonly rows: readonly FleetEvent[];
      /** Nothing older was looked at. */
      readonly since: Instant;
      readonly paging: Paging;
    };
