/** Beside `sandbox-people.ts`, which also runs without a test runner. */
import { afterAll, beforeAll } from 'vitest';
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { type SandboxPeople, startSandboxPeople } from './sandbox-people.ts';

/** Those of a sandbox that runs as long as the tests of this file or group. */
export function useSandboxPeople(options: SandboxOptions = {}): SandboxPeople {
  let started: Partial<SandboxPeople> = {};
  beforeAll(async () => {
    started = await startSandboxPeople(options);
  });
  afterAll(() => started.stop?.());
  // Before they start there is nothing to ask of them.
  return new Proxy({} as SandboxPeople, { get: (_none, name) => Reflect.get(started, name) });
}
