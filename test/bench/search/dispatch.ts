/** The time of a read command that only reads the index, from its text to its view, without a service. */

import type { InventoryService } from '../../../src/inventory/inventory-service.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { caller, createTestDispatch } from '../../slack/harness/test-dispatch.ts';
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
  const dispatch = dispatchOver(inventory);
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

function dispatchOver(inventory: InventoryService) {
  const { ports } = testPorts({ devices: [] });
  return createTestDispatch({ given: { ports: { ...ports, inventory } } }).dispatch;
}
