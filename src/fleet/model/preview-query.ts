/**
 * Device filters (§2.9) and the rows of their preview (§4.2): types, the operators of each field, and the maximum
 * page size.
 */
import type { DeviceId, GroupId } from '../../lib/ids.ts';

/** A field with the operators that it supports. Clauses are ANDed; values of one clause are ORed. */
export type DevicePreviewFilter =
  | {
      readonly field: 'os_family' | 'os_version_id';
      readonly op: 'in' | 'not_in';
      readonly values: readonly string[];
    }
  | {
      /** `organizational_unit`: the live service alone. */
      readonly field: 'ip_addr' | 'tag' | 'hostname' | 'organizational_unit';
      readonly op: 'like_any' | 'not_like_any';
      readonly values: readonly string[];
    };

/** Maximum rows of a preview page (§4.2). */
export const MAX_PREVIEW_PAGE = 200;

export type PreviewQuery = {
  readonly filters: readonly DevicePreviewFilter[];
  /** At least one: without a group the live service answers 500, so it is refused here. */
  readonly groupIds: readonly GroupId[];
  /** 1 to 200; absent: 200. */
  readonly pageSize?: number;
  /** Number of the first page to read; absent: 0. */
  readonly firstPage?: number;
};

export type PreviewedDevice = {
  readonly id: DeviceId;
  readonly uuid: string | null;
  readonly name: string;
  readonly customName: string | null;
  readonly groupId: GroupId | null;
  readonly groupName: string | null;
  readonly osFamily: string | null;
  readonly osVersion: string | null;
  readonly addresses: readonly string[];
  readonly privateAddresses: readonly string[];
  readonly tags: readonly string[];
};
