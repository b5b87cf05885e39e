/**
 * The plan of a rollout (many devices in one request, in waves, each followed to its proof) and what it costs at least:
 * requests, and time at the permitted rate. Pure, and the same for the card, `explain` and the run.
 */
import { z } from 'zod';
import { DAY, MINUTE, SECOND } from '../lib/clock.ts';
import { listPages, PAGE_PAUSE_MS } from '../lib/lists.ts';
import { defined, type Stored, wholeNumber } from '../lib/record-fields.ts';
import { DEFAULT_ROLLOUT_LIMITS, type RolloutLimits } from '../lib/rollout-limits.ts';

/** So many devices, or a share of them. */
const amountSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('devices'), devices: wholeNumber.min(1) }),
  z.object({ kind: z.literal('share'), percent: z.number().positive().max(100) }),
]);
type Amount = Stored<typeof amountSchema>;
/** How much may go wrong in a wave before no further device is sent; a share is of those that ended in the wave. */
export type Brake = Amount;

/** Sealed with its request: what an approver agrees to beside the devices. */
export const planSchema = z.object({
  /** Devices in each wave, in the order of the targets; none is empty, and their sum is the number of targets. */
  waves: z.array(wholeNumber.min(1)).min(1),
  /** Milliseconds between the end of a wave and the start of the next. */
  waitMs: wholeNumber,
  brake: amountSchema,
  /** `manual`: a person continues after each wave. */
  gate: z.enum(['auto', 'manual']),
  /** Devices that are offline when their turn comes: the service queues the command for them, or they are left out. */
  offline: z.enum(['queue', 'skip']),
  /** Milliseconds from the approval, or from the request where none is needed, after which nothing goes on unasked. */
  lastsMs: wholeNumber.min(1),
});
export type RolloutPlan = Stored<typeof planSchema>;

/** The size of a wave as somebody wrote it; a share is of all devices. */
export type WaveSize = Amount;

/** What somebody asked for; absent: the default. */
export type PlanOptions = {
  /** Cumulative: how much of the rollout is done after each wave; the rest follows as the last one. */
  readonly waves?: readonly WaveSize[] | undefined;
  readonly waitMs?: number | undefined;
  readonly brake?: Brake | undefined;
  readonly gate?: RolloutPlan['gate'] | undefined;
  readonly offline?: RolloutPlan['offline'] | undefined;
};

/** Up to so many devices go in one wave, where nobody asked for others. */
const MAX_WITHOUT_WAVES = 10;
const DEFAULT_WAVES: readonly WaveSize[] = [
  { kind: 'share', percent: 5 },
  { kind: 'share', percent: 25 },
];
const DEFAULT_WAIT_MS = 0 * MINUTE;
const DEFAULT_BRAKE: Brake = { kind: 'share', percent: 10 };

/** The plan for so many devices (at least one). `maxAgeMs`: how long an approval lasts. */
export function planRollout(
  devices: number,
  options: PlanOptions = {},
  { maxAgeMs }: Pick<RolloutLimits, 'maxAgeMs'> = DEFAULT_ROLLOUT_LIMITS,
): RolloutPlan {
  const { waitMs = DEFAULT_WAIT_MS, brake = DEFAULT_BRAKE, gate = 'auto', offline = 'queue' } = options;
  const sizes = options.waves ?? (devices > MAX_WITHOUT_WAVES ? DEFAULT_WAVES : []);
  const waves = wavesOf(devices, sizes);
  const waitsMs = (waves.length - 1) * waitMs;
  const lastsMs = waitsMs > maxAgeMs ? waitsMs + SENDING_TIME_MS : maxAgeMs;
  return { waves, waitMs, brake, gate, offline, lastsMs };
}

/** For sending and following, beside waits that take longer than an approval lasts. */
const SENDING_TIME_MS = DAY;

/** What plans so many of its devices once more: the same, with waves in the same shares unless they were the default. */
export function optionsAgain(
  { waves: sizes, brake, waitMs, gate, offline }: RolloutPlan,
  devices: number,
): PlanOptions {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const reachable = brake.kind === 'share' ? brake : { ...brake, devices: Math.min(brake.devices, devices) };
  // A form would show what is usual as chosen.
  const options = defined({
    waitMs: waitMs === 0 ? undefined : waitMs,
    gate: gate === 'auto' ? undefined : gate,
    offline: offline === 'queue' ? undefined : offline,
    brake: reachable,
  });
  if (String(sizes) === String(planRollout(total).waves)) return options;
  let done = 0;
  const ends = sizes.map((size) => {
    done += size;
    return { kind: 'devices', devices: Math.ceil((done * devices) / total) } as const;
  });
  // The last wave is what the others leave, and each before it is of more devices than the one before.
  const waves = ends.filter(({ devices: end }, at) => at === 0 || end > (ends[at - 1]?.devices ?? 0));
  return { ...options, waves: waves.slice(0, Math.max(waves.length - 1, 1)) };
}

/** The option that cannot hold for so many devices: a wave that ends before an earlier one, or a brake that is never reached. */
export function pointlessOption(
  devices: number,
  { waves = [], brake }: PlanOptions,
): 'waves' | 'brake' | null {
  const ends = waves.map((size) => devicesOf(size, devices));
  if (ends.some((end, at) => end < (ends[at - 1] ?? 0))) return 'waves';
  return brake?.kind === 'devices' && brake.devices > devices ? 'brake' : null;
}

/** Whether two plans for the same devices are the same, however long an approval lasts. */
export function isSamePlan(one: RolloutPlan, other: RolloutPlan): boolean {
  const [first, second] = [one, other].map(({ lastsMs: _, ...asked }) => JSON.stringify(asked));
  return first === second;
}

/** Whether it is about more devices than go in one wave unasked. */
export function isLarge({ waves }: Pick<RolloutPlan, 'waves'>): boolean {
  return waves.reduce((sum, size) => sum + size, 0) > MAX_WITHOUT_WAVES;
}

/** What is not more than the wave before it makes no wave of its own. */
function wavesOf(devices: number, sizes: readonly WaveSize[]): readonly number[] {
  const waves: number[] = [];
  let done = 0;
  for (const size of sizes) {
    const end = Math.min(devicesOf(size, devices), devices);
    if (end > done) waves.push(end - done);
    done = Math.max(done, end);
  }
  return done < devices ? [...waves, devices - done] : waves;
}

/** Never none: a canary of 5 % of 11 devices is one of them. */
function devicesOf(size: WaveSize, devices: number): number {
  return size.kind === 'devices' ? size.devices : Math.max(Math.ceil((devices * size.percent) / 100), 1);
}

/** Positions of a wave, from and up to but not including; null: there is no such wave. */
export function waveRange(
  { waves }: Pick<RolloutPlan, 'waves'>,
  wave: number,
): { readonly from: number; readonly to: number } | null {
  const size = waves[wave];
  if (size === undefined) return null;
  const from = waves.slice(0, wave).reduce((sum, one) => sum + one, 0);
  return { from, to: from + size };
}

export function waveOf({ waves }: Pick<RolloutPlan, 'waves'>, position: number): number {
  let end = 0;
  for (const [wave, size] of waves.entries()) {
    end += size;
    if (position < end) return wave;
  }
  throw new Error(`position ${position} is beyond the plan's ${end} devices`);
}

export type WavePlace = {
  readonly id: number;
  /** Null: not known. */
  readonly isOnline: boolean | null;
  /** Devices of one kind, such as a system in a group. */
  readonly kind: string;
};

/**
 * Connected devices first: they prove within minutes whether the change is good, and one that is offline proves nothing.
 * Among them the kinds are spread evenly, so that any first part of the rollout, above all its canary, has each kind in
 * the share that it has of all; within a kind the oldest id comes first. The same devices always come in the same order.
 */
export function inWaveOrder<T>(devices: readonly T[], placeOf: (device: T) => WavePlace): readonly T[] {
  const placed = devices.map((device) => ({ device, place: placeOf(device) }));
  return [true, null, false].flatMap((isOnline) =>
    spread(placed.filter(({ place }) => place.isOnline === isOnline)).map(({ device }) => device),
  );
}

/** Each kind takes the places that divide the whole evenly; on one place the larger kind comes first. */
function spread<P extends { readonly place: WavePlace }>(all: readonly P[]): readonly P[] {
  const kinds = Map.groupBy(
    all.toSorted((a, b) => a.place.id - b.place.id),
    ({ place }) => place.kind,
  );
  const ranked = [...kinds.values()].flatMap((same) =>
    same.map((one, at) => ({ one, at: (at + 0.5) / same.length, size: same.length })),
  );
  return ranked
    .toSorted((a, b) => a.at - b.at || b.size - a.size || a.one.place.id - b.one.place.id)
    .map(({ one }) => one);
}

/**
 * Requests that a rollout may make in a second: the share of background work of 100 in 2 seconds ("management API in
 * practice" 2.3), of which a third is kept for people.
 */
const ROLLOUT_REQUESTS_PER_SECOND = 33;

/** Until a wave shows what became of it: devices need about a minute, and a look at many pages takes longer. */
const LOOK_MS = MINUTE;

/**
 * Single requests for a device, beside pages of lists: what is read before its claim, the one that sends, and what proves
 * it. Of every command its queue before and after; of a patch packages both times, of a policy its events after. An edit
 * is read, written and read back.
 */
const REQUESTS_PER_DEVICE: Readonly<Record<string, number>> = {
  scan: 3,
  reboot: 3,
  patch: 5,
  'patch-each': 5,
  'patch-all': 5,
  'policy-test': 4,
  'policy-remediate': 4,
  'device-edit': 3,
};
const DEFAULT_REQUESTS = 3;

export type RolloutCost = {
  readonly requests: number;
  /** Until everything is sent and looked at once; devices may take longer to answer. */
  readonly ms: number;
};

type RolloutSize = {
  readonly kind: string;
  readonly plan: Pick<RolloutPlan, 'waves' | 'waitMs'>;
  /** Devices in the fleet, whose lists are read; absent: no more than those of the rollout. */
  readonly fleet?: number;
  /** Requests in a second; absent: what is permitted. */
  readonly perSecond?: number;
};

/** At least so much: people's questions go first, and devices answer when they can. */
export function estimateRollout({
  kind,
  plan: { waves, waitMs },
  fleet = 0,
  perSecond = ROLLOUT_REQUESTS_PER_SECOND,
}: RolloutSize): RolloutCost {
  const perDevice = REQUESTS_PER_DEVICE[kind] ?? DEFAULT_REQUESTS;
  const devices = waves.reduce((sum, wave) => sum + wave, 0);
  const pages = listPages(Math.max(fleet, devices));
  // Before each wave, and to prove it: pages, or single reads where those are fewer.
  const looks = waves.reduce((sum, wave) => sum + 2 * Math.min(pages, wave), 0);
  const requests = devices * perDevice + looks;
  const lookMs = waves.length * Math.max(LOOK_MS, pages * PAGE_PAUSE_MS);
  const pauses = Math.max(waves.length - 1, 0) * waitMs;
  return { requests, ms: Math.ceil((requests * SECOND) / perSecond) + lookMs + pauses };
}
