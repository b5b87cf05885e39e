/**
 * Everything sealed is compared before it is sent: pure. Drift of a kind of its own says best what changed; any other
 * sealed field that changed is named, unless this table says why it may change without a word.
 */
import { isWithin, sealedFields } from '../../fleet/facts/sealed-fields.ts';
import { editedFields, isEdit, isRemoval, type TargetAction } from '../../fleet/model/actions.ts';
import { NEEDS_REMEDIATION, PENDING } from '../../fleet/model/policy-status.ts';
import type { Drift } from '../../store/port/evidence.ts';
import type { TargetFacts } from '../../store/port/records.ts';
import { type DriftList, isOtherMachine } from './device-drift.ts';

/** A target as it was sealed, and as it is. */
export type Comparison = {
  readonly action: TargetAction;
  readonly isRollout: boolean;
  readonly sealed: TargetFacts;
  readonly current: TargetFacts;
};

/** One field that changed; undefined: the facts do not have it. */
type ChangedField = Comparison & {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

type MayChange = {
  readonly fields: readonly string[];
  readonly why: string;
  /** Absent: whatever it changes to, for every action. */
  readonly if?: (change: ChangedField) => boolean;
};

/** What may change between the card and the call without a word. Whatever is not here returns the request. */
export const MAY_CHANGE: readonly MayChange[] = [
  {
    fields: ['connected', 'lastLoggedInUser', 'deferred'],
    why: 'Of many devices some always come and go, and lists show no deferrals; a rollout’s card only counts them.',
    if: ({ isRollout }) => isRollout,
  },
  {
    fields: ['connected', 'lastLoggedInUser', 'exception', 'deferred'],
    why: 'An edit changes the record, whatever happens on the device; exclusion is compared where it is edited.',
    if: ({ action }) => isEdit(action),
  },
  {
    fields: ['lastDisconnectTime'],
    why: 'It only dates the connection, which is compared; a device that restarted has drift of its own.',
  },
  {
    fields: ['pendingPatches'],
    why: 'A count that no card shows; packages to be installed are compared one by one.',
  },
  {
    fields: ['needsReboot'],
    why: 'Nothing but a reboot is requested because of it.',
    if: ({ action }) => action.kind !== 'reboot',
  },
  {
    fields: ['needsReboot'],
    why: 'A reboot that is required by now, or of which that is not known, is no less wanted.',
    if: ({ after }) => after !== 'false',
  },
  {
    fields: ['osFamily', 'osName', 'osVersion', 'policy.name'],
    why: 'What is not named for a moment is nothing else; the id, the machine and the digest are compared.',
    if: isUnstated,
  },
  {
    fields: ['identity'],
    why: 'A value that one side does not state is judged by the others.',
    if: ({ sealed, current }) => !isOtherMachine(sealed, current),
  },
  {
    fields: ['policy.status'],
    why: 'Pending only says when what needs remediation gets it.',
    if: ({ before, after }) => isOpenStatus(before) && isOpenStatus(after),
  },
  {
    fields: [
      ...['editable.customName', 'editable.tags', 'editable.exception', 'editable.addresses'],
      ...['group.parentId', 'group.parentName', 'group.refreshIntervalMinutes', 'group.color', 'group.notes'],
      ...['group.osAutoUpdate', 'group.wsus', 'group.policies', 'current.notes'],
    ],
    why: 'An edit leaves what it does not name as it is.',
    if: ({ action, path }) =>
      isEdit(action) && !editedFields(action).some((field) => field === editedFieldAt(path)),
  },
  {
    fields: ['group.deviceCount'],
    why: 'A name, a color, a note or a place in the tree changes nothing on the devices.',
    if: ({ action }) => isEdit(action) && editedFields(action).every((field) => HARMLESS.has(field)),
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
    if: ({ action }) => isRemoval(action),
  },
  {
    fields: ['removal.queued', 'removal.devices', 'removal.subgroups', 'group.deviceCount'],
    why: 'Less may go with it than was approved; more has drift of its own.',
    if: ({ action }) => isRemoval(action),
  },
  {
    fields: ['twin'],
    why: 'A taken name ends the request before it is sent, and says so.',
  },
];

const HARMLESS: ReadonlySet<string> = new Set(['name', 'color', 'notes', 'parentId']);

/** The field of an edit that this field of the facts shows. */
function editedFieldAt(path: string): string {
  const [, name = ''] = path.split('.');
  if (name === 'parentName') return 'parentId';
  return name === 'policies' ? 'policyIds' : name;
}

/** Null is what the service does not say. */
function isUnstated({ before = 'null', after = 'null' }: ChangedField): boolean {
  return before === 'null' || after === 'null';
}

function isOpenStatus(status: string | undefined): boolean {
  return status === String(NEEDS_REMEDIATION) || status === String(PENDING);
}

/** Which fields a kind of drift speaks of, so that they are not named once more. */
const SPEAKS_OF: Readonly<Record<Drift['kind'], readonly string[]>> = {
  gone: [],
  'other-machine': ['identity'],
  hostname: ['hostname', 'displayName'],
  renamed: ['displayName', 'group.name', 'current.name'],
  system: ['osFamily', 'osName', 'osVersion'],
  group: ['groupId'],
  connection: ['connected'],
  login: ['lastLoggedInUser'],
  'reboot-done': ['needsReboot'],
  restarted: ['lastDisconnectTime'],
  'more-missing': ['missing', 'packages'],
  'fewer-missing': ['missing', 'packages'],
  'package-changed': ['packages'],
  'policy-renamed': ['policy.name'],
  'policy-changed': ['policy.digest', 'policies', 'editable.policies', 'removal.policiesAfter', 'current'],
  'policy-applies': ['editable.policies'],
  'policy-status': ['policy.status'],
  field: [
    'displayName',
    'groupId',
    'editable',
    'group',
    'current',
    'policies',
    'groups',
    'removal.policiesAfter',
  ],
  'requested-field': ['editable.intoGroup', 'parentName', 'policies', 'groups'],
  addresses: ['editable.addresses'],
  'device-count': ['devices', 'groups', 'group.deviceCount', 'current.groups'],
  'more-queued': ['removal.queued'],
  'more-devices': ['removal.devices'],
  'more-subgroups': ['removal.subgroups'],
  fact: [],
};

/** Of many devices these come and go. */
const COMES_AND_GOES: ReadonlySet<Drift['kind']> = new Set(['connection', 'login', 'restarted']);

/** `named`: what the kind of action says of the change. Empty only where nothing sealed changed that may not. */
export function sealedDrift(comparison: Comparison, named: DriftList): DriftList {
  const said = comparison.isRollout ? named.filter(({ kind }) => !COMES_AND_GOES.has(kind)) : named;
  const spoken = said.flatMap(({ kind }) => SPEAKS_OF[kind]);
  const { displayName: name } = comparison.sealed;
  const rest = changedFields(comparison)
    .map(({ path }) => path)
    .filter((path) => !spoken.some((field) => isWithin(path, field)));
  return [...said, ...rest.map((field) => ({ kind: 'fact', name, field }) as const)];
}

function changedFields(comparison: Comparison): readonly ChangedField[] {
  const [was, is] = [sealedFields(comparison.sealed), sealedFields(comparison.current)];
  return [...new Set([...was.keys(), ...is.keys()])]
    .map((path) => ({ ...comparison, path, before: was.get(path), after: is.get(path) }))
    .filter((change) => change.before !== change.after && !mayChange(change));
}

function mayChange(change: ChangedField): boolean {
  return MAY_CHANGE.some(
    ({ fields, if: isSo }) =>
      fields.some((field) => isWithin(change.path, field)) && (isSo === undefined || isSo(change)),
  );
}
