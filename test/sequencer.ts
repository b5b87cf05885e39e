/**
 * The order of the test files: those that start whole products and browsers first, so that a long one is never the
 * last, with one worker idle beside it. Without this the order hangs on what an earlier run left on the machine.
 */
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Heaviest first; what stands nowhere here comes last, in vitest's own order. */
const HEAVY = [
  'test/torture/plays.',
  'test/e2e/phone/phone.',
  'test/sandbox/page/controls.',
  'test/e2e/crashes/kill-points.',
  'test/e2e/crashes/rollout-kills.',
  'test/e2e/crashes/stop.',
  'test/e2e/rollouts/',
  'test/e2e/',
  'test/doctor/doctor.',
  'test/slack/socket-mode/',
  'test/sandbox/page/',
  'test/main.',
  'test/maintenance/',
  'test/slack/',
  'test/store/',
  'test/sandbox/',
];

/**
 * Folders whose test files share a worker. They start no process, and what helps them holds nothing between tests: a hook
 * in a module that several files import would be registered for the first of them alone.
 */
export const SHARING_FOLDERS = [
  'commands',
  'fleet',
  'inventory/device-index',
  'inventory/search',
  'requests',
  'sandbox/slack',
  'slack/access',
  'slack/command-ports',
  'slack/dispatch',
  'slack/forms',
  'slack/home',
  'slack/interactions',
  'slack/receiver',
  'slack/replies',
  'slack/sharing',
  'slack/shortcuts',
  'slack/socket-mode',
  'store/port',
  'views',
] as const;

export class HeavyFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const inOrder = await super.sort(files);
    return inOrder.toSorted((one, other) => rank(one) - rank(other));
  }
}

function rank({ moduleId }: TestSpecification): number {
  const found = HEAVY.findIndex((part) => moduleId.includes(part));
  return found === -1 ? HEAVY.length : found;
}
