/** The first screen of help: what people in each role do most. Pure. */
import type { Permission } from '../../lib/access.ts';
import type { HelpTask } from '../../views/answers/help-answer.ts';

const FIND = { title: 'Show a device', line: 'device web-01' };
const MISSING = { title: 'See its missing patches', line: 'packages web-01' };
const PATCH = {
  title: 'Install missing patches (needs approval)',
  line: 'patch web-01 severity:critical because monthly patches',
};
const REBOOT = {
  title: 'Reboot a device (needs approval)',
  line: 'reboot web-01 because kernel update',
};
const PENDING = {
  title: 'List devices with pending patches',
  line: 'devices is:pending group:"Linux servers"',
};
const NEEDS_REBOOT = { title: 'List devices that require a reboot', line: 'devices is:needs-reboot' };
const ALERTS = { title: 'See recent alerts', line: 'alerts' };
const WAITING = { title: 'See what is waiting for approval', line: 'approvals' };
const RUNNING = { title: 'See operations in progress', line: 'operations' };

/** Six tasks that the reader's role allows. */
export function tasksFor(may: (need: Permission) => boolean): readonly HelpTask[] {
  const changes = may('propose') ? [PATCH, REBOOT] : [PENDING, NEEDS_REBOOT];
  return [FIND, MISSING, ...changes, ALERTS, may('approve') ? WAITING : RUNNING];
}
