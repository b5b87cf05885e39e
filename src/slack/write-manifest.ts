/** `npm run manifest`: writes manifest.yml at the top of the project. */
import { writeFileSync } from 'node:fs';
import { registry } from '../commands/index.ts';
import { readCommandName, readConsoleHost } from '../config.ts';
import { manifestText } from './manifest.ts';

export async function writeManifest(): Promise<void> {
  const path = new URL('../../manifest.yml', import.meta.url);
  writeFileSync(path, manifestText(registry.help(), readCommandName(), readConsoleHost() ?? undefined));
  process.stdout.write('manifest.yml written\n');
}
