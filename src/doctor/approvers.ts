/** Check of who may approve: nobody decides their own request, so one approver alone could not reboot anything. */

import type { ConfigurationFile } from '../config/configuration-file.ts';
import type { PersonId } from '../lib/ids.ts';
import { slackErrorText } from '../slack/web-api/slack-errors.ts';
import type { SlackWeb } from '../slack/web-api/slack-web.ts';
import { type Finding, failFinding, okFinding, warnFinding } from './finding.ts';

const CHECK_NAME = 'approvers';

/** Counts everyone who may approve. People named by id count even where a user group cannot be read. */
export async function checkApprovers(
  { roles }: Pick<ConfigurationFile, 'roles'>,
  web: Pick<SlackWeb, 'userGroupMembers'>,
): Promise<Finding> {
  const deciding = [roles.approver, roles.admin];
  const people = new Set<PersonId>(deciding.flatMap((role) => role.people));
  const unread: string[] = [];
  for (const group of new Set(deciding.flatMap((role) => role.userGroups))) {
    const members = await web.userGroupMembers(group);
    if (members.kind !== 'ok') unread.push(`can't read user group ${group}: ${slackErrorText(members)}`);
    else for (const member of members.value) people.add(member);
  }
  const count = people.size === 1 ? '1 person' : `${people.size} people`;
  if (unread.length > 0) {
    const found = people.size > 1 ? warnFinding : failFinding;
    const remedy = 'check the id in the configuration file and the scope usergroups:read';
    return found(CHECK_NAME, [count, ...unread].join('; '), remedy);
  }
  if (people.size === 0)
    return failFinding(
      CHECK_NAME,
      'nobody can approve',
      'add people or a user group to roles.approver in the configuration file',
    );
  if (people.size === 1)
    return warnFinding(CHECK_NAME, count, 'add a second approver: nobody can approve their own request');
  return okFinding(CHECK_NAME, count);
}
