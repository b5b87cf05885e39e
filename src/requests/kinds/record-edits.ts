/** Records of devices, groups and policies that are made, edited or removed: proven by reading them back. */
import type { TargetFacts } from '../../fleet/facts/facts.ts';
import {
  readDeviceForEdit,
  readDeviceForRemoval,
  readGroupForEdit,
  readGroupForRemoval,
  readPolicyForEdit,
} from '../../fleet/facts/read-facts.ts';
import {
  type DeviceEdit,
  type FleetEdit,
  type PolicyEdit,
  type Removal,
  recordKindOf,
} from '../../fleet/model/actions.ts';
import { isDeviceGone, isGroupGone, nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { type Instant, later } from '../../lib/clock.ts';
import type { GroupId, PolicyId } from '../../lib/ids.ts';
import { fold } from '../../lib/text.ts';
import type { Evidence, EvidenceList } from '../../store/port/evidence.ts';
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
import { notSent } from '../target-transitions.ts';
import { type ActionKind, type KindsOf, type LookPorts, requireDevice, type TargetRead } from './kind.ts';

/** A change is proven by reading the record back, a removal when the service does not know it any more. */
export const RECORD_EDITS: KindsOf<(FleetEdit | Removal)['kind']> = {
  'device-edit': {
    read: async ({ reader, clock, groupName }, { action, organizationId, target, lane, listed }) => {
      const deviceId = requireDevice(target);
      const known = listed === undefined ? {} : { read: listed.device };
      const context = { organizationId, asOf: clock.now(), lane, deviceId, groupName, ...known };
      return claimable(await readDeviceForEdit(reader, action, context));
    },
    look: editLook(async ({ editor }, { change }, target) => {
      const deviceId = requireDevice(target);
      return shownUnlessMissing(() => editor.checkDevice(deviceId, change));
    }),
  },
  'device-remove': {
    read: async ({ reader, clock, groupName }, { organizationId, target, lane }) => {
      const deviceId = requireDevice(target);
      const context = { deviceId, asOf: clock.now(), lane, organizationId, groupName };
      return claimable(await readDeviceForRemoval(reader, context));
    },
    look: async ({ reader, clock }, _action, target) => {
      const gone = await isDeviceGone(reader, requireDevice(target), { lane: 'background' });
      return { next: evaluateRemoval(target, { thing: 'device', gone }, clock.now()), device: null };
    },
  },
  'group-edit': {
    read: async ({ reader, clock }, { action, lane }) =>
      claimable(await readGroupForEdit(reader, action, { asOf: clock.now(), lane })),
    look: editLook(({ editor }, { groupId, change }) =>
      shownUnlessMissing(() => editor.checkGroup(groupId, change)),
    ),
  },
  'group-create': {
    read: async ({ reader, clock }, { action, lane }) => {
      const facts = await readGroupForEdit(reader, action, { asOf: clock.now(), lane });
      const twin = facts?.twin ?? null;
      // Nobody could tell two groups of one name below one parent apart, nor find the new one if its answer is lost.
      const name = clip(action.group.name, 80);
      return claimable(facts, twin === null ? null : { kind: 'twin', name, group: twin });
    },
    look: editLook(async ({ editor, reader }, { group }) => {
      const ids: GroupId[] = [];
      for await (const { rows } of reader.groups({ lane: 'background' })) {
        const below = rows.filter(({ parentId }) => parentId === group.parentId);
        ids.push(...below.filter(({ name }) => fold(name) === fold(group.name)).map(({ id }) => id));
      }
      return shownIfOnly(ids, async (id) => ({ ...(await editor.checkGroup(id, group)), groupId: id }));
    }),
  },
  'group-remove': {
    read: async ({ reader, clock }, { action: { groupId }, lane }) =>
      claimable(await readGroupForRemoval(reader, { groupId, asOf: clock.now(), lane })),
    look: async ({ reader, clock }, { groupId }, target) => {
      const gone = await isGroupGone(reader, groupId, { lane: 'background' });
      return { next: evaluateRemoval(target, { thing: 'group', gone }, clock.now()), device: null };
    },
  },
  'policy-create': {
    read: readPolicy,
    look: editLook(async ({ editor, reader }, { policy }) => {
      const ids: PolicyId[] = [];
      for await (const { rows } of reader.policies({ lane: 'background' }))
        ids.push(...rows.filter(({ name }) => name === policy.name).map(({ id }) => id));
      return shownIfOnly(ids, async (id) => ({ ...(await editor.checkPolicy(id, policy)), policyId: id }));
    }),
  },
  'policy-edit': {
    read: readPolicy,
    look: editLook(({ editor }, { policyId, change }) =>
      shownUnlessMissing(() => editor.checkPolicy(policyId, change)),
    ),
  },
};

/** Whether the edit changes nothing but tags, so that the service takes it for many devices in one call. */
export function isTagsOnly({ change }: DeviceEdit): boolean {
  const { retag, ...others } = change;
  return retag !== undefined && Object.keys(others).length === 0;
}

async function readPolicy(
  ...[{ reader, clock }, { action, lane }]: Parameters<ActionKind<PolicyEdit>['read']>
): ReturnType<ActionKind<PolicyEdit>['read']> {
  const facts = await readPolicyForEdit(reader, action, { asOf: clock.now(), lane });
  const { name = '' } = action.kind === 'policy-create' ? action.policy : action.change;
  const twin = facts?.twin ?? null;
  // The service would refuse the name, and a lost answer to a creation is looked for by it.
  return claimable(facts, twin === null ? null : { kind: 'name-taken', name: clip(name, 80), policy: twin });
}

/** Null facts: there is no such thing. `taken`: why nothing is sent. */
function claimable(facts: TargetFacts | null, taken: Evidence | null = null): TargetRead | null {
  if (facts === null) return null;
  return {
    facts,
    claim: (target, now) => {
      if (taken !== null) return notSent(target, taken, now);
      const deadlineAt = later(now, EDIT_DEADLINE_MS);
      return { ...target, state: 'issuing', nextAt: null, evidence: [], issuedAt: now, deadlineAt };
    },
  };
}

/** What was made is found by its name: before that there was none, or it was not made. */
async function shownIfOnly<Id>(
  ids: readonly Id[],
  read: (id: Id) => Promise<EditFindings>,
): Promise<EditObservation> {
  const [only, ...others] = ids;
  if (only === undefined) return { kind: 'absent' };
  return others.length > 0 ? { kind: 'several', count: ids.length } : shownUnlessMissing(() => read(only));
}

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
  if (observation.kind === 'shown') {
    const next = concludeEdit(target, edit, observation.findings, now);
    // What was made is there with all that was taken of it; a change may still be on its way.
    const isCreation = edit.kind === 'group-create' || edit.kind === 'policy-create';
    const isSettled = next.state === 'verified' || (next.endedAt !== null && isCreation);
    if (isSettled) return next;
  }
  return now >= target.deadlineAt ? stopLooking(target, whyUnconfirmed(edit, observation), now) : target;
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
