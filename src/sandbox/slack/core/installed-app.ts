/** The installed app: its bot user in this workspace, and the keys from its installation. */
import { randomBytes } from 'node:crypto';
import { z } from 'zod';

export type InstalledApp = Readonly<ReturnType<typeof installApp>>;

export function installApp() {
  const random = (bytes: number) => randomBytes(bytes).toString('hex');
  return {
    appId: 'A0PATCHBAY1',
    teamId: 'T0SANDBOX01',
    teamName: 'Sandbox',
    teamDomain: 'sandbox',
    botId: 'B0PATCHBAY1',
    /** The bot's user id: author of its messages and member of channels. */
    botUser: 'U0PATCHBAY1',
    botName: 'patchbay',
    botToken: `xoxb-sandbox-${random(12)}`,
    appToken: `xapp-1-A0PATCHBAY1-${random(12)}`,
    signingSecret: random(16),
    /** Slack still sends this obsolete field in every payload; nothing may trust it. */
    verificationToken: 'not-a-secret',
  };
}

const command = z.object({
  command: z.string().startsWith('/'),
  description: z.string(),
  usage_hint: z.string().default(''),
  should_escape: z.boolean().default(false),
});
const shortcut = z.object({
  name: z.string(),
  type: z.enum(['message', 'global']),
  callback_id: z.string(),
  description: z.string(),
});
/**
 * The parts of an app manifest that change how the workspace treats the app (docs.slack.dev/reference/app-manifest). Slack's
 * own schema holds its limits.
 */
const schema = z.object({
  features: z.object({
    app_home: z.object({ home_tab_enabled: z.boolean().default(false) }).optional(),
    bot_user: z.object({ display_name: z.string(), always_online: z.boolean().default(false) }).optional(),
    slash_commands: z.array(command).default([]),
    shortcuts: z.array(shortcut).default([]),
    unfurl_domains: z.array(z.string()).default([]),
  }),
  oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()) }) }),
  settings: z.object({
    event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }),
    interactivity: z.object({ is_enabled: z.boolean() }).optional(),
  }),
});

export type AppManifest = Readonly<ReturnType<typeof readManifest>>;
export type Shortcut = AppManifest['shortcuts'][number];

/**
 * Reads a parsed manifest; throws for an invalid one, from which Slack could not create an app. Only the scope `commands`
 * enables its shortcuts and slash commands (docs.slack.dev/reference/scopes/commands, interactivity/implementing-shortcuts).
 */
export function readManifest(manifest: unknown) {
  const { features, oauth_config, settings } = schema.parse(manifest);
  const scopes = new Set(oauth_config.scopes.bot);
  const { bot_user } = features;
  const enabled = scopes.has('commands') ? features : { slash_commands: [], shortcuts: [] };
  return {
    commands: enabled.slash_commands.map(({ command, description, usage_hint, should_escape }) => ({
      command,
      description,
      usageHint: usage_hint,
      shouldEscape: should_escape,
    })),
    shortcuts: enabled.shortcuts.map(({ callback_id, ...shortcut }) => ({
      ...shortcut,
      callbackId: callback_id,
    })),
    /** The app gets events for links into these domains and their subdomains. */
    unfurlDomains: features.unfurl_domains,
    scopes,
    events: new Set(settings.event_subscriptions.bot_events),
    homeTab: features.app_home?.home_tab_enabled ?? false,
    botUser: bot_user ? { name: bot_user.display_name, alwaysOnline: bot_user.always_online } : null,
    /** Off, as the Home tab, unless the manifest enables it (docs.slack.dev/surfaces/app-home). */
    interactivity: settings.interactivity?.is_enabled ?? false,
  };
}
