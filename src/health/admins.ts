/** Who is told of Patchbay's own troubles: its admins, or where the configuration file names none, its approvers. */
import type { PersonId } from '../ids.ts';
import type { Policy } from '../policy.ts';
import type { SlackWeb } from '../slack/web.ts';

/** More would be a storm of its own. */
const MOST_TOLD = 20;

/** A user group that Slack does not give is left out: those who are named are told all the same. */
export function createAdmins({ roles }: Policy, web: Pick<SlackWeb, 'userGroupMembers'>) {
  const membersOf = async ({
    people,
    userGroups,
  }: Policy['roles']['admin']): Promise<readonly PersonId[]> => {
    const groups = await Promise.all(userGroups.map((group) => web.userGroupMembers(group)));
    return [...people, ...groups.flatMap((asked) => (asked.kind === 'ok' ? asked.value : []))];
  };
  return async (): Promise<readonly PersonId[]> => {
    const admins = await membersOf(roles.admin);
    const people = admins.length > 0 ? admins : await membersOf(roles.approver);
    return [...new Set(people)].slice(0, MOST_TOLD);
  };
}
