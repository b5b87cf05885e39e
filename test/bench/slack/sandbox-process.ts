/** The whole sandbox as a separate process, started as by a person. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../../../src/patchbay.js', import.meta.url));

export async function startSandboxProcess() {
  // As in `npm run sandbox`: posts make many short-lived objects, and memory once taken is not given back.
  const child = spawn(process.execPath, ['--max-semi-space-size=4', ENTRY, 'sandbox', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += String(chunk);
    if (output.includes('ready: ')) break;
  }
  child.stdout.resume();
  const address = /ready: (\S+)/.exec(output)?.[1] ?? '';
  const { slack } = Object(await (await fetch(`${address}/sandbox/state`)).json());
  return {
    pid: child.pid ?? 0,
    /** Of the page and of the control interface. */
    address,
    apiUrl: slack.apiUrl,
    botToken: slack.botToken,
    async stop(): Promise<void> {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
    },
  };
}
