/** Views of devices: totals of a list, rows of a picker, and the pages of one device. */

import type { Device, FleetEvent } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { PersonId } from '../../lib/ids.ts';
import type { ListedDeviceLine, Paging } from '../model.ts';

/** Counts over the whole list, not only the page shown. */
export type DeviceTotals = {
  readonly online: number;
  readonly offline: number;
  readonly pending: number;
  readonly needsReboot: number;
  readonly noncompliant: number;
};

/** A device among others of the same name, with what tells them apart. Contains personal data. */
export type PickLine = ListedDeviceLine & {
  readonly addresses?: readonly string[];
  readonly serialNumber?: string | null;
};

/** The pages of a device; `facts` is its card. */
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
 * Present where the reader may only look. `ask`: the people to ask for more; null in a channel, where nobody is named.
 */
export type ReadOnlyReader = { readonly lookOnly?: { readonly ask: readonly PersonId[] | null } };

/** `shared`: for a channel, so without personal data. */
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
      /** Newest first. */
      readonly rows: readonly FleetEvent[];
      /** Older events were not read. */
      readonly since: Instant;
      readonly paging: Paging;
    };
