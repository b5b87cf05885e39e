import { describe, expect, it } from 'vitest';
import { createManualClock, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { createManagement } from '../../../src/sandbox/management/management.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';
import { NEW_WORKLET } from './harness/new-worklet.ts';
import { START, startService, type TestService } from './harness/service.ts';

/** A fleet with everything that a larger one has: each test reads all of every device. */
const start = () => startService({ devices: 60 });

/** Everything that can be read from the service. */
async function everything(service: TestService): Promise<unknown> {
  const servers = await service.rows('/servers?include_details=1&include_next_patch_time=1');
  const of = (what: string) => Promise.all(servers.map(({ id }) => service.rows(`/servers/${id}/${what}`)));
  return {
    servers,
    packages: await of('packages'),
    queues: await of('queues'),
    groups: await service.rows('/servergroups'),
    policies: await service.rows('/policies'),
    events: [await service.rows('/events'), await service.rows('/events?page=1')],
  };
}

/** Commands, requests and live mode, with clock moves between them. */
async function exercise(service: TestService): Promise<void> {
  const { world } = service.management;
  world({ do: 'live' });
  world({ do: 'storm', count: 30 });
  world({ do: 'device-added' });
  world({ do: 'device-removed' });
  await service.post('/servers/4001/queues', { command_type_name: 'Reboot' });
  await service.post('/servers/4004/queues', { command_type_name: 'InstallAllUpdates' });
  await service.post('/servers/4005/queues', { command_type_name: 'GetOS' });
  const group = { name: 'Lab', refresh_interval: 720, parent_server_group_id: 3110, policies: [2103] };
  await service.post('/servergroups', group);
  await service.put('/servergroups/3111', { ...group, name: 'Linux' });
  await service.delete('/servergroups/3120');
  await service.post('/policies', { ...NEW_WORKLET, server_groups: [3112] });
  await service.post('/policies/2103/action', { action: 'remediateAll' });
  await service.put('/servers/4008', { server_group_id: 3112, exception: true, tags: ['moved'] });
  const actions = [{ attribute: 'tags', action: 'apply', value: ['many'] }];
  await service.post('/servers/batch', { devices: [4001, 4008], actions });
  await service.clock.advance(50 * SECOND);
  world({ do: 'patch-fails' });
  await service.clock.advance(20 * MINUTE);
  await service.post('/servers/4002/queues', { command_type_name: 'GetOS' });
}

describe('the same', () => {
  it('seed is used at every start', async () => {
    expect(await everything(await start())).toEqual(await everything(await start()));
  });

  it('actions at the same times lead to the same world', async () => {
    const [one, other] = [await start(), await start()];
    const seed = await everything(one);
    await exercise(one);
    await exercise(other);
    expect(await everything(one)).toEqual(await everything(other));
    expect(await everything(one)).not.toEqual(seed);
  });
});

describe('a reset', () => {
  it('restores the seed, as it is at the time of the reset', async () => {
    const [stirred, fresh] = [await start(), await start()];
    await exercise(stirred);
    await stirred.clock.advance(HOUR);
    await fresh.clock.advance(stirred.clock.now() - fresh.clock.now());
    stirred.management.reset();
    fresh.management.reset();
    expect(await everything(stirred)).toEqual(await everything(fresh));
  });

  it.each(['reset', 'stop'] as const)('%s cancels what was planned', async (end) => {
    const clock = createManualClock(START);
    const planned: number[] = [];
    const at: typeof clock.at = (due, task) => {
      planned.push(due);
      return clock.at(due, task);
    };
    const watched = { ...clock, at };
    const management = await createManagement({ clock: watched, wire: createWire({ clock }) });
    management.world({ do: 'live' });
    await clock.advance(HOUR);
    expect(planned.length).toBeGreaterThan(10);
    await management[end]();
    planned.length = 0;
    await clock.advance(HOUR);
    expect(planned).toEqual([]);
    await management.stop();
    clock.stop();
  });

  it('repeats what comes after it', async () => {
    const [again, first] = [await start(), await start()];
    await exercise(again);
    await first.clock.advance(again.clock.now() - first.clock.now());
    again.management.reset();
    first.management.reset();
    await exercise(again);
    await exercise(first);
    expect(await everything(again)).toEqual(await everything(first));
  });
});
