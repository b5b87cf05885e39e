/**
 * The parts of an app manifest that change how the workspace treats the app, with the limits of
 * docs.slack.dev/reference/app-manifest.
 */
import { z } from 'zod';

const COLOR = /^#(?:[0-9a-fA-F]{3}){1,2}$/;
/**
 * With a top-level domain, and neither an IP address, a protocol, a path nor Unicode
 * (docs.slack.dev/messaging/unfurling-links-in-messages).
 */
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]$/;
/** “Up to 5 global shortcuts, and separately, 5 message shortcuts” (docs.slack.dev/interactivity/implementing-shortcuts). */
const SHORTCUTS_OF_A_TYPE = 5;

const scopesSchema = z
  .object({
    bot: z.array(z.string()).max(255).default([]),
    bot_optional: z.array(z.string()).default([]),
  })
  .refine(({ bot, bot_optional }) => bot_optional.every((scope) => bot.includes(scope)), {
    error: 'Optional scopes must also be listed in bot.',
  });

const atMostFive = (all: readonly { type: string }[], type: string) =>
  all.filter((shortcut) => shortcut.type === type).length <= SHORTCUTS_OF_A_TYPE;

const schema = z.object({
  display_information: z.object({
    name: z.string().min(1).max(35),
    description: z.string().max(140).optional(),
    long_description: z.string().max(4_000).optional(),
    background_color: z.string().regex(COLOR).optional(),
  }),
  features: z
    .object({
      app_home: z
        .object({
          home_tab_enabled: z.boolean().default(false),
          messages_tab_enabled: z.boolean().default(true),
          messages_tab_read_only_enabled: z.boolean().default(false),
        })
        .optional(),
      bot_user: z
        .object({ display_name: z.string().min(1).max(80), always_online: z.boolean().default(false) })
        .optional(),
      slash_commands: z
        .array(
          z.object({
            command: z.string().startsWith('/').max(32),
            description: z.string().max(2_000),
            usage_hint: z.string().max(1_000).default(''),
            should_escape: z.boolean().default(false),
          }),
        )
        .max(50)
        .default([]),
      shortcuts: z
        .array(
          z.object({
            name: z.string().min(1).max(24),
            type: z.enum(['message', 'global']),
            callback_id: z.string().min(1).max(255),
            description: z.string().max(150),
          }),
        )
        .max(10)
        .refine((all) => (['global', 'message'] as const).every((type) => atMostFive(all, type)), {
          error: 'There may be up to 5 global shortcuts and 5 message shortcuts.',
        })
        .default([]),
      // “Up to five” (docs.slack.dev/messaging/unfurling-links-in-messages).
      unfurl_domains: z.array(z.string().regex(DOMAIN)).max(5).default([]),
    })
    .default({ slash_commands: [], shortcuts: [], unfurl_domains: [] }),
  oauth_config: z
    .object({ scopes: scopesSchema.default({ bot: [], bot_optional: [] }) })
    .default({ scopes: { bot: [], bot_optional: [] } }),
  settings: z
    .object({
      event_subscriptions: z
        .object({ bot_events: z.array(z.string()).max(100).default([]) })
        .default({ bot_events: [] }),
      interactivity: z.object({ is_enabled: z.boolean() }).optional(),
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
  /** People cannot write to the app. */
  readonly messagesReadOnly: boolean;
  /** The bot user's display name, and whether it always appears to be online. */
  readonly botUser: { readonly name: string; readonly alwaysOnline: boolean } | null;
  /** Off, as the Home tab, unless the manifest enables it (docs.slack.dev/surfaces/app-home). */
  readonly interactivity: boolean;
};

/**
 * Reads a parsed manifest; throws for an invalid one, from which Slack could not create an app. Only the scope `commands`
 * enables its shortcuts and slash commands (docs.slack.dev/reference/scopes/commands, interactivity/implementing-shortcuts).
 */
export function readManifest(manifest: unknown): AppManifest {
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
    unfurlDomains: features.unfurl_domains,
    scopes,
    events: new Set(settings.event_subscriptions.bot_events),
    homeTab: features.app_home?.home_tab_enabled ?? false,
    messagesTab: features.app_home?.messages_tab_enabled ?? true,
    messagesReadOnly: features.app_home?.messages_tab_read_only_enabled ?? false,
    botUser: bot_user ? { name: bot_user.display_name, alwaysOnline: bot_user.always_online } : null,
    interactivity: settings.interactivity?.is_enabled ?? false,
  };
}
