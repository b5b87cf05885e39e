/** The devices of a wave by the pages of the fleet's list: what changed of them, and what the claims need that follow. */
import { toDeviceFacts } from '../../fleet/facts/facts.ts';
import {
  changesRecord,
  type DeviceCommand,
  type DeviceEdit,
  type FleetAction,
} from '../../fleet/model/actions.ts';
import { policyIdOf, toPolicyFacts } from '../../fleet/model/policy-status.ts';
import type { Device } from '../../fleet/model/resources.ts';
import type { Instant } from '../../lib/clock.ts';
import { isUnsent } from '../../store/port/records.ts';
import type { RequestRecord, RequestTarget } from '../../store/port/request-records.ts';
import type { PositionRange } from '../../store/port/request-store.ts';
import type { Store } from '../../store/port/store.ts';
import { policyFor } from '../kinds/device-command.ts';
import type { ListedTarget } from '../kinds/kind.ts';
import { driftOf } from '../kinds/kinds.ts';
import { readLaneOf } from '../lanes.ts';
import { MAX_KEPT } from './read-ahead.ts';
import { readyTargets } from './ready-targets.ts';
import { type DriftedTarget, driftedOf, type RecheckPorts, recheckTarget } from './recheck.ts';

/** What lists show of a device. */
type PageableAction = DeviceCommand | DeviceEdit;

export function isPageable(action: FleetAction): action is PageableAction {
  return !changesRecord(action) || action.kind === 'device-edit';
}

export type WavePagesOptions = RecheckPorts & { readonly store: Pick<Store, 'targets'> };

type PagedWave = {
  readonly request: RequestRecord;
  readonly range: PositionRange;
  /** The position of the first target that may be claimed: rows are kept from there on. */
  readonly first: number;
  /** How many of its targets are ready. */
  readonly ready: number;
  /** Its abort ends the walk. */
  readonly signal?: AbortSignal | undefined;
};

export type ListedWave = {
  readonly drifted: readonly DriftedTarget[];
  readonly listed: Map<number, ListedTarget>;
  readonly keptTo: number;
};

/** Others of its targets may be sent meanwhile. Throws {@link FleetFailure}. */
export async function listWave(options: WavePagesOptions, wave: PagedWave): Promise<ListedWave> {
  const { store, clock } = options;
  const { request, range, first, ready, signal } = wave;
  const { action } = request;
  const lane = readLaneOf(request);
  const keptTo = first + MAX_KEPT;
  const seen = new Set<number>();
  const drifted: DriftedTarget[] = [];
  const listed = new Map<number, ListedTarget>();
  const withoutPolicyStatus = policyIdOf(action) === null;
  const begunAt = clock.now();
  let readAt = begunAt;
  const walk = options.reader.devices({ withoutPolicyStatus }, { lane, ...(signal && { signal }) });
  for await (const page of walk) {
    signal?.throwIfAborted();
    const rows = new Map(page.rows.map((device) => [device.id, device]));
    for (const target of await store.targets.onDevices(request.id, [...rows.keys()])) {
      const isOfWave = target.position >= range.from && target.position < range.to;
      const device = target.deviceId === null ? undefined : rows.get(target.deviceId);
      if (!isOfWave || device === undefined || !wasReady(target, begunAt)) continue;
      seen.add(target.position);
      if (target.state !== 'ready') continue;
      const row = { device, readAt };
      const { drift, facts } = await driftOfRow(options, { request, target, row });
      if (drift.length > 0) drifted.push({ target, drift, facts });
      else if (target.position < keptTo)
        listed.set(target.position, { device: trimmed(action, device), readAt });
    }
    if (seen.size >= ready) break;
    readAt = clock.now();
  }
  const unseen = seen.size >= ready ? [] : await driftedUnseen(options, wave, seen);
  return { drifted: [...drifted, ...unseen], listed, keptTo };
}

function wasReady({ state, issuedAt, endedAt }: RequestTarget, at: Instant): boolean {
  return state === 'ready' || issuedAt >= at || (isUnsent(state) && endedAt !== null && endedAt >= at);
}

/** Without the lists that no claim needs: thousands are kept. */
function trimmed(action: FleetAction, device: Device): Device {
  if (changesRecord(action)) return { ...device, policyStatuses: [], policyCompliance: [], detail: null };
  const id = policyIdOf(action);
  const policyStatuses = device.policyStatuses.filter(({ policyId }) => policyId === id);
  const none = { tags: [], addresses: [], privateAddresses: [], policies: [], policyCompliance: [] };
  return { ...device, ...none, policyStatuses, detail: null };
}

type ListedRow = {
  readonly request: RequestRecord;
  readonly target: RequestTarget;
  readonly row: ListedTarget;
};

async function driftOfRow(
  options: WavePagesOptions,
  { request, target, row }: ListedRow,
): Promise<Omit<DriftedTarget, 'target'>> {
  const { action } = request;
  const { facts: sealed } = target;
  if (request.expiresAt === null) return { drift: [], facts: sealed };
  // Of an edit the list shows all that is compared.
  if (changesRecord(action)) {
    const { drift, read } = await recheckTarget(options, request, target, row);
    return { drift, facts: read === null ? null : read.facts };
  }
  if (sealed.deviceId === null) return { drift: [], facts: sealed };
  const { device, readAt } = row;
  const policy = await policyFor(options.sharedReader, action, readLaneOf(request));
  const isSameGroup = sealed.groupId === device.groupId;
  const facts = toDeviceFacts(device, {
    groupName: isSameGroup ? sealed.groupName : await options.groupName(device.groupId),
    // Packages are read right before the claim.
    packages: sealed.packages,
    policy: toPolicyFacts(device, action, policy),
    asOf: readAt,
  });
  return { drift: driftOf(action, sealed, facts, true), facts };
}

/** Those that no page showed: gone, or moved from one page to another meanwhile. */
async function driftedUnseen(
  options: WavePagesOptions,
  { request, range }: PagedWave,
  seen: ReadonlySet<number>,
): Promise<readonly DriftedTarget[]> {
  if (request.expiresAt === null) return [];
  const drifted: DriftedTarget[] = [];
  for await (const target of readyTargets(options, request.id, range)) {
    if (seen.has(target.position)) continue;
    const found = driftedOf(await recheckTarget(options, request, target));
    if (found !== null) drifted.push(found);
  }
  return drifted;
}
