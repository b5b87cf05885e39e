/** The parts of an app manifest that change how the workspace treats the app. */
import { z } from 'zod';

const schema = z.object({
  features: z
    .object({
      app_home: z
        .object({
          home_tab_enabled: z.boolean().default(true),
          messages_tab_enabled: z.boolean().default(true),
        })
        .optional(),
      bot_user: z.object({ always_online: z.boolean().default(false) }).optional(),
      slash_commands: z
        .array(
          z.object({
            command: z.string().startsWith('/'),
            description: z.string(),
            usage_hint: z.string().default(''),
            should_escape: z.boolean().default(false),
          }),
        )
        .default([]),
      shortcuts: z
        .array(
          z.object({
            name: z.string().min(1).max(24),
            type: z.enum(['message', 'global']),
            callback_id: z.string().min(1).max(255),
            description: z.string().default(''),
          }),
        )
        .default([]),
      // “Up to five” (docs.slack.dev/messaging/unfurling-links-in-messages).
      unfurl_domains: z.array(z.string()).max(5).default([]),
    })
    .default({ slash_commands: [], shortcuts: [], unfurl_domains: [] }),
  oauth_config: z
    .object({ scopes: z.object({ bot: z.array(z.string()).default([]) }).default({ bot: [] }) })
    .default({ scopes: { bot: [] } }),
  settings: z
    .object({
      event_subscriptions: z
        .object({ bot_events: z.array(z.string()).default([]) })
        .default({ bot_events: [] }),
    })
    .default({ event_subscriptions: { bot_events: [] } }),
});

export type ManifestCommand = {
  readonly command: string;
  readonly description: string;
  readonly usageHint: string;
  readonly shouldEscape: boolean;
};
export type Shortcut = {
  readonly name: string;
  readonly type: 'message' | 'global';
  readonly callbackId: string;
  readonly description: string;
};
export type AppManifest = {
  readonly commands: readonly ManifestCommand[];
  readonly shortcuts: readonly Shortcut[];
  /** The app gets events for links into these domains and their subdomains. */
  readonly unfurlDomains: readonly string[];
  readonly scopes: ReadonlySet<string>;
  readonly events: ReadonlySet<string>;
  readonly homeTab: boolean;
  readonly messagesTab: boolean;
  readonly alwaysOnline: boolean;
};

/**
 * Reads a parsed manifest; throws for an invalid one, from which Slack could not create an app. Only the scope `commands`
 * enables its shortcuts and slash commands (docs.slack.dev/reference/scopes/commands, interactivity/implementing-shortcuts).
 */
export function readManifest(manifest: unknown): AppManifest {
  const { features, oauth_config, settings } = schema.parse(manifest);
  const scopes = new Set(oauth_config.scopes.bot);
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
    unfurlDomains: features.unfurl_domains,
    scopes,
    events: new Set(settings.event_subscriptions.bot_events),
    homeTab: features.app_home?.home_tab_enabled ?? true,
    messagesTab: features.app_home?.messages_tab_enabled ?? true,
    alwaysOnline: features.bot_user?.always_online ?? false,
  };
}
