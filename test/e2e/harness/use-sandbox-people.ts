/** Beside `sandbox-people.ts`, which also runs without a test runner. */
import type { SandboxOptions } from '../../../src/sandbox/sandbox.ts';
import { useReset, useStarted } from '../../harness/use-started.ts';
import { type SandboxPeople, startSandboxPeople } from './sandbox-people.ts';

/** Those of a sandbox that runs as long as the tests of this file or group. */
export const useSandboxPeople = (options: SandboxOptions = {}): SandboxPeople =>
  useStarted(() => startSandboxPeople(options));

/** The same, reset before every test. */
export const useResetPeople = (options: SandboxOptions = {}): SandboxPeople =>
  useReset(() => startSandboxPeople(options));
