/** What every edit needs: the calls, the reads around them, and the organization. */
import type { OrganizationId } from '../../lib/ids.ts';
import type { Dialect } from '../dialect.ts';
import type { FleetReader, ReadOptions, WriteOptions } from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import type { Reads } from '../reads/reads.ts';

export type EditContext = {
  readonly calls: Calls;
  readonly reads: Reads;
  readonly reader: FleetReader;
  readonly organizationId: OrganizationId;
  readonly dialect: Dialect;
  /** Waits between two reads of work that the service does after its answer. */
  readonly wait: (ms: number) => Promise<void>;
};

export type Update<Id, Change> = {
  readonly id: Id;
  readonly change: Change;
  readonly options: WriteOptions | undefined;
};

/** Reads of an edit use the person's lane, because a person waits for it. */
export const PERSON_LANE = { lane: 'person' } as const;

/** Nobody waits for those of hundreds of devices: they take the lane of their write. */
export function readLaneOf(options: WriteOptions | undefined): ReadOptions {
  return options?.lane === 'background' ? { lane: 'background' } : PERSON_LANE;
}
