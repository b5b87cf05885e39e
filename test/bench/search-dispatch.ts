/** What a read command that only reads the index takes from its text to its view, no service in between. */
import { registry } from '../../src/commands/index.ts';
import { channelId, personId } from '../../src/ids.ts';
import type { InventoryService } from '../../src/inventory/inventory.ts';
import { silentLog } from '../../src/log.ts';
import { createDispatch } from '../../src/slack/dispatch.ts';
import { createFakeSettings } from '../commands/fake-settings.ts';
import { testPorts } from '../commands/ports.ts';
import { START } from '../harness/builders.ts';
import { unnoted } from '../slack/doors.ts';
import { createFakeWeb } from '../slack/fake-web.ts';
import type { Pair } from './search-worker.ts';

/** Commands, each with what is looked for in it. */
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
): Promise<Pair> {
  const dispatch = aDispatch(inventory);
  const caller = { person: personId('UOPERATOR'), channel: channelId('C0OPS') };
  const times: { ours: number[]; bare: number[] } = { ours: [], bare: [] };
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [command, words] of COMMANDS) {
      const begun = performance.now();
      const view = await dispatch.text(command, caller, `${round} ${command}`);
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

function aDispatch(inventory: InventoryService) {
  const { ports } = testPorts({ devices: [] });
  const never = async () => Promise.reject(new Error('a read command asks for nothing'));
  return createDispatch({
    noted: unnoted,
    registry,
    ports: { ...ports, inventory },
    settings: createFakeSettings(),
    people: { roleOf: async () => ({ role: 'operator', maybe: null }) },
    desk: { request: never, decide: never },
    cards: { whenPosted: never },
    web: createFakeWeb(() => START),
    approvalsChannel: channelId('C0APPROVALS'),
    root: '/fleet',
    admins: [],
    log: silentLog,
  });
}
