/**
 * The evidence for the checker, as plain data: the requests to both services, what people see, the contents of the
 * database, and what people did. The checker imports nothing from the product, so that it can't share its mistakes.
 */

export type Fields = Readonly<Record<string, unknown>>;
export type TableRow = Readonly<Record<string, unknown>>;

/** Tables of the bot's database, by their names there; whole numbers are numbers. */
export const TABLE_NAMES = [
  'requests',
  'request_targets',
  'silences',
  'cards',
  'work',
  'audit',
  'audit_heads',
] as const;
export type TableRows = Readonly<Record<(typeof TABLE_NAMES)[number], readonly TableRow[]>>;

/** One request of the bot, from the sandbox's journal. */
export type RecordedRequest = {
  readonly at: number;
  readonly service: 'management' | 'slack';
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
  readonly fault?: string;
  readonly sent?: Fields;
  readonly done?: { readonly at: number; readonly status: number };
};

/** A message of the bot that a person sees. */
export type VisibleMessage = {
  /** Id of the channel, or `@name` of a person. */
  readonly place: string;
  readonly ts: string;
  readonly text: string;
  readonly blocks: readonly unknown[];
  readonly key: string | null;
  readonly state: string | null;
  /** Of the card of an alert: how many devices it counts, and how many of them are fixed. */
  readonly devices: number | null;
  readonly fixed: number | null;
  readonly ephemeral: boolean;
};

export type LoggedEvent = {
  readonly id: number;
  readonly name: string;
  readonly device: string | null;
  readonly deviceId: number | null;
  /** Names of packages, in small letters. */
  readonly packages: readonly string[];
  /** When it happened, by the service's clock. */
  readonly at: number;
};

export type PersonAction = {
  readonly at: number;
  readonly user: string;
  readonly kind: string;
  readonly what: string;
  /** The key of the card that was pressed; absent or null: not known. */
  readonly card?: string | null;
};

export type Evidence = {
  readonly clock: number;
  readonly organization: number;
  /** Ids of people, by name. */
  readonly people: Readonly<Record<string, string>>;
  /** Channels of alerts without a subscription, by kind. */
  readonly fixedChannels: Readonly<Record<'patch-failed' | 'device-added', string>>;
  /** Events of the service since the bot was ready. */
  readonly events: readonly LoggedEvent[];
  readonly requests: readonly RecordedRequest[];
  readonly messages: readonly VisibleMessage[];
  readonly tables: TableRows;
  readonly acts: readonly PersonAction[];
  /** The bots' output. */
  readonly lines: readonly string[];
  /** Texts that may be in no line and no message. */
  readonly secrets: readonly string[];
  /** Empty when everything settled, otherwise what is still going on. */
  readonly unrest: string;
};

/** A violation: the rule that is broken, and how. */
export type Violation = { readonly rule: string; readonly what: string };

export type Rule = (evidence: Evidence) => readonly Violation[];

/** Whether this person (by id) pressed the button until a minute after `at`: the clocks of processes may differ. */
export function hasPressed({ acts, people }: Evidence, person: unknown, button: string, at: number): boolean {
  return acts.some(
    (act) =>
      act.kind === 'press' && act.what === button && people[act.user] === person && act.at <= at + 60_000,
  );
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A column with JSON in it. */
export function parseJsonField(value: unknown): Fields {
  const parsed: unknown = typeof value === 'string' ? JSON.parse(value) : value;
  return isFields(parsed) ? parsed : {};
}

/** A time for people who read a finding. */
export function clockTime(at: unknown): string {
  return typeof at === 'number' ? new Date(at).toISOString().slice(5, 19).replace('T', ' ') : String(at);
}

/** Groups by a key, in the order of the first of each. */
export function groupBy<T>(all: readonly T[], keyOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(all, keyOf);
}
