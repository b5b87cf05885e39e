/** Records of devices, groups and policies that are made, edited or removed: proven by reading them back. */
import {
  readDeviceForEdit,
  readDeviceForRemoval,
  readGroupForEdit,
  readGroupForRemoval,
  readPolicyForEdit,
} from '../../fleet/facts/read-facts.ts';
import type { FleetReader } from '../../fleet/fleet.ts';
import {
  type DeviceEdit,
  type DeviceRemoval,
  type FleetEdit,
  type GroupCreate,
  type GroupRemoval,
  type GroupUpdate,
  type PolicyCreate,
  type PolicyEdit,
  type PolicyUpdate,
  recordKindOf,
} from '../../fleet/model/actions.ts';
import type { NewGroup } from '../../fleet/model/changes.ts';
import { isDeviceGone, isGroupGone, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { type Instant, later } from '../../lib/clock.ts';
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { EvidenceList } from '../../store/port/evidence.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { clip } from '../clip.ts';
import { EDIT_DEADLINE_MS } from '../look-schedule.ts';
import {
  concludeEdit,
  type EditFindings,
  evaluateRemoval,
  ofFields,
  stopLooking,
} from '../proof/record-outcome.ts';
import { notSent } from '../target.ts';
import { type ActionKind, type LookPorts, requireDevice } from './kind.ts';

/** Proven by reading the record back. */
export const deviceEditKind: ActionKind<DeviceEdit> = {
  read: async ({ reader, clock, groupName }, { action, organizationId, target, lane, listed }) => {
    const deviceId = requireDevice(target);
    const known = listed === undefined ? {} : { read: listed.device };
    const context = { organizationId, asOf: clock.now(), lane, deviceId, groupName, ...known };
    const facts = await readDeviceForEdit(reader, action, context);
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: editLook(async ({ editor }, { change }, target) => {
    const deviceId = requireDevice(target);
    return shownUnlessMissing(() => editor.checkDevice(deviceId, change));
  }),
};

/** Whether the edit changes nothing but tags, so that the service takes it for many devices in one call. */
export function isTagsOnly({ change }: DeviceEdit): boolean {
  const { retag, ...others } = change;
  return retag !== undefined && Object.keys(others).length === 0;
}

/** Proven when the service does not know it any more. */
export const deviceRemoveKind: ActionKind<DeviceRemoval> = {
  read: async ({ reader, clock, groupName }, { organizationId, target, lane }) => {
    const deviceId = requireDevice(target);
    const context = { deviceId, asOf: clock.now(), lane, organizationId, groupName };
    const facts = await readDeviceForRemoval(reader, context);
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: async ({ reader, clock }, _action, target) => {
    const gone = await isDeviceGone(reader, requireDevice(target), { lane: 'background' });
    return { next: evaluateRemoval(target, { thing: 'device', gone }, clock.now()), device: null };
  },
};

/** Proven by reading the group back. */
export const groupEditKind: ActionKind<GroupUpdate> = {
  read: async ({ reader, clock }, { action, lane }) => {
    const facts = await readGroupForEdit(reader, action, { asOf: clock.now(), lane });
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: editLook(({ editor }, { groupId, change }) =>
    shownUnlessMissing(() => editor.checkGroup(groupId, change)),
  ),
};

/** Proven by finding it under its parent. */
export const groupCreateKind: ActionKind<GroupCreate> = {
  read: async ({ reader, clock }, { action, lane }) => {
    const facts = await readGroupForEdit(reader, action, { asOf: clock.now(), lane });
    if (facts === null) return null;
    const { twin } = facts;
    return { facts, claim: (target, now) => claimUnlessTwin(target, { group: action.group, twin }, now) };
  },
  look: editLook(observeNewGroup),
};

/**
 * A second group of one name below one parent is not made: nobody could tell the two apart, nor find the new one if
 * its answer is lost.
 */
function claimUnlessTwin(
  target: RequestTarget,
  { group, twin }: { readonly group: NewGroup; readonly twin: GroupId | null },
  now: Instant,
): RequestTarget {
  if (twin === null) return claimForEdit(target, now);
  return notSent(target, { kind: 'twin', name: clip(group.name, 80), group: twin }, now);
}

/** By its name below its parent: before it was made there was none, or it was not made. */
async function observeNewGroup(
  { editor, reader }: Omit<LookPorts, 'reader'> & { readonly reader: Pick<FleetReader, 'groups'> },
  { group }: GroupCreate,
): Promise<EditObservation> {
  const ids: GroupId[] = [];
  for await (const { rows } of reader.groups({ lane: 'background' })) {
    const same = rows.filter((row) => row.parentId === group.parentId && fold(row.name) === fold(group.name));
    ids.push(...same.map(({ id }) => id));
  }
  const [only, ...others] = ids;
  if (only === undefined) return { kind: 'absent' };
  if (others.length > 0) return { kind: 'several', count: ids.length };
  return shownUnlessMissing(async () => ({ ...(await editor.checkGroup(only, group)), groupId: only }));
}

/** Proven when the service does not know it any more. */
export const groupRemoveKind: ActionKind<GroupRemoval> = {
  read: async ({ reader, clock }, { action: { groupId }, lane }) => {
    const facts = await readGroupForRemoval(reader, { groupId, asOf: clock.now(), lane });
    return facts === null ? null : { facts, claim: claimForEdit };
  },
  look: async ({ reader, clock }, { groupId }, target) => {
    const gone = await isGroupGone(reader, groupId, { lane: 'background' });
    return { next: evaluateRemoval(target, { thing: 'group', gone }, clock.now()), device: null };
  },
};

export const policyCreateKind: ActionKind<PolicyCreate> = {
  read: readPolicy,
  look: editLook(observeNewPolicy),
};

export const policyEditKind: ActionKind<PolicyUpdate> = {
  read: readPolicy,
  look: editLook(({ editor }, { policyId, change }) =>
    shownUnlessMissing(() => editor.checkPolicy(policyId, change)),
  ),
};

async function readPolicy(
  ...[{ reader, clock }, { action, lane }]: Parameters<ActionKind<PolicyEdit>['read']>
): ReturnType<ActionKind<PolicyEdit>['read']> {
  const facts = await readPolicyForEdit(reader, action, { asOf: clock.now(), lane });
  if (facts === null) return null;
  const { twin } = facts;
  const { name = '' } = action.kind === 'policy-create' ? action.policy : action.change;
  return { facts, claim: (target, now) => claimUnlessTaken(target, { name, twin }, now) };
}

/** The service would refuse the name, and a lost answer to a creation is looked for by it. */
function claimUnlessTaken(
  target: RequestTarget,
  { name, twin }: { readonly name: string; readonly twin: PolicyId | null },
  now: Instant,
): RequestTarget {
  if (twin === null) return claimForEdit(target, now);
  return notSent(target, { kind: 'name-taken', name: clip(name, 80), policy: twin }, now);
}

/** By its name: before it was made there was none, or it was not made. */
async function observeNewPolicy(
  { editor, reader }: Omit<LookPorts, 'reader'> & { readonly reader: Pick<FleetReader, 'policies'> },
  { policy }: PolicyCreate,
): Promise<EditObservation> {
  const ids: PolicyId[] = [];
  for await (const { rows } of reader.policies({ lane: 'background' }))
    ids.push(...rows.filter(({ name }) => name === policy.name).map(({ id }) => id));
  const [only, ...others] = ids;
  if (only === undefined) return { kind: 'absent' };
  if (others.length > 0) return { kind: 'several', count: ids.length };
  return shownUnlessMissing(async () => ({ ...(await editor.checkPolicy(only, policy)), policyId: only }));
}

/** What reading shows of the edit. */
type EditObservation =
  | { readonly kind: 'shown'; readonly findings: EditFindings }
  /** The thing is not there: not yet, or not any more. */
  | { readonly kind: 'absent' }
  /** Several could be the one. */
  | { readonly kind: 'several'; readonly count: number };

/** Throws FleetFailure, but for what is missing. */
async function shownUnlessMissing(read: () => Promise<EditFindings>): Promise<EditObservation> {
  const findings = await nullIfMissing(read);
  return findings === null ? { kind: 'absent' } : { kind: 'shown', findings };
}

/** Written before the one call. */
function claimForEdit(target: RequestTarget, now: Instant): RequestTarget {
  const deadlineAt = later(now, EDIT_DEADLINE_MS);
  return { ...target, state: 'issuing', nextAt: null, evidence: [], issuedAt: now, deadlineAt };
}

/** A look at what reading shows of the edit. */
function editLook<E extends FleetEdit>(
  observe: (ports: LookPorts, edit: E, target: RequestTarget) => Promise<EditObservation>,
): ActionKind<E>['look'] {
  return async (ports, edit, target) => {
    const observation = await observe(ports, edit, target);
    return { next: evaluateEdit(target, edit, observation, ports.clock.now()), device: null };
  };
}

/** The target after one look. What is not there in time is said to be not known, and never sent again. */
export function evaluateEdit(
  target: RequestTarget,
  edit: FleetEdit,
  observation: EditObservation,
  now: Instant,
): RequestTarget {
  const isOverdue = now >= target.deadlineAt;
  if (observation.kind === 'shown') {
    const next = concludeEdit(target, edit, observation.findings, now);
    // What was made is there with all that was taken of it; a change may still be on its way.
    const isSettled = next.state === 'verified' || (next.endedAt !== null && makesRecord(edit));
    if (isSettled) return next;
  }
  return isOverdue ? stopLooking(target, whyUnconfirmed(edit, observation), now) : target;
}

function whyUnconfirmed(edit: FleetEdit, observation: EditObservation): EvidenceList {
  switch (observation.kind) {
    case 'shown': {
      const { notApplied, unconfirmed } = observation.findings;
      return notApplied.length > 0
        ? ofFields(notApplied, (fields) => ({ kind: 'other-values', fields }))
        : ofFields(unconfirmed, (fields) => ({ kind: 'not-shown', fields }));
    }
    case 'absent':
      if (edit.kind === 'group-create') return [{ kind: 'no-such-group' }];
      if (edit.kind === 'policy-create') return [{ kind: 'no-such-policy' }];
      return [{ kind: 'gone', thing: recordKindOf(edit) }];
    case 'several':
      return [
        edit.kind === 'policy-create'
          ? { kind: 'several-policies', policies: observation.count }
          : { kind: 'several-groups', groups: observation.count },
      ];
  }
}

function makesRecord({ kind }: FleetEdit): boolean {
  return kind === 'group-create' || kind === 'policy-create';
}
