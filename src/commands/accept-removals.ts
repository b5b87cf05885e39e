/** `accept-removals`: an admin accepts that the service no longer lists many devices, groups or policies. */
import { z } from 'zod';
import type { View } from '../views/views.ts';
import type { SettingPorts } from './core/command.ts';
import { defineSettingCommand, parseNoInput } from './core/define-command.ts';
import { PERSON_PRIORITY } from './targets/resolve-device.ts';

/** `missing`: as many as the person was shown. Absent: asks first. */
const input = z.object({ missing: z.int().positive().optional() });
type Input = z.infer<typeof input>;

export const acceptRemovalsCommand = defineSettingCommand<Input>({
  name: 'accept-removals',
  usage: 'accept-removals',
  summary:
    'Confirm that many devices, groups or policies were removed from the management service. Admins only.',
  examples: ['accept-removals'],
  permission: 'configure',
  byOnePress: ({ missing }) => missing === undefined,
  input,
  parse: parseNoInput,
  run: acceptRemovals,
});

async function acceptRemovals(
  { missing }: Input,
  _page: number,
  { inventory, settings, asker }: SettingPorts,
): Promise<View> {
  if (missing !== undefined) {
    await settings.recordAcceptedRemovals(asker, missing);
    await inventory.acceptRemovals(missing);
  }
  const { doubts } = await inventory.snapshot(PERSON_PRIORITY);
  const what = missing === undefined ? 'ask' : doubts.length === 0 ? 'accepted' : 'grown';
  return { kind: 'removals', what, doubts };
}
