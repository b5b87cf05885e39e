/** Checks of the Slack side: tokens, scopes, socket, channels and membership, who may approve. */

import { existsSync } from 'node:fs';
import type { WebClient } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { ConfigurationFile } from '../config/configuration-file.ts';
import { ROLES, type Role } from '../lib/access.ts';
import type { ChannelId, PersonId, UserGroupId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { BOT_SCOPES } from '../slack/manifest/manifest.ts';
import { createAppClient, createClients } from '../slack/web-api/clients.ts';
import { isExternalChannel, readIsExternal } from '../slack/web-api/paged-reads.ts';
import { readSlackError, slackErrorText } from '../slack/web-api/slack-errors.ts';
import { createSlackWeb, type Identity, type SlackWeb } from '../slack/web-api/slack-web.ts';
import { subscribedChannels } from '../store/admin/inspect-database.ts';
import { checkCards } from './cards.ts';
import { type Finding, failFinding, okFinding, skipFinding, slackRemedy, warnFinding } from './finding.ts';
import { checkQuorums } from './rules.ts';

/** The check that most others about Slack depend on. */
export const BOT_TOKEN_CHECK = 'Slack bot token';
const TRANSPORT_CHECK = 'Slack transport';
/** The checks that are skipped without a working bot token. */
const NEEDS_BOT_TOKEN = 'Slack scopes, cards, channels, roles, approvers, subscribed channels';

/** All findings about Slack. What needs a working bot token is skipped without one. */
export async function checkSlack(config: Config, log: Log): Promise<readonly Finding[]> {
  const clients = createClients(config.slack, log);
  const { reads } = clients;
  const token = await checkBotToken(reads, config.slack.apiUrl);
  if (token.kind === 'failed') {
    // Without an answer from Slack, the app token would fail for the same reason.
    const transport =
      token.answered || config.slack.transport.kind === 'http'
        ? await checkTransport(config, log)
        : skipFinding(TRANSPORT_CHECK, BOT_TOKEN_CHECK);
    return [token.finding, transport, skipFinding(NEEDS_BOT_TOKEN, BOT_TOKEN_CHECK)];
  }
  const transport = await checkTransport(config, log);
  const web = createSlackWeb(clients);
  const identity = await web.identity();
  const home = identity.kind === 'ok' ? identity.value : null;
  return [
    ...token.findings,
    transport,
    await checkCards(reads),
    ...(await checkChannels(config.configuration, reads)),
    ...(await checkMembers({ configuration: config.configuration, reads, home })),
    await checkApprovers(config.configuration, web),
    ...(await checkQuorums(config.configuration, web)),
  ];
}

/** `answered`: Slack refused the token; false: Slack did not answer. */
type TokenResult =
  | { readonly kind: 'works'; readonly findings: readonly Finding[] }
  | { readonly kind: 'failed'; readonly finding: Finding; readonly answered: boolean };

async function checkBotToken(reads: WebClient, address: string): Promise<TokenResult> {
  try {
    const answer = await reads.auth.test();
    const granted = new Set(answer.response_metadata?.scopes ?? []);
    const missing = Object.entries(BOT_SCOPES).filter(([scope]) => !granted.has(scope));
    const scopes =
      missing.length === 0
        ? okFinding('Slack scopes', `all ${Object.keys(BOT_SCOPES).length} granted`)
        : failFinding(
            'Slack scopes',
            `missing ${missing.map(([scope]) => scope).join(', ')}`,
            `add them under "OAuth & Permissions" (or use manifest.yml) and reinstall the app; needed for: ${missing.map(([, use]) => use).join('; ')}`,
          );
    const who = `${answer.user ?? 'the bot'} in ${answer.team ?? 'the workspace'}`;
    return { kind: 'works', findings: [okFinding(BOT_TOKEN_CHECK, who), scopes] };
  } catch (error) {
    const fault = readSlackError(error);
    const remedy = slackRemedy(fault, 'set SLACK_BOT_TOKEN to the bot token of the installed app');
    const isAnswered = fault.kind === 'refused' || fault.kind === 'throttled';
    // Without an answer, the address is the first thing to check.
    const failed = isAnswered ? slackErrorText(fault) : `${address}: ${slackErrorText(fault)}`;
    const seen = fault.kind === 'refused' ? `Slack rejected the token (${fault.error})` : failed;
    const finding = failFinding(BOT_TOKEN_CHECK, seen, remedy);
    return { kind: 'failed', finding, answered: isAnswered };
  }
}

async function checkTransport(config: Config, log: Log): Promise<Finding> {
  const { transport } = config.slack;
  if (transport.kind === 'http') {
    return warnFinding(
      TRANSPORT_CHECK,
      "HTTP: can't test the signing secret from here",
      `run a command in Slack; if it fails, check that /slack/events on port ${config.port} is reachable and that SLACK_SIGNING_SECRET matches the app`,
    );
  }
  try {
    await createAppClient(config.slack, transport.appToken, log).apps.connections.open();
    return okFinding(TRANSPORT_CHECK, 'Socket Mode: the app token works');
  } catch (error) {
    const fault = readSlackError(error);
    const remedy = slackRemedy(
      fault,
      'set SLACK_APP_TOKEN to an app-level token with the scope connections:write, and turn on Socket Mode',
    );
    return failFinding(TRANSPORT_CHECK, `Socket Mode: ${slackErrorText(fault)}`, remedy);
  }
}

export async function checkChannels(
  configuration: Pick<ConfigurationFile, 'channels' | 'personalChannels' | 'externalChannels' | 'lines'>,
  reads: WebClient,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const used = Object.entries(configuration.channels).map(([use, id]) => [`channels.${use}`, id] as const);
  const personal = configuration.personalChannels.map((id) => ['personalChannels', id] as const);
  for (const [setting, channel] of [...used, ...personal]) {
    const isAllowed =
      configuration.externalChannels === 'allow' || configuration.externalChannels.includes(channel);
    const name = settingName(setting, channel, configuration);
    findings.push(await checkChannel({ name, channel, isAllowed }, reads));
  }
  return findings;
}

type ChannelUse = {
  readonly name: string;
  readonly channel: ChannelId;
  /** Shared with other organizations on purpose. */
  readonly isAllowed: boolean;
};

async function checkChannel({ name, channel, isAllowed }: ChannelUse, reads: WebClient): Promise<Finding> {
  try {
    const { channel: info } = await reads.conversations.info({ channel });
    const seen = `#${info?.name ?? channel}`;
    if (info?.is_archived === true)
      return failFinding(name, `${seen} is archived`, 'use another channel in the configuration file');
    if (info?.is_member !== true) {
      return failFinding(name, `the bot is not in ${seen}`, `run /invite @Patchbay in ${seen}`);
    }
    if (isExternalChannel(info) === true && !isAllowed)
      return warnFinding(
        name,
        `${seen} is shared with another organization`,
        'use an internal channel, or add this one to externalChannels in the configuration file',
      );
    return okFinding(name, `the bot is in ${seen}`);
  } catch (error) {
    const hint = 'check the id in the configuration file; invite the bot first if the channel is private';
    const fault = readSlackError(error);
    return failFinding(name, `${channel}: ${slackErrorText(fault)}`, slackRemedy(fault, hint));
  }
}

type MembersOptions = {
  readonly configuration: ConfigurationFile;
  readonly reads: WebClient;
  /** The team that the app is installed in; null if not known, and then teams are not compared. */
  readonly home: Pick<Identity, 'teamId' | 'enterpriseId'> | null;
};

type NamedId<Id> = { readonly id: Id; readonly role: Role };
type SlackUserGroup = { readonly id?: string; readonly team_id?: string; readonly date_delete?: number };

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

function settingName(setting: string, id: string, { lines }: Pick<ConfigurationFile, 'lines'>): string {
  const found = lines?.get(id) ?? [];
  return found.length === 0 ? setting : `${setting}, line ${found.join(' and ')}`;
}

const CORRECT = 'correct the id in the configuration file';
const REMOVE = 'remove it from the configuration file';
const SCOPES = 'check the scopes users:read and usergroups:read';

const APPROVERS_CHECK = 'approvers';

/**
 * Counts everyone who may approve: nobody decides their own request, so one approver alone could not reboot anything.
 * People named by id count even where a user group cannot be read.
 */
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
    return found(APPROVERS_CHECK, [count, ...unread].join('; '), remedy);
  }
  if (people.size === 0)
    return failFinding(
      APPROVERS_CHECK,
      'nobody can approve',
      'add people or a user group to roles.approver in the configuration file',
    );
  if (people.size === 1)
    return warnFinding(APPROVERS_CHECK, count, 'add a second approver: nobody can approve their own request');
  return okFinding(APPROVERS_CHECK, count);
}

/** More would take over a minute: Slack allows about 50 calls of `conversations.info` a minute. */
const MAX_CHECKED = 40;
const SUBSCRIPTIONS_CHECK = 'subscribed channels';

type CheckedConfig = Pick<Config, 'database' | 'slack'> & {
  readonly configuration: Pick<Config['configuration'], 'channels' | 'externalChannels'>;
};

/** Warns of channels shared with other organizations and of those that Slack does not show. Empty if the database cannot be read. */
export async function checkSubscribedChannels(config: CheckedConfig, log: Log): Promise<readonly Finding[]> {
  const { database, configuration } = config;
  if (database.kind === 'sqlite' && !existsSync(database.path)) return [];
  const fixed: readonly ChannelId[] = Object.values(configuration.channels);
  // The check of the database reports why it cannot be read.
  const all = await subscribedChannels(database).catch(() => []);
  const channels = all.filter((channel) => /^[CG]/.test(channel) && !fixed.includes(channel));
  if (channels.length === 0) return [];
  const { reads } = createClients(config.slack, log);
  const found: Finding[] = [];
  for (const channel of channels.slice(0, MAX_CHECKED))
    found.push(...(await checkSubscribedChannel(channel, configuration, reads)));
  if (found.length > 0) return found;
  const looked = `checked ${Math.min(channels.length, MAX_CHECKED)} of ${channels.length}`;
  return [okFinding(SUBSCRIPTIONS_CHECK, `${looked}, no alerts held back`)];
}

async function checkSubscribedChannel(
  channel: ChannelId,
  { externalChannels }: CheckedConfig['configuration'],
  reads: WebClient,
): Promise<readonly Finding[]> {
  if (externalChannels === 'allow' || externalChannels.includes(channel)) return [];
  try {
    if ((await readIsExternal(reads, channel)) !== true) return [];
    const remedy = 'unsubscribe the channel, or add its id to externalChannels in the configuration file';
    return [
      warnFinding(
        SUBSCRIPTIONS_CHECK,
        `${channel} is shared with another organization: its alerts are held back`,
        remedy,
      ),
    ];
  } catch (error) {
    const fault = readSlackError(error);
    const remedy = slackRemedy(fault, 'invite the bot to the channel, or unsubscribe the channel');
    return [warnFinding(SUBSCRIPTIONS_CHECK, `${channel}: ${slackErrorText(fault)}`, remedy)];
  }
}
