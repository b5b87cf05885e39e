/**
 * The two known forms of the service's interface: exactly as documented, or as the live service behaves today
 * ("management API in practice"). Reading always accepts both.
 */
export type Dialect = {
  /** Minimum refresh interval of a group; the maximum is a day in both. */
  readonly leastRefreshMinutes: number;
  /** How a policy is remediated on one device: a queue command (§4.3), or `POST /policies/{id}/action`. */
  readonly remediate: 'queue' | 'action';
  /** Whether `POST /servers/batch` exists. */
  readonly batch: boolean;
  /** How the negation of `in` is spelled (§2.9). */
  readonly notIn: 'not in' | 'not_in';
  /** Whether devices can be filtered by organizational unit; newer than the document (§2.9). */
  readonly unitFilter: boolean;
  /** The value that clears a device's custom name: null (§4.4); the live service takes only text, and shows "". */
  readonly noCustomName: '' | null;
  /** Whether the schedule of a policy names a time zone. */
  readonly policyTimezones: boolean;
};

export const DIALECT_NAMES = ['live', 'documented'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  documented: {
    leastRefreshMinutes: 360,
    remediate: 'queue',
    batch: false,
    notIn: 'not in',
    unitFilter: false,
    noCustomName: null,
    policyTimezones: false,
  },
  live: {
    leastRefreshMinutes: 240,
    remediate: 'action',
    batch: true,
    notIn: 'not_in',
    unitFilter: true,
    noCustomName: '',
    policyTimezones: true,
  },
};
