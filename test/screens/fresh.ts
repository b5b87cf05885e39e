/** A fresh sandbox at nine in the morning, so that two runs show the same times. */
import { DAY, HOUR, SECOND } from '../../src/lib/clock.ts';
import type { SandboxPeople } from '../e2e/harness/sandbox-people.ts';

const MORNING = 9 * HOUR;

/** Resets to the seed. The bot is killed first, because work of an earlier screen would delay its stop. */
export async function fresh(people: SandboxPeople): Promise<void> {
  await people.bot({ do: 'kill' });
  await people.clearFaults();
  const { clock } = await people.state();
  const wait = (MORNING - (clock % DAY) + DAY) % DAY;
  const seconds = Math.ceil(wait / SECOND);
  if (seconds > 0) await people.advance(`${seconds}s`);
  const { ok, error } = await people.reset();
  if (!ok) throw new Error(`the sandbox was not reset: ${error}`);
}
