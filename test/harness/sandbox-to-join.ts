import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { settingsOf } from './product-settings.ts';
import { IDLE_BOT } from './run-product.ts';
import { type StartedSandbox, startSandbox } from './start-sandbox.ts';

export type SandboxToJoin = {
  readonly sandbox: StartedSandbox;
  /** What the settings name is in it. */
  readonly folder: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly stop: () => Promise<void>;
};

/** A sandbox whose own bot does nothing, with the settings of a product that joins it from outside. */
export async function startSandboxToJoin(): Promise<SandboxToJoin> {
  const sandbox = await startSandbox({ entry: IDLE_BOT });
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-product-'));
  return {
    sandbox,
    folder,
    settings: await settingsOf(sandbox, folder),
    async stop() {
      await sandbox.stop();
      rmSync(folder, { recursive: true });
    },
  };
}
