/** A store that is gone when it is closed. */
import { organizationId } from '../../src/ids.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';

/** Of this organization. */
export function memoryStore(organization = organizationId(1)): Promise<Store> {
  return openStore({ database: { kind: 'sqlite', path: ':memory:' }, organizationId: organization });
}
