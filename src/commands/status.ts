/** `status`: the health of Patchbay and what it depends on. */
import { FleetFailure } from '../fleet/fleet.ts';
import type { Snapshot } from '../inventory/inventory.ts';
import type { ReadPorts } from './core/command.ts';
import { defineReadCommand, type NoInput, noInput, parseNoInput } from './core/define-command.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';

/** Wait for the device index (wall time): a slow service must not delay the rest of the answer. */
const INDEX_WAIT_MS = 3_000;

export const statusCommand = defineReadCommand<NoInput>({
  name: 'status',
  usage: 'status',
  summary: 'Show the health of Patchbay: Slack, the event log, the database and the management service.',
  examples: ['status'],
  input: noInput,
  parse: parseNoInput,
  run: async (_asked, _page, ports) => {
    const index = await indexOf(ports);
    const health = await ports.health();
    // The pause is stored in the database, so without it none is known.
    const pause = health.database ? await ports.records.pause() : null;
    return { kind: 'status', health, index, pause, asOf: ports.clock.now() };
  },
});

/** Null if the service did not return the devices in time. */
async function indexOf({ inventory }: ReadPorts) {
  try {
    const { devices, asOf }: Snapshot = await inventory.snapshot({
      ...PERSON_PRIORITY,
      deadlineMs: INDEX_WAIT_MS,
    });
    return { devices: devices.length, asOf };
  } catch (error) {
    if (!(error instanceof FleetFailure)) throw error;
    return null;
  }
}
