/**
 * The product with a configuration file that steps change, which stands still right after the next claim while there is an
 * order for it: no signal from outside hits the moment between a claim and its call. The sandbox resumes it like any other
 * process that it paused.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runProduct } from '../../../src/sandbox/process/run-product.ts';
import { adoptConfiguration, sharedFolder } from './configuration-folder.ts';

/** Until its other transactions ended: their locks would hold up whoever takes over. */
const OTHERS_END_MS = 700;

/** Where the order stands for the processes of this database; the first of them takes it. */
export function stopOrder(databaseUrl: string): string {
  return join(sharedFolder(databaseUrl), 'stop-at-claim');
}

if (import.meta.main) {
  const { PATCHBAY_CONFIG: given = '', DATABASE_URL: databaseUrl = '' } = process.env;
  process.env['PATCHBAY_CONFIG'] = await adoptConfiguration(sharedFolder(databaseUrl), given);
  await runProduct({
    onFailpoint: async (name) => {
      if (name !== 'target.claimed') return;
      const order = rm(stopOrder(databaseUrl));
      const isTaken = await order.then(
        () => true,
        () => false,
      );
      if (!isTaken) return;
      await pause(OTHERS_END_MS);
      await new Promise((resolve) => process.send?.({ type: 'stopping' }, resolve));
      process.kill(process.pid, 'SIGSTOP');
    },
  });
}
