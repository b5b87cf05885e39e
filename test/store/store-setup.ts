/** A database under test, and the stores that are open on it. */
import { afterAll, beforeAll } from 'vitest';
import type { Database } from '../../src/config/config.ts';
import type { OrganizationId } from '../../src/lib/ids.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/port/store.ts';
import { ORGANIZATION } from './builders.ts';

export type TestDatabase = {
  readonly database: Database;
  /** Whether several stores may be open at once: PostgreSQL's replicas. */
  readonly shared: boolean;
  /** A statement that bypasses the store, as a person with a database tool would run it. */
  readonly raw: (statement: string) => Promise<readonly Record<string, unknown>[]>;
  /** A statement of this engine that overwrites an entry of the audit. */
  readonly replacing: string;
  readonly remove: () => Promise<void>;
};

export type StoreSetup = Pick<TestDatabase, 'raw' | 'replacing'> & {
  readonly store: Store;
  /** `count` stores on the same database; on SQLite, where one process owns the file, the same store repeatedly. */
  readonly replicas: (count: number) => Promise<readonly Store[]>;
  /** Closes everything and opens again, perhaps for another organization. */
  readonly reopen: (organization?: OrganizationId) => Promise<Store>;
};

/** A setup for the tests of one `describe`, with its own database. */
export function useStoreSetup(createDatabase: () => Promise<TestDatabase>): () => StoreSetup {
  let world: (StoreSetup & { readonly end: () => Promise<void> }) | undefined;
  beforeAll(async () => {
    world = await createStoreSetup(await createDatabase());
  });
  afterAll(() => world?.end());
  return () => {
    if (world === undefined) throw new Error('used outside of a test');
    return world;
  };
}

async function createStoreSetup({ database, shared, raw, replacing, remove }: TestDatabase) {
  let stores: Store[] = [];
  const open = async (organizationId = ORGANIZATION): Promise<Store> => {
    const store = await openStore({ database, organizationId });
    stores.push(store);
    return store;
  };
  const closeAll = async (): Promise<void> => {
    await Promise.all(stores.map((store) => store.close()));
    stores = [];
  };
  let store = await open();
  return {
    raw,
    replacing,
    get store() {
      return store;
    },
    replicas: async (count: number) => {
      if (!shared) return Array.from({ length: count }, () => store);
      while (stores.length < count) await open();
      return stores.slice(0, count);
    },
    reopen: async (organization?: OrganizationId) => {
      await closeAll();
      store = await open(organization);
      return store;
    },
    end: async () => {
      await closeAll();
      await remove();
    },
  };
}

/** How many of `values` are `wanted`. */
export function countOf<T>(values: readonly T[], wanted: T): number {
  return values.filter((value) => value === wanted).length;
}
