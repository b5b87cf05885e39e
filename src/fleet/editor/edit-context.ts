/** What every edit needs: the way out, the reads around it, and whose fleet it is. */
import type { OrganizationId } from '../../lib/ids.ts';
import type { Dialect } from '../dialect.ts';
import type { FleetReader } from '../fleet.ts';
import type { Calls } from '../http/calls.ts';
import type { Reads } from '../reads/reads.ts';

export type EditContext = {
  readonly calls: Calls;
  readonly reads: Reads;
  readonly reader: FleetReader;
  readonly organizationId: OrganizationId;
  readonly dialect: Dialect;
  /** Between two looks at work that the service does in its own time. */
  readonly wait: (ms: number) => Promise<void>;
};

/** The reads of an edit: a person waits for it. */
export const PERSON_LANE = { lane: 'person' } as const;
