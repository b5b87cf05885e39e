/**
 * A process with only a Slack workspace. It reports how long it took from the call until it listened, and types
 * commands on request.
 */
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';
import { createClock } from '../../../src/lib/clock.ts';
import { createWorkspace } from '../../../src/sandbox/slack/workspace.ts';
import { createWire } from '../../../src/sandbox/wire/wire.ts';
import { inParallel, type Started, serveRequests } from './process-messages.ts';

const MANIFEST = new URL('../../../manifest.yml', import.meta.url);

const manifest: unknown = parse(await readFile(MANIFEST, 'utf8'));
const clock = createClock();
const startedAt = performance.now();
const workspace = await createWorkspace({
  clock,
  wire: createWire({ clock }),
  transport: 'socket',
  manifest,
});
const listeningMs = performance.now() - startedAt;

async function type(): Promise<void> {
  const place = { user: 'operator', channel: 'ops' };
  const typed = await workspace.command({ ...place, command: '/fleet', text: 'device web-01' });
  if (!typed.ok) throw new Error(typed.error);
}

const { apiUrl, appToken } = workspace;
serveRequests({ listeningMs, apiUrl, appToken } satisfies Started, ({ commands }) =>
  inParallel(commands, type),
);
