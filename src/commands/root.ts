/** The slash command that every subcommand follows. */
export const ROOT = '/fleet';
