/** Checks every person and user group in the configuration file, and names the line of each problem. */
import type { WebClient } from '@slack/web-api';
import type { ConfigurationFile } from '../config/configuration-file.ts';
import { ROLES, type Role } from '../lib/access.ts';
import type { PersonId, UserGroupId } from '../lib/ids.ts';
import { readSlackError, slackErrorText } from '../slack/web-api/slack-errors.ts';
import type { Identity } from '../slack/web-api/slack-web.ts';
import { type Finding, failFinding, okFinding, slackRemedy, warnFinding } from './finding.ts';

export type MembersOptions = {
  readonly configuration: ConfigurationFile;
  readonly reads: WebClient;
  /** The team that the app is installed in; null if not known, and then teams are not compared. */
  readonly home: Pick<Identity, 'teamId' | 'enterpriseId'> | null;
};

type NamedId<Id> = { readonly id: Id; readonly role: Role };
type SlackUserGroup = { readonly id?: string; readonly team_id?: string; readonly date_delete?: number };

/** One finding for all of them, or one for each problem. */
export async function checkMembers(options: MembersOptions): Promise<readonly Finding[]> {
  const { roles } = options.configuration;
  const people = ROLES.flatMap((role) => roles[role].people.map((id) => ({ id, role })));
  const groups = ROLES.flatMap((role) => roles[role].userGroups.map((id) => ({ id, role })));
  const findings: Finding[] = [];
  for (const one of people) findings.push(...(await checkPerson(one, options)));
  findings.push(...(await checkGroups(groups, options)));
  if (findings.length > 0) return findings;
  const seen = `${countText(people, 'person', 'people')} and ${countText(groups, 'user group', 'user groups')}`;
  return [okFinding('roles', `${seen}, all found in Slack`)];
}

function countText(all: readonly unknown[], one: string, many: string): string {
  return `${all.length} ${all.length === 1 ? one : many}`;
}

async function checkPerson(one: NamedId<PersonId>, options: MembersOptions): Promise<readonly Finding[]> {
  const name = settingName(`roles.${one.role}`, one.id, options.configuration);
  try {
    const { user } = await options.reads.users.info({ user: one.id });
    if (user?.deleted === true) return [warnFinding(name, `${one.id} is deactivated in Slack`, REMOVE)];
    if (user?.is_bot === true) return [warnFinding(name, `${one.id} is a bot, not a person`, REMOVE)];
    return isOfOtherTeam(user?.team_id, options) ? [otherTeamFinding(name, one.id, user?.team_id)] : [];
  } catch (error) {
    const fault = readSlackError(error);
    if (fault.kind === 'refused' && fault.error === 'user_not_found')
      return [failFinding(name, `${one.id} is not in this workspace`, CORRECT)];
    return [warnFinding(name, `can't check ${one.id}: ${slackErrorText(fault)}`, slackRemedy(fault, SCOPES))];
  }
}

async function checkGroups(
  groups: readonly NamedId<UserGroupId>[],
  options: MembersOptions,
): Promise<readonly Finding[]> {
  if (groups.length === 0) return [];
  let known: readonly SlackUserGroup[];
  try {
    // Slack leaves out disabled groups by default.
    known = (await options.reads.usergroups.list({ include_disabled: true })).usergroups ?? [];
  } catch (error) {
    const fault = readSlackError(error);
    return [failFinding('user groups', slackErrorText(fault), slackRemedy(fault, SCOPES))];
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
  one: NamedId<UserGroupId>,
  found: SlackUserGroup | undefined,
  options: MembersOptions,
): readonly Finding[] {
  const name = settingName(`roles.${one.role}`, one.id, options.configuration);
  if (found === undefined)
    return [failFinding(name, `${one.id} is not a user group of this workspace`, CORRECT)];
  if ((found.date_delete ?? 0) > 0) return [warnFinding(name, `${one.id} is disabled in Slack`, REMOVE)];
  return isOfOtherTeam(found.team_id, options) ? [otherTeamFinding(name, one.id, found.team_id)] : [];
}

function isOfOtherTeam(team: string | undefined, { configuration, home }: MembersOptions): boolean {
  if (team === undefined || home === null) return false;
  return team !== home.teamId && team !== home.enterpriseId && !configuration.otherTeams.includes(team);
}

function otherTeamFinding(name: string, id: string, team: string | undefined): Finding {
  const remedy = 'remove it, or add the team to otherTeams in the configuration file';
  return warnFinding(name, `${id} belongs to another team (${team}), so it gives no role here`, remedy);
}

export function settingName(
  setting: string,
  id: string,
  { lines }: Pick<ConfigurationFile, 'lines'>,
): string {
  const found = lines?.get(id) ?? [];
  return found.length === 0 ? setting : `${setting}, line ${found.join(' and ')}`;
}

const CORRECT = 'correct the id in the configuration file';
const REMOVE = 'remove it from the configuration file';
const SCOPES = 'check the scopes users:read and usergroups:read';
