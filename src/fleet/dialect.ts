/**
 * In which of its two known forms the service is spoken to: to the letter of the interface document, or as the live
 * service takes it today ("management API in practice"). Reading copes with both always.
 */
export type Dialect = {
  readonly name: 'documented' | 'live';
  /** Shortest refresh interval of a group; the longest is a day in both. */
  readonly leastRefreshMinutes: number;
  /** How a policy is remediated on one device: a queue command (§4.3), or `POST /policies/{id}/action`. */
  readonly remediate: 'queue' | 'action';
  /** Whether `POST /servers/batch` is there. */
  readonly batch: boolean;
  /** How the negation of `in` is spelled (§2.9). */
  readonly notIn: 'not in' | 'not_in';
};

export const DIALECTS: Readonly<Record<Dialect['name'], Dialect>> = {
  documented: {
    name: 'documented',
    leastRefreshMinutes: 360,
    remediate: 'queue',
    batch: false,
    notIn: 'not in',
  },
  live: { name: 'live', leastRefreshMinutes: 240, remediate: 'action', batch: true, notIn: 'not_in' },
};
