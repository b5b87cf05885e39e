/** A bot that only collects events. */
import type { Workspace } from '../../../../src/sandbox/contracts/services.ts';
import { startRawBot } from './raw-bot.ts';
import { type StartOptions, startWorkspace } from './workspace-harness.ts';

type Json = Record<string, unknown>;

/** A bot with these subscriptions, and the events that it got so far. */
export async function listening(events: readonly string[], options: StartOptions = {}) {
  const started = await startWorkspace({ ...options, events });
  const bot = await startRawBot(started.workspace);
  const heard = () => bot.envelopes.map(({ payload }) => payload['event'] as Json); // all are events
  return { ...started, heard };
}

/** Once a later command has arrived, everything sent before has too. */
export async function settled(workspace: Workspace) {
  await workspace.command({ user: 'operator', channel: 'ops', command: '/fleet', text: '' });
}
