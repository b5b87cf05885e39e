/** Replicas of one PostgreSQL: one leads, and all know what one learns. */
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Cluster, createCluster } from '../../src/cluster/cluster.ts';
import { createFleetClient, type FleetClient } from '../../src/fleet/client.ts';
import { createInventory } from '../../src/inventory/inventory-service.ts';
import { createManualClock, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { deviceId, organizationId } from '../../src/lib/ids.ts';
import { type Secret, secret, silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/open.ts';
import type { EventLogStatus } from '../../src/store/port/replica-records.ts';
import type { Store } from '../../src/store/port/store.ts';
import { rowsOf } from '../fleet/harness.ts';
import { aDevice, START } from '../harness/builders.ts';
import { until } from '../harness/until.ts';
import { useStarted } from '../harness/use-started.ts';
import { createChangingFleet, settlePromises } from '../inventory/index-setup.ts';
import { startService, type TestService } from '../sandbox/management/harness/service.ts';
import { ORGANIZATION } from '../store/builders.ts';
import { startPostgres } from '../store/postgres.ts';

const READ_AT: EventLogStatus = { lastReadAt: START, failures: 2 };

const postgres = useStarted(startPostgres);
let url: Secret;
let ends: (() => Promise<void>)[] = [];
beforeEach(async () => {
  url = await postgres.createDatabase();
});
afterEach(async () => {
  for (const end of ends.toReversed()) await end();
  ends = [];
});

async function aStore(): Promise<Store> {
  const store = await openStore({ database: { kind: 'postgres', url }, organizationId: ORGANIZATION });
  ends.push(store.close);
  return store;
}

async function aReplica(
  reading: EventLogStatus = READ_AT,
  configuration = '',
): Promise<Cluster & { readonly store: Store }> {
  const store = await aStore();
  const clock = createManualClock(START);
  const cluster = createCluster({
    store: store.replicas,
    clock,
    log: silentLog,
    ownEventLogStatus: () => reading,
    ownConfiguration: () => configuration,
    everyMs: 50,
  });
  await cluster.start();
  ends.push(cluster.stop);
  return { ...cluster, store };
}

const LISTS = { capacity: 29, windowMs: MINUTE, lane: 'person' } as const;

describe('replicas', () => {
  it('have one leader, and another one as soon as that one stops', async () => {
    const first = await aReplica();
    const second = await aReplica();
    expect([first.leads(), second.leads()]).toEqual([true, false]);
    let calls = 0;
    second.onLead(() => {
      calls += 1;
    });
    await first.stop();
    await until(() => second.leads());
    expect([first.leads(), calls]).toEqual([false, 1]);
  });

  it('know from the leader how reading the event log goes', async () => {
    await aReplica();
    const second = await aReplica({ lastReadAt: null, failures: 0 });
    await until(() => second.eventLogStatus().lastReadAt !== null);
    expect(second.eventLogStatus()).toEqual(READ_AT);
  });

  it('know whether they have the same configuration file in force', async () => {
    const [first, same] = [await aReplica(), await aReplica()];
    await until(() => first.leads());
    expect([first.configurationDiffers(), same.configurationDiffers()]).toEqual([false, false]);
    const other = await aReplica(READ_AT, 'other');
    await until(() => first.configurationDiffers() && same.configurationDiffers());
    expect(other.configurationDiffers()).toBe(true);
    await other.stop();
    await until(() => !first.configurationDiffers());
  });

  it('share one count of requests for lists', async () => {
    const all = [await aReplica(), await aReplica(), await aReplica()];
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, at) => all[at % 3]?.budget?.takeList(LISTS)),
    );
    expect(waits.filter((wait) => wait === null)).toHaveLength(29);
    for (const wait of waits) expect(wait ?? 1).toBeGreaterThan(0);
  });

  it('share the budget of everything else, and never more than there is', async () => {
    const all: Cluster[] = [];
    for (let count = 1; count <= 4; count += 1) {
      all.push(await aReplica());
      const shares = all.map(({ budget }) => budget?.share() ?? 1);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeLessThanOrEqual(1);
      expect(Math.min(...shares)).toBeGreaterThan(0);
    }
  });

  it('all pause when the service tells one of them to', async () => {
    const [first, second] = [await aReplica(), await aReplica()];
    let paused = 0;
    second.budget?.onPause((ms) => {
      paused = ms;
    });
    first.budget?.pauseEverybody(MINUTE);
    await until(() => paused > 0);
    expect(await second.budget?.takeList(LISTS)).toBeGreaterThan(0);
  });
});

describe('the index of a follower', () => {
  const devices = (count: number) =>
    Array.from({ length: count }, (_, at) => aDevice({ id: deviceId(at + 1), name: `pc-${at + 1}` }));

  async function anIndex(leadsAtFirst: boolean, content: Parameters<typeof createChangingFleet>[1]) {
    const store = await aStore();
    let leads = leadsAtFirst;
    const clock = createManualClock(START);
    const living = createChangingFleet(clock, content, []);
    const inventory = createInventory({
      fleet: living.fleet,
      clock,
      store: store.inventory,
      leads: () => leads,
    });
    ends.push(inventory.stop);
    await inventory.start();
    const names = () => inventory.suggest('device', 'pc', 50).map(({ label }) => label);
    /** Waits until everything in the write-behind is written. */
    const flushed = async () => {
      await clock.advance(6 * SECOND);
      await settlePromises();
    };
    const take = () => {
      leads = true;
      inventory.lead();
    };
    return { clock, living, inventory, names, flushed, take };
  }

  it('knows what the leader read and dropped, without requests of its own', async () => {
    const leader = await anIndex(true, devices(3));
    const follower = await anIndex(false, []);
    await until(async () => {
      await leader.flushed();
      await follower.inventory.followReplicas();
      return follower.names().length === 3;
    });
    leader.inventory.learnDevice(aDevice({ id: deviceId(9), name: 'pc-9' }));
    leader.inventory.forgetDevice(deviceId(1));
    await until(async () => {
      await leader.flushed();
      await follower.inventory.followReplicas();
      return follower.names().includes('pc-9') && !follower.names().includes('pc-1');
    });
    await follower.clock.advance(60 * MINUTE);
    expect(follower.living.requests.length).toBe(0);
  });

  it('is read by its own walks once it leads', async () => {
    const follower = await anIndex(false, devices(2));
    expect(follower.living.requests).toEqual([]);
    follower.take();
    await until(async () => {
      await follower.clock.advance(SECOND);
      return follower.names().length === 2;
    });
  });
});

const DEVICES = 1_200;
const PAGES = 3;
const WALKS = 5;
const MOST_LISTS = 29;

/** They walk the list of devices of the local service with its limits. */
async function startReplicas({ management, clock }: TestService, count: number) {
  const organization = organizationId(management.organizationId);
  const fleets: FleetClient[] = [];
  for (let at = 0; at < count; at += 1) {
    const store = await openStore({ database: { kind: 'postgres', url }, organizationId: organization });
    onTestFinished(store.close);
    const ownEventLogStatus = () => ({ lastReadAt: null, failures: 0 });
    const cluster = createCluster({
      store: store.replicas,
      clock,
      log: silentLog,
      ownEventLogStatus,
      everyMs: 200,
    });
    await cluster.start();
    onTestFinished(cluster.stop);
    const { baseUrl, apiKey } = management;
    const { budget } = cluster;
    const fleet = createFleetClient({
      baseUrl,
      apiKey: secret(apiKey),
      organizationId: organization,
      clock,
      budget,
    });
    onTestFinished(fleet.close);
    fleets.push(fleet);
  }
  const probe = await openStore({ database: { kind: 'postgres', url }, organizationId: organization });
  onTestFinished(probe.close);
  return { replicas: fleets, ping: probe.ping };
}

describe.each([2, 3])('%i replicas that all walk', (count) => {
  it('read no more lists in any minute than the service allows, and all finish', async () => {
    const service = await startService({ rateLimits: true, devices: DEVICES });
    const { replicas, ping } = await startReplicas(service, count);
    let over = false;
    const walks = Promise.all(
      replicas.map(async ({ reader }) => {
        const sizes: number[] = [];
        for (let walk = 0; walk < WALKS; walk += 1)
          sizes.push((await rowsOf(reader.devices({}, { lane: 'background' }))).length);
        return sizes;
      }),
    ).finally(() => {
      over = true;
    });
    // No faster than the database answers: a request must not be minutes older than its grant.
    while (!over) {
      await service.clock.advance(SECOND / 4);
      await ping();
      await settlePromises();
    }
    expect((await walks).flat()).toEqual(Array.from({ length: count * WALKS }, () => DEVICES));
    const requests = service
      .journal('management')
      .filter(({ path }) => path.split('?')[0]?.endsWith('/servers'));
    expect(requests.length).toBeGreaterThanOrEqual(count * WALKS * PAGES);
    expect(requests.filter(({ status }) => status === 429)).toEqual([]);
    for (const { at } of requests) {
      const minute = requests.filter((one) => one.at >= at && one.at < at + MINUTE);
      expect(minute.length).toBeLessThanOrEqual(MOST_LISTS);
    }
  });
});
