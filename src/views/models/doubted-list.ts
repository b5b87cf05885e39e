import type { Instant } from '../../lib/clock.ts';

/** A list of the service that lacks too much of what is known: what it lacks is kept. */
export type DoubtedList = {
  readonly list: 'devices' | 'groups' | 'policies';
  readonly since: Instant;
  readonly missing: number;
};
