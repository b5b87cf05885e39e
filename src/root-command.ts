/** The slash command that every subcommand follows, where the settings name no other. */
export const ROOT = '/fleet';
