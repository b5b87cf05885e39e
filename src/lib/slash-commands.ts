/**
 * Subcommands with a slash command of their own, such as `/fleet-device`: Slack's completion lists these with their
 * hints, but can't complete what follows a command.
 */
const SUBCOMMANDS_WITH_OWN_SLASH = ['devices', 'device', 'packages', 'scan', 'patch', 'reboot'] as const;

/** Slack's limit for the name of a slash command, its slash included (manifest schema). */
const MAX_SLASH_LENGTH = 32;

/** What may replace `/fleet`: short enough that the longest name made from it still fits. */
export const ROOT_COMMAND_FORMAT = new RegExp(
  `^/[a-z0-9][a-z0-9_-]{0,${MAX_SLASH_LENGTH - 2 - Math.max(...SUBCOMMANDS_WITH_OWN_SLASH.map((name) => name.length + 1))}}$`,
);

type SlashCommandName = {
  /** As it is typed. */
  readonly slash: string;
  /** The subcommand it stands for; null: the first word of the text names it. */
  readonly subcommand: string | null;
};

export function slashCommands(root: string): readonly SlashCommandName[] {
  return [
    { slash: root, subcommand: null },
    ...SUBCOMMANDS_WITH_OWN_SLASH.map((subcommand) => ({ slash: `${root}-${subcommand}`, subcommand })),
  ];
}

/** The root slash command, unless the settings name another. */
export const ROOT_COMMAND = '/fleet';
