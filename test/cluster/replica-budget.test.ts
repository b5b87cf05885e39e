/** Replicas that all walk the list of devices, against the local service with its limits. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCluster } from '../../src/cluster/cluster.ts';
import { createFleetClient, type FleetClient } from '../../src/fleet/client.ts';
import { MINUTE, SECOND } from '../../src/lib/clock.ts';
import { organizationId } from '../../src/lib/ids.ts';
import { secret, silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/open.ts';
import { rowsOf } from '../fleet/harness.ts';
import { useStarted } from '../harness/use-started.ts';
import { settlePromises } from '../inventory/index-setup.ts';
import { startService, type TestService } from '../sandbox/management/harness/service.ts';
import { startPostgres } from '../store/postgres.ts';

const DEVICES = 1_200;
const PAGES = 3;
const WALKS = 5;
const MOST_LISTS = 29;

const postgres = useStarted(startPostgres);

async function startReplicas({ management, clock }: TestService, count: number) {
  const url = await postgres.createDatabase();
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
