/** A store that is gone when it is closed. */
import { organizationId } from '../../src/lib/ids.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/port/store.ts';

/** For this organization; `leaseTime` lets its leases expire. */
export function memoryStore(organization = organizationId(1), leaseTime?: () => number): Promise<Store> {
  return openStore({
    database: { kind: 'sqlite', path: ':memory:' },
    organizationId: organization,
    ...(leaseTime === undefined ? {} : { leaseTime }),
  });
}
