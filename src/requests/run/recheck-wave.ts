/**
 * Reads the devices of a wave again before it begins, by the pages of the fleet's list where those are fewer. A device
 * that changed since it was approved is left out; where more of them changed than the brake allows, the rollout waits
 * for its approvers.
 */
import { toDeviceFacts } from '../../fleet/facts/device-facts.ts';
import { changesRecord, type DeviceCommand } from '../../fleet/model/actions.ts';
import type { Policy } from '../../fleet/model/policy.ts';
import { policyIdOf, toPolicyFacts } from '../../fleet/model/policy-status.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { nullIfMissing } from '../../fleet/reads/read-helpers.ts';
import { chunksOf } from '../../lib/chunks.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { isDriftTooLarge } from '../../rollout/brake.ts';
import type { Rollout } from '../../rollout/progress.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { PositionRange } from '../../store/port/request-store.ts';
import type { Store } from '../../store/port/store.ts';
import type { HoldRollout } from '../decide/hold-rollout.ts';
import { arePagesFewer, devicePages, type FleetSize } from '../device-pages.ts';
import type { DriftList } from '../drift/device-drift.ts';
import type { ReadPorts } from '../kinds/kind.ts';
import { readLaneOf } from '../lanes.ts';
import { notSent } from '../target.ts';
import type { RecordMoves } from './ledger.ts';
import { type CheckedTarget, recheckTarget, recheckTargets, sealedDrift } from './recheck.ts';
import { driftNote } from './return-for-approval.ts';

export type RecheckWaveOptions = ReadPorts & {
  readonly store: Store;
  readonly recordMoves: RecordMoves;
  readonly holdRollout: HoldRollout;
  readonly fleetSize?: FleetSize | undefined;
  readonly onFailpoint?: OnFailpoint | undefined;
};

export type WaveToCheck = {
  readonly request: RequestRecord;
  readonly rollout: Rollout;
  readonly range: PositionRange;
};

/** Those that need not be read again right away. `held`: the rollout does not go on. Throws FleetFailure. */
export type RecheckedWave =
  | { readonly kind: 'held' }
  | { readonly kind: 'checked'; readonly targets: readonly CheckedTarget[] };

type Drifted = { readonly target: RequestTarget; readonly drift: DriftList };

const TARGETS_AT_ONCE = 500;

export async function recheckWave(options: RecheckWaveOptions, wave: WaveToCheck): Promise<RecheckedWave> {
  const { request, rollout } = wave;
  const counts = (await options.store.requests.waveCounts(request.id))[rollout.wave];
  const ready = counts?.ready ?? 0;
  // What nobody had to approve is sealed to nothing; an edit is compared field by field right before it is sent.
  if (ready === 0 || request.expiresAt === null || changesRecord(request.action))
    return { kind: 'checked', targets: [] };
  const { action } = request;
  const isPaged = await arePagesFewer(options, ready);
  const checked = isPaged ? [] : await checkEach(options, wave);
  const drifted = isPaged
    ? await driftedByPages(options, { ...wave, action, ready })
    : checked.filter(({ drift }) => drift.length > 0);
  await options.onFailpoint?.('wave.rechecked');
  const held = await leaveOut(options, wave, { drifted, ready });
  if (held) return { kind: 'held' };
  return { kind: 'checked', targets: checked.filter(({ drift }) => drift.length === 0) };
}

async function checkEach(
  options: RecheckWaveOptions,
  { request, range }: WaveToCheck,
): Promise<readonly CheckedTarget[]> {
  const targets = await readyTargets(options, request, { ...range, after: range.from - 1 });
  return recheckTargets(options, request, targets);
}

function readyTargets(
  { store }: RecheckWaveOptions,
  { id }: RequestRecord,
  { after, to }: { readonly after: number; readonly to: number },
): Promise<readonly RequestTarget[]> {
  return store.targets.of(id, { states: ['ready'], after, before: to, limit: TARGETS_AT_ONCE });
}

type PagedWave = WaveToCheck & { readonly action: DeviceCommand; readonly ready: number };

async function driftedByPages(options: RecheckWaveOptions, wave: PagedWave): Promise<readonly Drifted[]> {
  const { store } = options;
  const { request, range, action, ready } = wave;
  const lane = readLaneOf(request);
  const policyId = policyIdOf(action);
  const policy =
    policyId === null ? null : await nullIfMissing(() => options.reader.policy(policyId, { lane }));
  const seen = new Set<number>();
  const drifted: Drifted[] = [];
  for await (const devices of devicePages(options, { lane, withPolicies: policyId !== null })) {
    const rows = new Map(devices.map((device) => [device.id, device]));
    for (const target of await store.targets.onDevices(request.id, [...rows.keys()])) {
      const isOfWave = target.position >= range.from && target.position < range.to;
      const device = target.deviceId === null ? undefined : rows.get(target.deviceId);
      if (!isOfWave || target.state !== 'ready' || device === undefined) continue;
      seen.add(target.position);
      const drift = driftOfRow(options, { request, target, device, policy, action });
      if (drift.length > 0) drifted.push({ target, drift });
    }
    if (seen.size >= ready) break;
  }
  return seen.size >= ready ? drifted : [...drifted, ...(await driftedUnseen(options, wave, seen))];
}

function driftOfRow(
  { clock }: RecheckWaveOptions,
  {
    request,
    target,
    device,
    policy,
    action,
  }: {
    readonly request: RequestRecord;
    readonly target: RequestTarget;
    readonly device: Device;
    readonly policy: Policy | null;
    readonly action: DeviceCommand;
  },
): DriftList {
  const { facts: sealed } = target;
  if (sealed === null || sealed.deviceId === null) return [];
  const current = toDeviceFacts(device, {
    groupName: sealed.groupId === device.groupId ? sealed.groupName : null,
    // Packages are read right before the claim.
    missing: sealed.missing,
    ...(sealed.rebootFor && { rebootFor: sealed.rebootFor }),
    policy: toPolicyFacts(device, action, policy),
    asOf: clock.now(),
  });
  return sealedDrift(request, sealed, current);
}

/** Those that no page showed: gone, or moved from one page to another meanwhile. */
async function driftedUnseen(
  options: RecheckWaveOptions,
  { request, range }: PagedWave,
  seen: ReadonlySet<number>,
): Promise<readonly Drifted[]> {
  const drifted: Drifted[] = [];
  let after = range.from - 1;
  for (;;) {
    const targets = await readyTargets(options, request, { after, to: range.to });
    const last = targets.at(-1);
    if (last === undefined) return drifted;
    for (const target of targets) {
      if (seen.has(target.position)) continue;
      const { drift } = await recheckTarget(options, request, target);
      if (drift.length > 0) drifted.push({ target, drift });
    }
    after = last.position;
  }
}

/** True: so many changed that the approvers have to see it first. */
async function leaveOut(
  { clock, recordMoves, holdRollout }: RecheckWaveOptions,
  { request, rollout }: WaveToCheck,
  { drifted, ready }: { readonly drifted: readonly Drifted[]; readonly ready: number },
): Promise<boolean> {
  const bad = drifted.length;
  const isTooLarge = isDriftTooLarge(rollout.plan.brake, { drifted: bad, checked: ready });
  if (isTooLarge) {
    const hold = { kind: 'braked', bad, ended: ready, at: clock.now(), drifted: true } as const;
    const changes = drifted.flatMap(({ drift }) => drift);
    await holdRollout(request.id, { hold, note: driftNote(request, changes, bad) });
  }
  for (const part of chunksOf(drifted, TARGETS_AT_ONCE)) {
    const now = clock.now();
    const moves = part.map(({ target, drift }) => ({
      from: 'ready' as const,
      next: notSent(target, driftNote(request, drift, 1), now),
    }));
    await recordMoves(request, moves);
  }
  return isTooLarge;
}
