/** A whole sandbox for one test file, on free ports, driven over HTTP as from outside. */
import { createSandbox, type SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { type Client, createClient } from './client.ts';

export type StartedSandbox = Client & {
  /** The product's output, line by line. */
  readonly lines: readonly string[];
  readonly stop: () => Promise<void>;
};

/** Starts a sandbox on a free port; `stop` ends it with all of its processes. */
export async function startSandbox(options: SandboxOptions = {}): Promise<StartedSandbox> {
  const lines: string[] = [];
  const { address, stop } = await createSandbox({
    port: 0,
    onLine: (line) => lines.push(line),
    ...options,
  });
  return { ...createClient(address), lines, stop };
}
