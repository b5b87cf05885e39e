/** What lists share: devices in them, their pages, and the command that lists again. */
import type { Device, ListedDevice, Policy, PreviewedDevice } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { DeviceId, GroupId, PersonId, PolicyId } from '../../lib/ids.ts';
import type { RequestWithTargets } from '../../store/port/request-records.ts';
import type { AuditRecord } from '../../store/port/store.ts';

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

/** A list was read anew: the one of before was not kept any more, is another person's, or was read with other rights. */
export type RefreshReason = 'gone' | 'others' | 'rights';

/** A page of a list. `input` is the command's for the whole list, carried by the buttons as JSON. */
export type Paging = {
  readonly command: string;
  readonly input: unknown;
  /** What is typed to have the same list again; absent: the name of the command alone. */
  readonly line?: { readonly root: string; readonly text: string };
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

/** Counts over the whole list, not only the page shown. */
export type DeviceTotals = {
  readonly online: number;
  readonly offline: number;
  readonly pending: number;
  readonly needsReboot: number;
  readonly noncompliant: number;
  /** Of how many devices it is not known; absent: of none. */
  readonly unknown?: Readonly<Record<'connection' | 'pending' | 'needsReboot' | 'compliance', number>>;
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

/** Present where the reader may only look. `ask`: the people to ask for more; null in a channel, where nobody is named. */
export type ReadOnlyReader = { readonly lookOnly?: { readonly ask: readonly PersonId[] | null } };

export type CommandChoice = { readonly command: string; readonly input: unknown };

export type GroupRow = {
  readonly id: GroupId;
  readonly name: string;
  /** 0 for top-level groups, whose parent is only the Default group. */
  readonly depth: number;
  /** Without subgroups. */
  readonly devices: number;
  readonly refreshIntervalMinutes: number | null;
  readonly policies: number;
};

/** A policy with its groups; the name is null for a group that is not known. */
export type PolicyLine = {
  readonly policy: Policy;
  readonly groups: readonly { readonly id: GroupId; readonly name: string | null }[];
};

/** A device that the filters match. The service's answer has only the OS family, so the name comes from the device index. */
export type PreviewedDeviceLine = PreviewedDevice & {
  /** Absent where the device index does not have the device. */
  readonly osName?: string;
};

/** A policy of a group, or a group of a policy, with the number of devices that are not compliant. */
export type CompliancePart = { readonly name: string; readonly noncompliant: number };

/** Compliance of one group, without subgroups, or of one policy. `unstated`: devices for which the service states none. */
export type ComplianceRow = {
  readonly name: string;
  readonly devices: number;
  readonly noncompliant: number;
  readonly unstated: number;
  /** The policies of a group or the groups of a policy, most devices first. */
  readonly parts?: readonly CompliancePart[];
  /** Lists the devices that are not compliant; null where the group's name is not known. */
  readonly list: CommandChoice | null;
};

/** Audit entries of one action, shown as one line. */
export type AuditActivity = {
  /** Oldest first. */
  readonly entries: readonly [AuditRecord, ...AuditRecord[]];
  /** The command that it is about; null where no entry that was read names it. */
  readonly order: AuditRecord['detail'] | null;
};

export type AuditNames = Readonly<Record<'devices' | 'groups' | 'policies', ReadonlyMap<number, string>>>;

/** A request, and a link to its card; null where it is not posted. */
export type LinkedRequest = { readonly request: RequestWithTargets; readonly link: string | null };

/** Why an edit or a removal of a device or group cannot be requested. */
export type EditProblem =
  /** Every field has the value already. */
  | { readonly kind: 'already-so'; readonly name: string }
  /** The values are longer than a card can show: at most `most` characters. */
  | { readonly kind: 'unreadable-edit'; readonly most: number }
  /** The service doesn’t show what these policies run, so nobody can approve it. */
  | { readonly kind: 'policy-not-shown'; readonly policies: readonly string[] }
  | { readonly kind: 'policy-exists'; readonly name: string; readonly id: PolicyId }
  | { readonly kind: 'group-exists'; readonly name: string; readonly parent: string; readonly id: GroupId }
  /** Another name than `name` was typed to confirm a removal. */
  | { readonly kind: 'name-not-typed'; readonly name: string }
  | { readonly kind: 'default-group' };

/** A list of the service that lacks too much of what is known: what it lacks is kept. */
export type DoubtedList = {
  readonly list: 'devices' | 'groups' | 'policies';
  readonly since: Instant;
  readonly missing: number;
};
