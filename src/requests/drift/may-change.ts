/** What may change between the card and the call without a word, and why: pure. Whatever is not here returns the request. */

import type { TargetFacts } from '../../fleet/facts/facts.ts';
import { editedFields, isEdit, isRemoval, type TargetAction } from '../../fleet/model/actions.ts';
import { NEEDS_REMEDIATION, PENDING } from '../../fleet/model/policy-status.ts';

/** A target as it was sealed, and as it is. */
export type Comparison = {
  readonly action: TargetAction;
  readonly isRollout: boolean;
  readonly sealed: TargetFacts;
  readonly current: TargetFacts;
};

/** One field that changed, or what became of a list. */
export type ChangedField = {
  readonly path: string;
  /** The thing within a list whose field it is; null: it is in none. */
  readonly item: string | null;
  /** Undefined: the facts do not have it. */
  readonly before?: unknown;
  readonly after?: unknown;
  readonly added?: readonly string[];
  readonly removed?: readonly string[];
};

type MayChange = {
  readonly fields: readonly string[];
  readonly why: string;
  /** Absent: whatever it changes to, for every action. */
  readonly if?: (change: ChangedField, comparison: Comparison) => boolean;
};

export const MAY_CHANGE: readonly MayChange[] = [
  {
    fields: ['connected', 'lastLoggedInUser', 'deferred'],
    why: 'Of many devices some always come and go, and lists show no deferrals; a rollout’s card only counts them.',
    if: (_, { isRollout }) => isRollout,
  },
  {
    fields: ['connected', 'lastLoggedInUser', 'exception', 'deferred'],
    why: 'An edit changes the record, whatever happens on the device; exclusion is compared where it is edited.',
    if: (_, { action }) => isEdit(action),
  },
  {
    fields: ['identity'],
    why: 'What tells machines apart is judged together, and stands on no record.',
  },
  {
    fields: ['displayName'],
    why: 'Where nobody gave the device a name, it is shown by its hostname, which is compared.',
    if: (_, { sealed, current }) =>
      sealed.deviceId !== null &&
      current.deviceId !== null &&
      sealed.hostname !== current.hostname &&
      current.displayName === current.hostname,
  },
  {
    fields: ['editable.customName', 'group.name', 'current.name'],
    why: 'The name that is shown follows from it, and is compared.',
    if: (_, { sealed, current }) => sealed.displayName !== current.displayName,
  },
  {
    fields: ['lastDisconnectTime'],
    why: 'It only dates the connection, which is compared, but for a single device that may have restarted meanwhile.',
    if: (_, comparison) => !hasRestarted(comparison),
  },
  {
    fields: ['pendingPatches'],
    why: 'A count that no card shows; packages to be installed are compared one by one.',
  },
  {
    fields: ['needsReboot'],
    why: 'Nothing but a reboot is requested because of it; one that is required by now, or of which that is not known, is no less wanted.',
    if: ({ after }, { action }) => action.kind !== 'reboot' || after !== false,
  },
  {
    fields: ['osFamily', 'osName', 'osVersion', 'policy.name'],
    why: 'What is not named for a moment is nothing else; the id, the machine and the digest are compared.',
    if: ({ before = null, after = null }) => before === null || after === null,
  },
  {
    fields: ['policy.status'],
    why: 'Pending only says when what needs remediation gets it.',
    if: ({ before, after }) => isOpenStatus(before) && isOpenStatus(after),
  },
  {
    fields: ['policies.digest', 'editable.policies.digest'],
    why: 'A policy that applies already comes with nothing; that it applies is compared.',
    if: ({ before, after }) => before === undefined || after === undefined,
  },
  {
    fields: [
      ...['editable.customName', 'editable.tags', 'editable.exception', 'editable.addresses'],
      ...['group.parentId', 'group.parentName', 'group.refreshIntervalMinutes', 'group.color', 'group.notes'],
      ...['group.osAutoUpdate', 'group.wsus', 'group.policies', 'current.notes'],
    ],
    why: 'An edit leaves what it does not name as it is.',
    if: ({ path }, { action }) =>
      isEdit(action) && !editedFields(action).some((field) => field === editedFieldAt(path)),
  },
  {
    fields: ['group.deviceCount', 'members'],
    why: 'A name, a color, a note or a place in the tree changes nothing on the devices; what goes with a group is listed for it, and counted.',
    if: ({ path }, { action, sealed, current }) =>
      isRemoval(action)
        ? path === 'group.deviceCount' || (listsAll(sealed) && listsAll(current))
        : isEdit(action) && editedFields(action).every((field) => HARMLESS.has(field)),
  },
  {
    fields: [
      'group.refreshIntervalMinutes',
      'group.color',
      'group.notes',
      'group.osAutoUpdate',
      'group.wsus',
    ],
    why: 'Removed with the group, whatever they are.',
    if: (_, { action }) => isRemoval(action),
  },
  {
    fields: ['removal.queued', 'removal.devices.listed', 'removal.subgroups'],
    why: 'Less may go with it than was approved, by whatever name; where devices are too many to be listed, the digest of which they are is compared.',
    if: ({ path, added = [] }, { sealed, current }) =>
      added.length === 0 || (path === 'removal.devices.listed' && !(listsAll(sealed) && listsAll(current))),
  },
  {
    fields: ['removal.devices.count'],
    why: 'Fewer devices may go with it than were approved.',
    if: ({ before, after }) => Number(after) <= Number(before),
  },
  {
    fields: ['twin'],
    why: 'A taken name ends the request before it is sent, and says so.',
  },
];

const HARMLESS: ReadonlySet<string> = new Set(['name', 'color', 'notes', 'parentId']);

export function mayChange(change: ChangedField, comparison: Comparison): boolean {
  return MAY_CHANGE.some(
    ({ fields, if: isSo }) =>
      fields.some((field) => isWithin(change.path, field)) &&
      (isSo === undefined || isSo(change, comparison)),
  );
}

/**
 * Whether the id belongs to another machine by now: something that identifies it differs, or nothing of what was sealed
 * is stated any more. Where nothing was stated, nothing tells.
 */
export function isOtherMachine(sealed: TargetFacts, current: TargetFacts): boolean {
  if (sealed.deviceId === null || current.deviceId === null) return false;
  const { serial, uuid, created } = sealed.identity;
  const pairs = [
    [serial, current.identity.serial],
    [uuid, current.identity.uuid],
    [created, current.identity.created],
  ].filter(([was]) => was !== null && was !== '');
  const known = pairs.filter(([, is]) => is !== null && is !== '');
  return known.some(([was, is]) => was !== is) || (pairs.length > 0 && known.length === 0);
}

/** What somebody wanted from a reboot may have happened since. Of many devices, some always come and go. */
function hasRestarted({ action, isRollout, sealed, current }: Comparison): boolean {
  if (action.kind !== 'reboot' || isRollout || sealed.deviceId === null || current.deviceId === null)
    return false;
  const since = sealed.lastDisconnectTime ?? sealed.asOf;
  return current.connected === true && (current.lastDisconnectTime ?? since) > since;
}

/** Whether the field at this path is `field`, or a part of it. */
export function isWithin(path: string, field: string): boolean {
  return path === field || path.startsWith(`${field}.`);
}

function listsAll(facts: TargetFacts): boolean {
  if (facts.deviceId !== null || !('removal' in facts) || facts.removal === undefined) return false;
  const { count, listed } = facts.removal.devices;
  return listed.length === count;
}

/** The field of an edit that this field of the facts shows. */
function editedFieldAt(path: string): string {
  const [, name = ''] = path.split('.');
  if (name === 'parentName') return 'parentId';
  return name === 'policies' ? 'policyIds' : name;
}

function isOpenStatus(status: unknown): boolean {
  return status === NEEDS_REMEDIATION || status === PENDING;
}
