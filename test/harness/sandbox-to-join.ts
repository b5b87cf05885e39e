import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOf } from './product-settings.ts';
import { IDLE_BOT } from './run-product.ts';
import { startSandbox } from './start-sandbox.ts';

export type SandboxToJoin = Awaited<ReturnType<typeof startSandboxToJoin>>;

/** A sandbox whose own bot does nothing, with the settings of a product that joins it from outside. */
export async function startSandboxToJoin() {
  const sandbox = await startSandbox({ entry: IDLE_BOT });
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-product-'));
  return {
    sandbox,
    /** What the settings name is in it. */
    folder,
    settings: await settingsOf(sandbox, folder),
    async stop(): Promise<void> {
      await sandbox.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
