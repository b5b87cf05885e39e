/** Checks of the Slack side: tokens, scopes, socket, channels and membership, who may approve. */
import type { WebClient } from '@slack/web-api';
import type { Config } from '../config/config.ts';
import type { ConfigurationFile } from '../config/configuration-file.ts';
import type { ChannelId } from '../lib/ids.ts';
import type { Log } from '../lib/log.ts';
import { BOT_SCOPES } from '../slack/manifest/manifest.ts';
import { createAppClient, createClients } from '../slack/web-api/clients.ts';
import { isExternalChannel } from '../slack/web-api/paged-reads.ts';
import { readSlackError, slackErrorText } from '../slack/web-api/slack-errors.ts';
import { createSlackWeb } from '../slack/web-api/slack-web.ts';
import { checkApprovers } from './approvers.ts';
import { checkCards } from './cards.ts';
import { type Finding, failFinding, okFinding, skipFinding, slackRemedy, warnFinding } from './finding.ts';
import { checkMembers, settingName } from './members.ts';

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
