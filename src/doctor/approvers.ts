/** Check of who may approve: nobody decides their own request, so one approver alone could not reboot anything. */
import type { PersonId } from '../ids.ts';
import type { Policy } from '../policy.ts';
import { faultText } from '../slack/faults.ts';
import type { SlackWeb } from '../slack/web.ts';
import { type Finding, fail, ok, warn } from './check.ts';

const NAME = 'approvers';

/** Those who are named by id approve also where a user group cannot be read. */
export async function checkApprovers(
  { roles }: Pick<Policy, 'roles'>,
  web: Pick<SlackWeb, 'userGroupMembers'>,
): Promise<Finding> {
  const deciding = [roles.approver, roles.admin];
  const people = new Set<PersonId>(deciding.flatMap((role) => role.people));
  const unread: string[] = [];
  for (const group of new Set(deciding.flatMap((role) => role.userGroups))) {
    const members = await web.userGroupMembers(group);
    if (members.kind !== 'ok') unread.push(`can't read user group ${group}: ${faultText(members)}`);
    else for (const member of members.value) people.add(member);
  }
  const count = people.size === 1 ? '1 person' : `${people.size} people`;
  if (unread.length > 0) {
    const found = people.size > 1 ? warn : fail;
    const remedy = 'check the id in the configuration file and the scope usergroups:read';
    return found(NAME, [count, ...unread].join('; '), remedy);
  }
  if (people.size === 0)
    return fail(
      NAME,
      'nobody can approve',
      'add people or a user group to roles.approver in the configuration file',
    );
  if (people.size === 1)
    return warn(NAME, count, 'add a second approver: nobody can approve their own request');
  return ok(NAME, count);
}
