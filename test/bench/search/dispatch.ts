/** The time of a read command that only reads the index, from its text to its view, without a service. */

import { registry } from '../../../src/commands/index.ts';
import type { InventoryService } from '../../../src/inventory/inventory-service.ts';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createDispatch } from '../../../src/slack/dispatch/dispatch.ts';
import { createFakeSettings } from '../../commands/harness/fake-settings.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { START } from '../../harness/builders.ts';
import { NO_GROUPS } from '../../harness/rules.ts';
import { createFakeSlackWeb } from '../../slack/harness/fake-slack-web.ts';
import { withoutRecording } from '../../slack/harness/open-access.ts';
import type { Timings } from './worker.ts';

/** Commands, each with the words it searches for. */
const COMMANDS: readonly (readonly [string, string])[] = [
  ['devices', ''],
  ['devices kiosk-0123', 'kiosk-0123'],
  ['devices jane.smith', 'jane.smith'],
  ['devices is:online ber-web', 'ber-web'],
  ['groups', ''],
  ['compliance', ''],
];
const ROUNDS = 40;
const WARM_UP = 10;

/** Milliseconds, beside uFuzzy alone looking for the words of the same commands. */
export async function timeDispatch(
  inventory: InventoryService,
  bare: (text: string) => unknown,
): Promise<Timings> {
  const dispatch = createTestDispatch(inventory);
  const caller = { person: personId('UOPERATOR'), channel: channelId('C0OPS') };
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [command, words] of COMMANDS) {
      const begun = performance.now();
      const view = await dispatch.runText(command, caller, `${round} ${command}`);
      const ended = performance.now();
      bare(words);
      if (view.kind === 'problem') throw new Error(`${command}: ${JSON.stringify(view.problem)}`);
      if (round < WARM_UP) continue;
      times.ours.push(ended - begun);
      times.bare.push(performance.now() - ended);
    }
  }
  return times;
}

function createTestDispatch(inventory: InventoryService) {
  const { ports } = testPorts({ devices: [] });
  const never = async () => Promise.reject(new Error('a read command asks for nothing'));
  return createDispatch({
    recordRefusal: withoutRecording,
    registry,
    ports: { ...ports, inventory },
    settings: createFakeSettings(),
    people: { roleOf: async () => ({ role: 'operator', maybe: null }), ...NO_GROUPS },
    requests: {
      ...{ record: never, withdraw: never, control: never },
      ...{ openWindow: never, window: never, submitWindow: never, approverGroups: () => [] },
    },
    cards: { whenPosted: never },
    web: createFakeSlackWeb(() => START),
    approvalsChannel: channelId('C0APPROVALS'),
    root: '/fleet',
    admins: () => [],
    log: silentLog,
  });
}
