/** Checks of every person and user group that the configuration file names: each fault with its line in the file. */
import type { WebClient } from '@slack/web-api';
import { ROLES, type Role } from '../access.ts';
import type { PersonId, UserGroupId } from '../ids.ts';
import type { Policy } from '../policy.ts';
import { faultText, readFault } from '../slack/faults.ts';
import type { Identity } from '../slack/web.ts';
import { type Finding, fail, ok, warn } from './check.ts';
import { slackRemedy } from './slack-remedy.ts';

export type MembersOptions = {
  readonly policy: Policy;
  readonly reads: WebClient;
  /** Null: not known, so teams are not compared. */
  readonly home: Pick<Identity, 'teamId' | 'enterpriseId'> | null;
};

type Named<Id> = { readonly id: Id; readonly role: Role };
type Group = { readonly id?: string; readonly team_id?: string; readonly date_delete?: number };

/** One line for all where nothing is wrong, else one for each that is. */
export async function checkMembers(options: MembersOptions): Promise<readonly Finding[]> {
  const { roles } = options.policy;
  const people = ROLES.flatMap((role) => roles[role].people.map((id) => ({ id, role })));
  const groups = ROLES.flatMap((role) => roles[role].userGroups.map((id) => ({ id, role })));
  const findings: Finding[] = [];
  for (const one of people) findings.push(...(await checkPerson(one, options)));
  findings.push(...(await checkGroups(groups, options)));
  if (findings.length > 0) return findings;
  const seen = `${counted(people, 'person', 'people')} and ${counted(groups, 'user group', 'user groups')}`;
  return [ok('roles', `${seen}, all found in Slack`)];
}

function counted(all: readonly unknown[], one: string, many: string): string {
  return `${all.length} ${all.length === 1 ? one : many}`;
}

async function checkPerson(one: Named<PersonId>, options: MembersOptions): Promise<readonly Finding[]> {
  const name = placeOf(one, options);
  try {
    const { user } = await options.reads.users.info({ user: one.id });
    if (user?.deleted === true) return [warn(name, `${one.id} is deactivated in Slack`, REMOVE)];
    if (user?.is_bot === true) return [warn(name, `${one.id} is a bot, not a person`, REMOVE)];
    return isElsewhere(user?.team_id, options) ? [elsewhere(name, one.id, user?.team_id)] : [];
  } catch (error) {
    const fault = readFault(error);
    if (fault.kind === 'refused' && fault.error === 'user_not_found')
      return [fail(name, `${one.id} is not in this workspace`, CORRECT)];
    return [warn(name, `can't check ${one.id}: ${faultText(fault)}`, slackRemedy(fault, SCOPES))];
  }
}

async function checkGroups(
  groups: readonly Named<UserGroupId>[],
  options: MembersOptions,
): Promise<readonly Finding[]> {
  if (groups.length === 0) return [];
  let known: readonly Group[];
  try {
    // A group that was disabled is left out unless it is asked for.
    known = (await options.reads.usergroups.list({ include_disabled: true })).usergroups ?? [];
  } catch (error) {
    const fault = readFault(error);
    return [fail('user groups', faultText(fault), slackRemedy(fault, SCOPES))];
  }
  return groups.flatMap((one) =>
    checkGroup(
      one,
      known.find(({ id }) => id === one.id),
      options,
    ),
  );
}

function checkGroup(
  one: Named<UserGroupId>,
  found: Group | undefined,
  options: MembersOptions,
): readonly Finding[] {
  const name = placeOf(one, options);
  if (found === undefined) return [fail(name, `${one.id} is not a user group of this workspace`, CORRECT)];
  if ((found.date_delete ?? 0) > 0) return [warn(name, `${one.id} is disabled in Slack`, REMOVE)];
  return isElsewhere(found.team_id, options) ? [elsewhere(name, one.id, found.team_id)] : [];
}

function isElsewhere(team: string | undefined, { policy, home }: MembersOptions): boolean {
  if (team === undefined || home === null) return false;
  return team !== home.teamId && team !== home.enterpriseId && !policy.otherTeams.includes(team);
}

function elsewhere(name: string, id: string, team: string | undefined): Finding {
  const remedy = 'remove it, or add the team to otherTeams in the configuration file';
  return warn(name, `${id} belongs to another team (${team}), so it gives no role here`, remedy);
}

function placeOf({ id, role }: Named<string>, { policy }: MembersOptions): string {
  const lines = policy.lines?.get(id) ?? [];
  return lines.length === 0 ? `roles.${role}` : `roles.${role}, line ${lines.join(' and ')}`;
}

const CORRECT = 'correct the id in the configuration file';
const REMOVE = 'remove it from the configuration file';
const SCOPES = 'check the scopes users:read and usergroups:read';
