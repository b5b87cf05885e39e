/** A reader of the fleet for tests that need only some of its reads: every other one fails. */
import type { FleetReader } from '../../src/fleet/fleet.ts';

const refuse = (name: string) => () => Promise.reject(new Error(`${name} was not expected to be read`));

export function aFleetReader(reads: Partial<FleetReader>): FleetReader {
  const pages = (name: string) =>
    async function* () {
      yield await refuse(name)();
    };
  return {
    devices: pages('devices'),
    device: refuse('device'),
    preview: pages('preview'),
    packages: pages('packages'),
    missingPackages: pages('missingPackages'),
    queue: refuse('queue'),
    queueEntry: refuse('queueEntry'),
    events: pages('events'),
    countEvents: refuse('countEvents'),
    groups: pages('groups'),
    group: refuse('group'),
    policies: pages('policies'),
    policy: refuse('policy'),
    organizations: pages('organizations'),
    ...reads,
  };
}
