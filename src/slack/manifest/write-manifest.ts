/** `npm run manifest`: writes manifest.yml in the working directory, which is the project's under npm. */
import { writeFileSync } from 'node:fs';
import { registry } from '../../commands/index.ts';
import { readCommandName, readConsoleHost } from '../../config/config.ts';
import { manifestText } from './manifest.ts';

/** Exit code 2 where a setting that the manifest needs is wrong. */
export async function writeManifest(): Promise<void> {
  const settings = readSettings();
  if (settings.kind === 'fault') {
    process.stderr.write(`${settings.fault}\n`);
    process.exitCode = 2;
    return;
  }
  const { command, consoleHost } = settings;
  writeFileSync('manifest.yml', manifestText(registry.help(), command, consoleHost ?? undefined));
  process.stdout.write('manifest.yml written\n');
}

type ManifestSettings =
  | { readonly kind: 'settings'; readonly command: string; readonly consoleHost: string | null }
  | { readonly kind: 'fault'; readonly fault: string };

function readSettings(): ManifestSettings {
  try {
    return { kind: 'settings', command: readCommandName(), consoleHost: readConsoleHost() };
  } catch (error) {
    return { kind: 'fault', fault: error instanceof Error ? error.message : String(error) };
  }
}
