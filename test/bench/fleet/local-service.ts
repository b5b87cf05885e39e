/** The local management service as a process of its own, as anyone would start it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../../../src/patchbay.js', import.meta.url));

export async function startLocalService({ devices }: { readonly devices: number }) {
  const options = ['--only', 'management', '--port', '0', '--devices', String(devices)];
  const child = spawn(process.execPath, [ENTRY, 'sandbox', ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes('FLEET_ORGANIZATION=')) break;
  }
  child.stdout.resume();
  return {
    env: Object.fromEntries(
      [...output.matchAll(/^(FLEET_[A-Z_]+)=(\S+)/gm)].map(([, name, value]) => [name, value]),
    ),
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
