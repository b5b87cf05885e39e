/** The names under which Slack knows the commands. */

export { ROOT } from '../root-command.ts';

/**
 * Subcommands with a slash command of their own, such as `/fleet-device`: Slack's completion lists these with their
 * hints, and knows nothing of what follows a command.
 */
const OWN_SLASH = ['devices', 'device', 'packages', 'scan', 'patch', 'reboot'] as const;

/** Slack's limit for the name of a slash command, its slash included (manifest schema). */
const LONGEST_SLASH = 32;

/** What may stand for `/fleet`: short enough that the longest name made of it fits. */
export const ROOT_FORM = new RegExp(
  `^/[a-z0-9][a-z0-9_-]{0,${LONGEST_SLASH - 2 - Math.max(...OWN_SLASH.map((name) => name.length + 1))}}$`,
);

export type SlashCommand = {
  /** As it is typed. */
  readonly slash: string;
  /** The subcommand that it stands for; null: the first word of the text says that. */
  readonly subcommand: string | null;
};

/** Every slash command of the app. */
export function slashCommands(root: string): readonly SlashCommand[] {
  return [
    { slash: root, subcommand: null },
    ...OWN_SLASH.map((subcommand) => ({ slash: `${root}-${subcommand}`, subcommand })),
  ];
}
