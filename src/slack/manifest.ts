/** The app's manifest, computed from the command registry: what `manifest.yml` must say. */
import { stringify } from 'yaml';
import { ROOT, slashCommands } from '../commands/root.ts';
import type { HelpEntry } from '../views/model.ts';
import { ACT_ON_DEVICE, FIND_DEVICE } from './shortcuts/shortcut-names.ts';

/**
 * Bot scopes, each with the calls that need it. `chat:write.public` is never asked for: the bot speaks only where
 * it was invited.
 */
export const SCOPES = {
  'app_mentions:read': 'app_mention: commands in channels and threads, after a mention',
  'channels:history':
    'conversations.history: a card whose post was uncertain is looked up before it is repeated',
  'channels:read': 'conversations.info and member_joined_channel: membership and the welcome line',
  'chat:write': 'chat.postMessage, chat.update, chat.postEphemeral',
  commands: 'the slash commands',
  'files:write': 'files.getUploadURLExternal, files.completeUploadExternal: lists as files',
  'groups:history': 'conversations.history in private channels',
  'groups:read': 'conversations.info in private channels',
  'im:history': 'message.im: commands in direct messages; conversations.history in them',
  'im:write': 'conversations.open: cards go to a direct message where the bot is no member',
  'links:read': 'link_shared: links to devices in the service’s console',
  'links:write': 'chat.unfurl: what such a link shows',
  'usergroups:read': 'usergroups.users.list: roles by user group',
  'users:read': 'users.info: the time zone of who chose none',
} as const satisfies Readonly<Record<string, string>>;

/** What people can do without typing a command: from anywhere, and on a message. */
export const SHORTCUTS = [
  {
    name: 'Find a device',
    type: 'global',
    callback_id: FIND_DEVICE,
    description: 'Look for a device by whatever you have in hand',
  },
  {
    name: 'Act on this device',
    type: 'message',
    callback_id: ACT_ON_DEVICE,
    description: 'Show the device that this message speaks of, with what can be done about it',
  },
] as const;

/** Events that listeners exist for. */
export const EVENTS = [
  'app_home_opened',
  'app_mention',
  'link_shared',
  'member_joined_channel',
  'message.im',
] as const;

/** Stands for the host of the service's console until FLEET_CONSOLE_URL names it. */
const CONSOLE_HOST = 'console.example.com';

export function manifest(commands: readonly HelpEntry[], root = ROOT, consoleHost = CONSOLE_HOST) {
  return {
    _metadata: { major_version: 2 },
    display_information: {
      name: 'Patchbay',
      description: 'Query and command a fleet of computers; approve what is risky.',
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
        ...hints(commands, subcommand),
        should_escape: false,
      })),
      unfurl_domains: [consoleHost],
    },
    oauth_config: { scopes: { bot: Object.keys(SCOPES) } },
    settings: {
      event_subscriptions: { bot_events: [...EVENTS] },
      interactivity: { is_enabled: true },
      org_deploy_enabled: false,
      socket_mode_enabled: true,
      token_rotation_enabled: false,
    },
  };
}

/** What Slack's completion shows beside a slash command: 2,000 and 1,000 characters at the most (manifest schema). */
function hints(commands: readonly HelpEntry[], subcommand: string | null) {
  if (subcommand === null) {
    return {
      description: 'Query devices, packages and queues; scan, patch and reboot',
      usage_hint: commands.map(({ name }) => name).join(' | '),
    };
  }
  const entry = commands.find(({ name }) => name === subcommand);
  if (entry === undefined) throw new Error(`a slash command for ${subcommand}, which is no command`);
  return { description: entry.summary, usage_hint: shortHint(entry.usage.slice(subcommand.length).trim()) };
}

/** A hint stands in one line, on phones too: parts in brackets that have no room give way to a mark. */
const HINT_LENGTH = 80;

function shortHint(usage: string): string {
  if (usage.length <= HINT_LENGTH) return usage;
  const parts = usage.split(/ (?=\[)/);
  let hint = '';
  for (const part of parts) {
    if (`${hint} ${part} […]`.length > HINT_LENGTH) break;
    hint = `${hint} ${part}`;
  }
  return `${hint} […]`.trim();
}

export function manifestText(
  commands: readonly HelpEntry[],
  root = ROOT,
  consoleHost = CONSOLE_HOST,
): string {
  const head = [
    '# Creates the Slack app: api.slack.com/apps, "Create New App", "From a manifest".',
    '# Made by `npm run manifest` from the commands in src/commands; a test holds the two equal.',
    '# For HTTP instead of Socket Mode: set socket_mode_enabled to false and add the address of the bot with',
    '# /slack/events as url of each command, as request_url of event_subscriptions and interactivity, and as',
    '# message_menu_options_url of interactivity.',
  ];
  return `${head.join('\n')}\n${stringify(manifest(commands, root, consoleHost), { lineWidth: 110 })}`;
}
