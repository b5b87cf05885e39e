/**
 * In which of its two known forms the service is spoken to: to the letter of the interface document, or as the live
 * service takes it today ("management API in practice"). Reading copes with both always.
 */
export type Dialect = {
  readonly name: DialectName;
  /** Shortest refresh interval of a group; the longest is a day in both. */
  readonly leastRefreshMinutes: number;
  /** How a policy is remediated on one device: a queue command (§4.3), or `POST /policies/{id}/action`. */
  readonly remediate: 'queue' | 'action';
  /** Whether `POST /servers/batch` is there. */
  readonly batch: boolean;
  /** How the negation of `in` is spelled (§2.9). */
  readonly notIn: 'not in' | 'not_in';
  /** What takes a device's custom name away: null (§4.4); the live service takes texts only and shows "". */
  readonly noCustomName: '' | null;
};

export const DIALECT_NAMES = ['live', 'documented'] as const;
export type DialectName = (typeof DIALECT_NAMES)[number];

export const DIALECTS: Readonly<Record<DialectName, Dialect>> = {
  documented: {
    name: 'documented',
    leastRefreshMinutes: 360,
    remediate: 'queue',
    batch: false,
    notIn: 'not in',
    noCustomName: null,
  },
  live: {
    name: 'live',
    leastRefreshMinutes: 240,
    remediate: 'action',
    batch: true,
    notIn: 'not_in',
    noCustomName: '',
  },
};
