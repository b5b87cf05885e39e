/** Checks of the Slack side: tokens, scopes, socket, channels and membership, who may approve. */
import type { WebClient } from '@slack/web-api';
import type { Config } from '../config.ts';
import type { PersonId } from '../ids.ts';
import type { Log } from '../log.ts';
import { createAppClient, createClients } from '../slack/clients.ts';
import { faultText, readFault } from '../slack/faults.ts';
import { SCOPES } from '../slack/manifest.ts';
import { createSlackWeb } from '../slack/web.ts';
import { type Finding, fail, ok, warn } from './check.ts';
import { checkMembers } from './members.ts';

/** All findings about Slack. Without a working bot token the rest is not asked. */
export async function checkSlack(config: Config, log: Log): Promise<readonly Finding[]> {
  const { reads, writes } = createClients(config.slack, log);
  const token = await checkBotToken(reads);
  const transport = await checkTransport(config, log);
  if (token.some(({ status }) => status === 'fail')) return [...token, transport];
  const web = createSlackWeb({ reads, writes });
  const identity = await web.identity();
  const home = identity.kind === 'ok' ? identity.value : null;
  return [
    ...token,
    transport,
    ...(await checkChannels(config, reads)),
    ...(await checkMembers({ policy: config.policy, reads, home })),
    await checkApprovers(config, web),
  ];
}

async function checkBotToken(reads: WebClient): Promise<readonly Finding[]> {
  try {
    const answer = await reads.auth.test();
    const granted = new Set(answer.response_metadata?.scopes ?? []);
    const missing = Object.entries(SCOPES).filter(([scope]) => !granted.has(scope));
    const scopes =
      missing.length === 0
        ? ok('Slack scopes', `all ${Object.keys(SCOPES).length} that are needed`)
        : fail(
            'Slack scopes',
            `missing ${missing.map(([scope]) => scope).join(', ')}`,
            `add them under "OAuth & Permissions" (or use manifest.yml) and reinstall the app; they serve: ${missing.map(([, use]) => use).join('; ')}`,
          );
    return [
      ok('Slack bot token', `${answer.user ?? 'the bot'} in ${answer.team ?? 'the workspace'}`),
      scopes,
    ];
  } catch (error) {
    return [
      fail(
        'Slack bot token',
        faultText(readFault(error)),
        'set SLACK_BOT_TOKEN to the bot token of the installed app and check that SLACK_API_URL is reachable from here',
      ),
    ];
  }
}

async function checkTransport(config: Config, log: Log): Promise<Finding> {
  const { transport } = config.slack;
  if (transport.kind === 'http') {
    return warn(
      'Slack transport',
      'HTTP: a signing secret cannot be tried from here',
      `run a command in Slack; if it fails, check that /slack/events on port ${config.port} is reachable and the secret is the app's`,
    );
  }
  try {
    await createAppClient(config.slack, transport.appToken, log).apps.connections.open();
    return ok('Slack transport', 'Socket Mode: the app token opens a connection');
  } catch (error) {
    return fail(
      'Slack transport',
      `Socket Mode: ${faultText(readFault(error))}`,
      'set SLACK_APP_TOKEN to an app-level token with the scope connections:write, and turn Socket Mode on',
    );
  }
}

async function checkChannels({ policy }: Config, reads: WebClient): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [use, channel] of Object.entries(policy.channels)) {
    findings.push(await checkChannel(`channels.${use}`, channel, reads));
  }
  return findings;
}

async function checkChannel(name: string, channel: string, reads: WebClient): Promise<Finding> {
  try {
    const { channel: info } = await reads.conversations.info({ channel });
    const seen = `#${info?.name ?? channel}`;
    if (info?.is_archived === true)
      return fail(name, `${seen} is archived`, 'name another channel in the policy file');
    if (info?.is_member !== true) {
      return fail(name, `the bot is no member of ${seen}`, `write /invite @Patchbay in ${seen}`);
    }
    if (info?.is_ext_shared === true || info?.is_pending_ext_shared === true)
      return warn(name, `${seen} is shared with another organization`, 'name a channel of your own');
    return ok(name, `the bot is a member of ${seen}`);
  } catch (error) {
    const hint = 'check the id in the policy file; a private channel is found only after the bot was invited';
    return fail(name, `${channel}: ${faultText(readFault(error))}`, hint);
  }
}

/** Nobody decides their own request, so one approver alone could not reboot anything. */
async function checkApprovers({ policy }: Config, web: ReturnType<typeof createSlackWeb>): Promise<Finding> {
  const name = 'approvers';
  const roles = [policy.roles.approver, policy.roles.admin];
  const people = new Set<PersonId>(roles.flatMap((role) => role.people));
  for (const group of roles.flatMap((role) => role.userGroups)) {
    const members = await web.userGroupMembers(group);
    if (members.kind !== 'ok') {
      return fail(
        name,
        `user group ${group}: ${faultText(members)}`,
        'check the id in the policy file and the scope usergroups:read',
      );
    }
    for (const member of members.value) people.add(member);
  }
  if (people.size === 0)
    return fail(name, 'nobody may approve', 'name people or a user group under roles.approver');
  if (people.size === 1) {
    return warn(name, 'one person', 'name a second one: nobody may approve their own request');
  }
  return ok(name, `${people.size} people`);
}
