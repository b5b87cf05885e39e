/** Every kind of action, and what it does with a target. */

import type { TargetFacts } from '../../fleet/facts/facts.ts';
import { actionOn, type FleetAction, type TargetAction } from '../../fleet/model/actions.ts';
import type { Device } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import type { RequestTarget } from '../../store/port/request-records.ts';
import { type DriftList, sealedDrift } from '../drift/sealed-drift.ts';
import { withMembers } from '../members.ts';
import { targetAction } from '../target-transitions.ts';
import { DEVICE_COMMANDS } from './device-commands.ts';
import type {
  ActionKind,
  KindsOf,
  LookPorts,
  ReadPorts,
  ReadSubject,
  TargetLook,
  TargetRead,
} from './kind.ts';
import { isTagsOnly, RECORD_EDITS } from './record-edits.ts';

const KINDS: KindsOf<TargetAction['kind']> = { ...DEVICE_COMMANDS, ...RECORD_EDITS };

type ActionOf<K extends TargetAction['kind']> = Extract<TargetAction, { kind: K }>;

/** The kind of this action, bound to it. TypeScript cannot tie the key of a table to its value by itself. */
function kindOf<K extends TargetAction['kind']>(action: ActionOf<K>): ActionKind<ActionOf<K>> {
  const kind: K = action.kind;
  return KINDS[kind];
}

export async function readTarget(
  ports: ReadPorts,
  subject: Omit<ReadSubject, 'action'> & { readonly action: FleetAction },
): Promise<TargetRead | null> {
  const action = targetAction(subject.action, subject.target);
  const read = await kindOf(action).read(ports, { ...subject, action });
  return read && { ...read, facts: await withMembers(read.facts, ports.readIndex) };
}

/** All that changed since it was sealed, but for what may change without a word. */
export function driftOf(
  action: FleetAction,
  sealed: TargetFacts,
  current: TargetFacts,
  isRollout = false,
): DriftList {
  return sealedDrift({ action: targetAction(action, { facts: sealed }), isRollout, sealed, current });
}

export function lookAtTarget(
  ports: LookPorts,
  action: FleetAction,
  target: RequestTarget,
  row: Device | null = null,
): Promise<TargetLook> {
  const done = targetAction(action, target);
  return kindOf(done).look(ports, done, target, row);
}

/** Whether lists show something of the effect of the action. */
export function isSeenInLists(action: FleetAction): boolean {
  return kindOf(actionOn(action, [])).showsEffect !== undefined;
}

export function showsEffect(
  action: FleetAction,
  target: RequestTarget,
  { device, now }: { readonly device: Device; readonly now: Instant },
): boolean {
  const done = targetAction(action, target);
  return kindOf(done).showsEffect?.(done, target, device, now) === true;
}

/** Devices in one call to the service (management API in practice, 7). */
const MAX_TAG_BATCH = 500;

/** How many targets one call to the service changes. */
export function targetsPerCall(action: FleetAction, takesTagBatches: boolean): number {
  return takesTagBatches && action.kind === 'device-edit' && isTagsOnly(action) ? MAX_TAG_BATCH : 1;
}
