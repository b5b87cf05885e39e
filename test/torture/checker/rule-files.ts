/**
 * What the configuration files of the rounds ask of a command, written by hand: a second opinion on rules, and no second
 * engine of them. The files themselves are in `plan/rule-files.ts`.
 */
import type { Evidence } from './evidence.ts';

const MINUTE = 60_000;
/** Members of the user groups that rules name. */
const APPROVERS: readonly string[] = ['approver', 'approver2'];
const PRODUCTION: readonly string[] = ['approver', 'approver3', 'admin'];
const ADMIN: readonly string[] = ['admin'];
/** Whoever may approve where a rule names nobody. */
export const ANYBODY: readonly string[] = ['approver', 'approver2', 'approver3', 'admin'];

/** So many distinct people of these; all of them must be met. */
export type Asks = readonly (readonly [count: number, of: readonly string[]])[];
const ONE_OF_ANYBODY: Asks = [[1, ANYBODY]];
const ONE_OF_EACH: Asks = [
  [1, APPROVERS],
  [1, ADMIN],
];

/** A group of the fleet, with its devices as they are at first. */
type Place = { readonly group: number; readonly devices: readonly number[] };
export const KIOSKS: Place = { group: 3140, devices: [4005, 4008, 4028, 4029, 4048, 4049, 4068, 4069] };
export const DATABASES: Place = { group: 3113, devices: [4003, 4016, 4036, 4056, 4076] };
export const ENGINEERS: Place = { group: 3122, devices: [4007, 4022, 4023, 4042, 4043, 4062, 4063] };
export const WINDOWS: Place = {
  group: 3112,
  devices: [4004, 4017, 4018, 4037, 4038, 4057, 4058, 4077, 4078],
};
const REBOOT = ['reboot'];
const PATCHES = ['patch', 'patch-all', 'patch-each'];

type Row = {
  readonly on?: Place;
  /** Absent: all that somebody has to approve where no rule fits. */
  readonly kinds?: readonly string[];
  readonly atLeast?: number;
} & ({ readonly asks: Asks } | { readonly perHour: number } | { readonly refuses: true });

export const RULE_TABLE: Readonly<Record<string, readonly Row[]>> = {
  calm: [],
  first: [
    { on: KIOSKS, kinds: REBOOT, asks: [[2, ANYBODY]] },
    { on: DATABASES, asks: [[2, PRODUCTION]] },
    { on: ENGINEERS, kinds: REBOOT, perHour: 3 },
    { on: WINDOWS, kinds: PATCHES, refuses: true },
    { kinds: REBOOT, atLeast: 4, asks: ONE_OF_EACH },
  ],
  strict: [
    { on: KIOSKS, kinds: REBOOT, asks: [[3, ANYBODY]] },
    { on: DATABASES, asks: ONE_OF_EACH },
    { on: ENGINEERS, kinds: REBOOT, perHour: 1 },
    { kinds: REBOOT, atLeast: 4, asks: [[2, ANYBODY]] },
  ],
  loose: [
    { on: KIOSKS, kinds: REBOOT, asks: [[1, ANYBODY]] },
    { on: DATABASES, asks: [[1, PRODUCTION]] },
    { on: ENGINEERS, kinds: REBOOT, perHour: 5 },
  ],
  freeze: [{ refuses: true }],
};

/** One device, or the group that is changed; `size`: devices of the whole request. */
export type RuledCommand = {
  readonly kind: string;
  readonly device: number;
  readonly group: number;
  readonly size: number;
};
export type Verdict = {
  readonly refuses: boolean;
  readonly asks: Asks;
  /** Nobody has to agree, for so many devices an hour; what waits needs as many people as it says above. */
  readonly perHour: number | null;
};

/** What each file asks of the command that could be in force at some time from `from` to `to`. */
export function verdictsOf(
  evidence: Evidence,
  command: RuledCommand,
  { from, to }: { readonly from: number; readonly to: number },
): readonly Verdict[] {
  const gone = new Set(
    evidence.acts
      .filter(({ kind, at }) => kind === 'console' && at <= to)
      .map(({ what }) => Number(what.split(' ')[1])),
  );
  return filesBetween(evidence, from, to).flatMap((file) => {
    const rows = RULE_TABLE[file];
    if (rows === undefined) throw new Error(`no table for the file ${file}`);
    // Nothing tells when the product has read that a group is gone.
    const variants = gone.size === 0 ? [rows] : [rows, withoutGroups(rows, gone)];
    return variants.map((variant) => verdictOf(variant, command));
  });
}

/** A rule whose group is gone asks for an admin, of whatever device; one that only lets through is as if it were not there. */
function withoutGroups(rows: readonly Row[], gone: ReadonlySet<number>): readonly Row[] {
  return rows.flatMap((row): readonly Row[] => {
    const { on, kinds, atLeast = 1 } = row;
    if (on === undefined || !gone.has(on.group)) return [row];
    return 'perHour' in row ? [] : [{ ...(kinds && { kinds }), atLeast, asks: [[1, ADMIN]] }];
  });
}

function verdictOf(rows: readonly Row[], { kind, device, group, size }: RuledCommand): Verdict {
  const fitting = rows.filter(
    ({ on, kinds, atLeast = 1 }) =>
      (on === undefined || on.devices.includes(device) || on.group === group) &&
      (kinds === undefined || kinds.includes(kind)) &&
      size >= atLeast,
  );
  const asks = fitting.flatMap((row) => ('asks' in row ? row.asks : []));
  const [perHour] = fitting.flatMap((row) => ('perHour' in row ? [row.perHour] : []));
  const runs = asks.length === 0 && perHour !== undefined;
  return {
    refuses: fitting.some((row) => 'refuses' in row),
    asks: asks.length === 0 ? ONE_OF_ANYBODY : asks,
    perHour: runs ? perHour : null,
  };
}

/** What is judged shortly before it is sent; and processes whose clocks differ. */
export const JUDGED_MS = 5 * MINUTE;

/** The files of which any could be in force: until a new one is known to be, both the old and the new. */
export function filesBetween({ acts }: Pick<Evidence, 'acts'>, from: number, to: number): readonly string[] {
  let possible = new Set(['calm']);
  for (const { kind, what, at } of acts) {
    if (kind === 'file' && at <= to) possible.add(what);
    if (kind === 'file-in-force' && at <= from) possible = new Set([what]);
  }
  return [...possible];
}
