/** What goes with a device or a group that is removed: what an approver sees, and what is read again. Types only. */
import type { DeviceId, GroupId, QueueEntryId } from '../../lib/ids.ts';
import type { NamedPolicy } from './named-policy.ts';

export type DeviceRemovalFacts = {
  readonly policies: readonly NamedPolicy[];
  /** Commands in its queue that it has not answered. */
  readonly queued: readonly { readonly id: QueueEntryId; readonly type: string }[];
};

export type GroupRemovalFacts = {
  /** Without subgroups. `listed` has fewer than `count` where not all could be read. */
  readonly devices: {
    readonly count: number;
    readonly listed: readonly { readonly id: DeviceId; readonly name: string }[];
  };
  readonly subgroups: readonly { readonly id: GroupId; readonly name: string }[];
  /** Those of the Default Group, where its devices go. */
  readonly policiesAfter: readonly NamedPolicy[];
};
