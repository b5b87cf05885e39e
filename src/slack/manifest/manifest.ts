/** The app's manifest, computed from the command registry: what `manifest.yml` must say. */
import { writeFileSync } from 'node:fs';
import { stringify } from 'yaml';
import { registry } from '../../commands/index.ts';
import { readCommandName, readConsoleHost } from '../../config/config.ts';
import { ROOT_COMMAND, slashCommands } from '../../lib/slash-commands.ts';
import type { HelpEntry } from '../../views/views.ts';
import { ACT_ON_DEVICE_SHORTCUT, FIND_DEVICE_SHORTCUT } from '../shortcuts/shortcuts.ts';

/** Bot scopes, each with the calls that need it. `chat:write.public` is never requested: the bot speaks only where it was invited. */
export const BOT_SCOPES = {
  'app_mentions:read': 'app_mention: commands by mention in channels and threads',
  'channels:history': 'conversations.history, conversations.replies: look for a card before posting it again',
  'channels:read': 'conversations.info and member_joined_channel: membership and the welcome message',
  'chat:write': 'chat.postMessage, chat.update, chat.postEphemeral',
  commands: 'the slash commands',
  'files:write': 'files.getUploadURLExternal, files.completeUploadExternal: exported lists',
  'groups:history': 'conversations.history, conversations.replies in private channels',
  'groups:read': 'conversations.info in private channels',
  'im:history': 'message.im: commands in direct messages; conversations.history: cards in them',
  'im:write': 'conversations.open: cards as direct messages where the bot is not in the channel',
  'links:read': 'link_shared: links to devices in the service’s console',
  'links:write': 'chat.unfurl: previews of these links',
  'usergroups:read': 'usergroups.users.list: roles by user group',
  'users:read': 'users.info: time zones of people who chose none, and whether an account is deactivated',
} as const satisfies Readonly<Record<string, string>>;

const SHORTCUTS = [
  {
    name: 'Find a device',
    type: 'global',
    callback_id: FIND_DEVICE_SHORTCUT,
    description: 'Find a device by name, address, serial number or user',
  },
  {
    name: 'Act on this device',
    type: 'message',
    callback_id: ACT_ON_DEVICE_SHORTCUT,
    description: 'Show the device mentioned in this message, with its actions',
  },
] as const;

/** Events that listeners exist for. */
export const BOT_EVENTS = [
  'app_home_opened',
  'app_mention',
  'link_shared',
  'member_joined_channel',
  'message.im',
] as const;

/** Placeholder host of the service's console while `FLEET_CONSOLE_URL` is not set. */
const CONSOLE_HOST = 'console.example.com';

export function manifest(commands: readonly HelpEntry[], root = ROOT_COMMAND, consoleHost = CONSOLE_HOST) {
  return {
    _metadata: { major_version: 2 },
    display_information: {
      name: 'Patchbay',
      description: 'Look up, scan, patch and reboot devices. Approve risky changes with a button.',
      background_color: '#1d3b4f',
    },
    features: {
      bot_user: { display_name: 'Patchbay', always_online: true },
      app_home: {
        home_tab_enabled: true,
        messages_tab_enabled: true,
        messages_tab_read_only_enabled: false,
      },
      shortcuts: SHORTCUTS.map((shortcut) => ({ ...shortcut })),
      slash_commands: slashCommands(root).map(({ slash, subcommand }) => ({
        command: slash,
        ...usageHint(commands, subcommand),
        should_escape: false,
      })),
      unfurl_domains: [consoleHost],
    },
    oauth_config: { scopes: { bot: Object.keys(BOT_SCOPES) } },
    settings: {
      event_subscriptions: { bot_events: [...BOT_EVENTS] },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}

/** Description and usage hint of a slash command: at most 2,000 and 1,000 characters (manifest schema). */
function usageHint(commands: readonly HelpEntry[], subcommand: string | null) {
  if (subcommand === null) {
    return {
      description: 'Look up devices, packages and queues; scan, patch and reboot',
      usage_hint: commands.map(({ name }) => name).join(' | '),
    };
  }
  const entry = commands.find(({ name }) => name === subcommand);
  if (entry === undefined) throw new Error(`a slash command for ${subcommand}, which is no command`);
  return { description: entry.summary, usage_hint: shortenHint(entry.usage.slice(subcommand.length).trim()) };
}

/** A hint must fit in one line, on phones too; parts that do not fit become an ellipsis. */
const MAX_HINT_LENGTH = 80;

function shortenHint(usage: string): string {
  if (usage.length <= MAX_HINT_LENGTH) return usage;
  const parts = usage.split(/ (?=\[)/);
  let hint = '';
  for (const part of parts) {
    if (`${hint} ${part} […]`.length > MAX_HINT_LENGTH) break;
    hint = `${hint} ${part}`;
  }
  return `${hint} […]`.trim();
}

export function manifestText(
  commands: readonly HelpEntry[],
  root = ROOT_COMMAND,
  consoleHost = CONSOLE_HOST,
): string {
  const head = [
    '# Creates the Slack app: api.slack.com/apps, "Create New App", "From a manifest".',
    '# Generated by `npm run manifest` from src/commands. Do not edit.',
    '# For HTTP instead of Socket Mode: set socket_mode_enabled to false. Use https://YOUR-BOT/slack/events as the',
    '# url of each command, the request_url of event_subscriptions and interactivity, and the',
    '# message_menu_options_url of interactivity.',
  ];
  return `${head.join('\n')}\n${stringify(manifest(commands, root, consoleHost), { lineWidth: 110 })}`;
}

/** Into the working directory. Exit code 2 where a setting that the manifest needs is wrong. */
export async function writeManifest(): Promise<void> {
  let text: string;
  try {
    text = manifestText(registry.help(), readCommandName(), readConsoleHost() ?? undefined);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
    return;
  }
  writeFileSync('manifest.yml', text);
  process.stdout.write('manifest.yml written\n');
}
