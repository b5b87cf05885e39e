/**
 * What this process read of the waves that run. A wave is read before its first device is sent. What its later claims
 * need is read while others are sent: the service allows few pages a minute, which looks share, and a rollout that
 * waited for them would send nothing meanwhile. A claim whose device no page showed yet reads it alone.
 */
import { toDeviceFacts } from '../../fleet/facts/facts.ts';
import { changesRecord, type FleetAction } from '../../fleet/model/actions.ts';
import { policyIdOf, toPolicyFacts } from '../../fleet/model/policy-status.ts';
import type { Device } from '../../fleet/model/resources.ts';
import { ageOf, DAY, type Instant, later, MINUTE, SECOND } from '../../lib/clock.ts';
import type { OnFailpoint } from '../../lib/failpoints.ts';
import { isDriftTooLarge, type Rollout } from '../../rollout/progress.ts';
import {
  isUnsent,
  type PositionRange,
  type RequestRecord,
  type RequestTarget,
} from '../../store/port/request-records.ts';
import type { Store } from '../../store/port/store.ts';
import { policyFor } from '../kinds/device-commands.ts';
import type { ListedTarget } from '../kinds/kind.ts';
import { driftOf } from '../kinds/kinds.ts';
import { type PagePorts, pagesOfFleet, readLaneOf } from '../many-devices.ts';
import type { RecordMoves } from './ledger.ts';
import {
  type CheckedTarget,
  type DriftedTarget,
  driftedOf,
  isNoLongerNeeded,
  leaveOut,
  type RecheckPorts,
  type ReturnRest,
  readyTargets,
  recheckTarget,
  ruleDrift,
} from './recheck.ts';

type RecheckWaveOptions = RecheckPorts &
  Pick<PagePorts, 'fleetSize'> & {
    readonly store: Store;
    readonly recordMoves: RecordMoves;
    readonly returnRest: ReturnRest;
    readonly onFailpoint?: OnFailpoint | undefined;
  };

type WaveToCheck = {
  readonly request: RequestRecord;
  readonly rollout: Rollout;
  readonly range: PositionRange;
  /** The position of the first target that may be claimed: rows are kept from there on. */
  readonly first: number;
};

export type CheckedWave = {
  readonly kind: 'checked';
  /** Those that need not be read again right away. */
  readonly targets: readonly CheckedTarget[];
  /** The devices of others as they were listed, by position. */
  readonly listed: Map<number, ListedTarget>;
  /** Those from this position on were not kept; null: the wave was not read by pages. */
  readonly keptTo: number | null;
};

/** `returned`: the rollout does not go on. Throws FleetFailure. */
type RecheckedWave = CheckedWave | { readonly kind: 'returned' };

export type WaveReadings = Readonly<ReturnType<typeof createWaveReadings>>;

/** When the wave was read, and its first position that was ready then. */
type ReadFrom = { readonly readAt: Instant; readonly from: number };

type NextRead = ReadFrom & {
  readonly pages: Promise<ListedWave>;
  readonly abort: () => void;
  isOver: boolean;
};

type Reading = {
  readonly wave: number;
  /** Whoever lets a rollout go on moves it: its devices are read again. */
  readonly waveFrom: Instant;
  readonly seal: RequestRecord['seal'];
  last: CheckedWave & ReadFrom;
  /** What is read while devices are sent. */
  next: NextRead | null;
};

/** One for each process. */
export function createWaveReadings(options: RecheckWaveOptions) {
  const { clock } = options;
  const readings = new Map<RequestRecord['id'], Reading>();

  const readNext = (wave: WaveToCheck): NextRead => {
    const controller = new AbortController();
    const { signal } = controller;
    // It changes nothing.
    const pages = countReady(options, wave).then((ready) => listWave(options, { ...wave, ready, signal }));
    const next = {
      readAt: clock.now(),
      from: wave.first,
      pages,
      abort: () => controller.abort(),
      isOver: false,
    };
    const over = (): void => {
      next.isOver = true;
    };
    // Whoever uses it hears of its failure.
    pages.then(over, over);
    return next;
  };

  /** Nothing ran here since: the rollout was held, or another replica went on with it. */
  const isOld = ({ readAt }: ReadFrom): boolean => ageOf(readAt, clock.now()) > MAX_LISTED_AGE_MS;

  const isNextDue = ({ last, next }: Reading, { range, first: position }: WaveToCheck): boolean => {
    const { readAt, from, keptTo } = last;
    if (next !== null || keptTo === null) return false;
    const pages = pagesOfFleet(options);
    return isReadDue({ readAt, from, keptTo }, { now: clock.now(), position, to: range.to, pages });
  };

  const goOn = async (reading: Reading, wave: WaveToCheck): Promise<RecheckedWave> => {
    const { next } = reading;
    if (next?.isOver === true) {
      reading.next = null;
      const checked = isOld(next) ? null : await judgeRest(options, wave, await next.pages);
      if (checked?.kind === 'returned') return checked;
      const { readAt, from } = next;
      if (checked !== null) reading.last = { ...checked, readAt, from };
    }
    if (isNextDue(reading, wave)) reading.next = readNext(wave);
    const { listed } = reading.last;
    for (const sent of listed.keys()) if (sent < wave.first) listed.delete(sent);
    return reading.last;
  };

  const forget = (id: RequestRecord['id']): void => {
    readings.get(id)?.next?.abort();
    readings.delete(id);
  };

  return {
    forget,
    /** What the claims of the wave need not read again. Throws FleetFailure. */
    at: async (given: WaveToCheck): Promise<RecheckedWave> => {
      const { id, seal } = given.request;
      const { wave, waveFrom } = given.rollout;
      const known = readings.get(id);
      const isKnown = known?.wave === wave && known.waveFrom === waveFrom && known.seal === seal;
      if (isKnown) return goOn(known, given);
      forget(id);
      const readAt = clock.now();
      // Another replica went on with those.
      for (const [old, { last }] of readings) if (ageOf(last.readAt, readAt) > DAY) forget(old);
      const checked = await recheckWave(options, given);
      if (checked.kind === 'checked')
        readings.set(id, {
          wave,
          waveFrom,
          seal,
          last: { ...checked, targets: [], readAt, from: given.first },
          next: null,
        });
      return checked;
    },
  };
}

/**
 * Reads the devices of a wave again before it begins, by the pages of the fleet's list where those are fewer. A device
 * that changed since it was approved is left out; where more of them changed than the brake allows, the rest returns
 * to its approvers. What the pages show is kept for the claims that follow soon. Nothing is sent meanwhile.
 */
async function recheckWave(options: RecheckWaveOptions, wave: WaveToCheck): Promise<RecheckedWave> {
  const { request } = wave;
  const nothing: CheckedWave = { kind: 'checked', targets: [], listed: new Map(), keptTo: null };
  const ready = await countReady(options, wave);
  if (ready === 0) return nothing;
  // What lists show of a device.
  const isPageable = !changesRecord(request.action) || request.action.kind === 'device-edit';
  if (isPageable && ready > pagesOfFleet(options)) {
    const { drifted, ...pages } = await listWave(options, { ...wave, ready });
    return judgeDrift(options, wave, { drifted, ready, checked: { ...nothing, ...pages } });
  }
  // What nobody had to approve is sealed to nothing; an edit is compared field by field right before it is sent.
  if (request.expiresAt === null || changesRecord(request.action)) return nothing;
  // There are no more than the fleet has pages.
  const targets = await Array.fromAsync(readyTargets(options, request.id, wave.range));
  const all: CheckedTarget[] = [];
  for (const target of targets) all.push(await recheckTarget(options, request, target));
  const checked = { ...nothing, targets: all.filter(({ drift }) => drift.length === 0) };
  const drifted = all.flatMap((one) => driftedOf(one) ?? []);
  return judgeDrift(options, wave, { drifted, ready, checked });
}

/** Judges what was read while others were sent, of those devices that still are to be sent. */
async function judgeRest(
  options: RecheckWaveOptions,
  wave: WaveToCheck,
  pages: ListedWave,
): Promise<RecheckedWave> {
  const devices = pages.drifted.flatMap(({ target }) => target.deviceId ?? []);
  const targets = await options.store.targets.onDevices(wave.request.id, devices);
  const left = new Set(targets.filter(({ state }) => state === 'ready').map(({ position }) => position));
  const { drifted, ...listed } = pages;
  return judgeDrift(options, wave, {
    drifted: drifted.filter(({ target }) => left.has(target.position)),
    ready: await countReady(options, wave),
    checked: { kind: 'checked', targets: [], ...listed },
  });
}

async function countReady({ store }: RecheckWaveOptions, { request, rollout }: WaveToCheck): Promise<number> {
  return (await store.requests.waveCounts(request.id))[rollout.wave]?.ready ?? 0;
}

type Drifted = {
  readonly drifted: readonly DriftedTarget[];
  /** Of so many that were read. */
  readonly ready: number;
  readonly checked: CheckedWave;
};

/** Those that changed are left out, unless so many still need it that the approvers have to see it first. */
async function judgeDrift(
  options: RecheckWaveOptions,
  { request, rollout }: WaveToCheck,
  { drifted: all, ready, checked }: Drifted,
): Promise<RecheckedWave> {
  await options.onFailpoint?.('wave.rechecked');
  const drifted = all.filter((one) => !isNoLongerNeeded(one));
  if (isDriftTooLarge(rollout.plan.brake, { drifted: drifted.length, checked: ready })) {
    await options.returnRest({ ...request, rollout }, { drifted, checked: ready });
    return { kind: 'returned' };
  }
  await leaveOut(options, request, all);
  return checked;
}

/** Of whose targets so many are ready. Its abort ends the walk. */
type PagedWave = WaveToCheck & { readonly ready: number; readonly signal?: AbortSignal };

type ListedWave = {
  readonly drifted: readonly DriftedTarget[];
  readonly listed: Map<number, ListedTarget>;
  readonly keptTo: number;
};

/** Others of its targets may be sent meanwhile. Throws {@link FleetFailure}. */
async function listWave(options: RecheckWaveOptions, wave: PagedWave): Promise<ListedWave> {
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
      const { drift, facts } = await driftOfRow(options, request, target, { device, readAt });
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

/** Without the lists that no claim needs: thousands are kept. Rules ask for the tags. */
function trimmed(action: FleetAction, device: Device): Device {
  if (changesRecord(action)) return { ...device, policyStatuses: [], policyCompliance: [], detail: null };
  const id = policyIdOf(action);
  const policyStatuses = device.policyStatuses.filter(({ policyId }) => policyId === id);
  const none = { addresses: [], privateAddresses: [], policies: [], policyCompliance: [] };
  return { ...device, ...none, policyStatuses, detail: null };
}

async function driftOfRow(
  options: RecheckWaveOptions,
  request: RequestRecord,
  target: RequestTarget,
  row: ListedTarget,
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
  const byRules = await ruleDrift(options, request, facts);
  return { drift: [...driftOf(action, sealed, facts, true), ...byRules], facts };
}

/** Those that no page showed: gone, or moved from one page to another meanwhile. */
async function driftedUnseen(
  options: RecheckWaveOptions,
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

/** A device that was listed longer ago is read again. Our own figure. */
export const MAX_LISTED_AGE_MS = 10 * MINUTE;

/** Devices whose rows are kept: some minutes of sending at the permitted rate, and some MiB. */
export const MAX_KEPT = 5_000;

/** Of the 20 pages a minute that are not kept for people, looks may take as many as this read. */
const PAGE_MS = 6 * SECOND;

/** Beyond so many pages (nine minutes) a wave is read once: the first rows would be old before the last are read. */
export const MAX_PAGES_IN_WAVE = 90;

/** What was read last, and how far the wave was then. */
export type LastRead = { readonly readAt: Instant; readonly from: number; readonly keptTo: number };

/** How far the wave is now, where it ends, and the pages of the fleet. */
type WaveProgress = {
  readonly now: Instant;
  readonly position: number;
  readonly to: number;
  readonly pages: number;
};

/** Whether the pages are to be read now, at the pace of the wave since they were read last. */
export function isReadDue({ readAt, from, keptTo }: LastRead, wave: WaveProgress): boolean {
  const { now, position, to, pages } = wave;
  const oldAt = later(readAt, MAX_LISTED_AGE_MS);
  const passed = Math.max(position - from, 0);
  const reaches = (at: Instant): number =>
    passed === 0 ? position : position + (passed * Math.max(at - now, 0)) / Math.max(now - readAt, 1);
  // Where nothing was sent yet, the pace is not known.
  const servedTo =
    passed === 0 && now < oldAt ? keptTo : Math.max(Math.min(keptTo, reaches(oldAt)), position);
  const isWorthIt = pages <= MAX_PAGES_IN_WAVE && to - servedTo > pages;
  return isWorthIt && reaches(later(now, pages * PAGE_MS)) >= servedTo;
}
