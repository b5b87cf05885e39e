/** Completions for a line in the composer. */
import type { ManifestCommand } from '../types.ts';
import { parseUsageHint, type UsageWord } from './usage-hint.ts';

type CompletionItem = {
  /** What the composer holds once it is taken. */
  readonly line: string;
  readonly label: string;
  readonly about: string;
};

export type Completions = {
  readonly suggestions: readonly CompletionItem[];
  /** What the command being written takes. */
  readonly hint: string | null;
  /** Where to read more than the hint says. */
  readonly tip: string | null;
  /** The line is the beginning of a command and none yet, so Enter completes it. */
  readonly isPartial: boolean;
};

export const NO_COMPLETIONS: Completions = { suggestions: [], hint: null, tip: null, isPartial: false };

const HELP_COMPLETIONS = 'help';

/** `line`: the text before the cursor. */
export function completionsFor(line: string, commands: readonly ManifestCommand[]): Completions {
  const [, word = '', space, part = '', more] = /^(\/\S*)(?:(\s+)(\S*)(\s[\s\S]*)?)?$/.exec(line) ?? [];
  if (word === '') return NO_COMPLETIONS;
  if (space === undefined) return commandHelp(word, commands);
  const command = commands.find((each) => each.command === word);
  if (!command) return NO_COMPLETIONS;
  const usages = parseUsageHint(command.usageHint);
  const tip = tipFor(command, usages, part.toLowerCase());
  // While a subcommand's arguments are typed, its usage stays visible.
  if (more !== undefined) return { ...NO_COMPLETIONS, hint: usageOf(command, usages, part), tip };
  return { suggestions: wordsFor(command, usages, part), hint: hintOf(command), tip, isPartial: false };
}

function commandHelp(word: string, commands: readonly ManifestCommand[]): Completions {
  const fitting = commands.filter(({ command }) => command.startsWith(word));
  const suggestions = fitting.map(({ command, usageHint, description }) => ({
    line: `${command} `,
    label: command,
    about: [usageHint, description].filter((each) => each !== '').join(' — '),
  }));
  const isPartial = fitting.length > 0 && !commands.some(({ command }) => command === word);
  return { suggestions, hint: null, tip: null, isPartial };
}

function wordsFor(
  { command }: ManifestCommand,
  usages: readonly UsageWord[],
  part: string,
): readonly CompletionItem[] {
  const fitting = usages.filter(({ word }) => word.startsWith(part.toLowerCase()));
  return fitting.map(({ word, rest }) => ({
    line: `${command} ${word} `,
    label: `${command} ${word}`,
    about: rest,
  }));
}

/**
 * Slack shows only the manifest's text for a command, so the tip points to the command's own help where the hint lists
 * `help`. `part`: the subcommand, in lower case.
 */
function tipFor({ command }: ManifestCommand, usages: readonly UsageWord[], part: string) {
  const has = (name: string) => usages.some(({ word }) => word === name);
  if (!has(HELP_COMPLETIONS) || part === HELP_COMPLETIONS) return null;
  if (has(part)) return `Type ${command} ${HELP_COMPLETIONS} ${part} for usage`;
  const isUnknown = !usages.some(({ word }) => word.startsWith(part));
  return isUnknown ? `Type ${command} ${HELP_COMPLETIONS} to see all commands` : null;
}

function usageOf({ command }: ManifestCommand, usages: readonly UsageWord[], sub: string) {
  const usage = usages.find(({ word }) => word === sub.toLowerCase());
  return usage && usage.rest !== '' ? `${command} ${usage.word} ${usage.rest}` : null;
}

const hintOf = ({ command, usageHint, description }: ManifestCommand) =>
  `${command} ${usageHint || description}`.trim();

/** Null for text that is no command; the workspace adds mentions to it and escapes the rest. */
export function parseSlashCommand(line: string): { command: string; text: string } | null {
  const match = /^(\/[^\s/]+)(?:\s+([\s\S]*))?$/.exec(line);
  return match ? { command: match[1] ?? '', text: (match[2] ?? '').trim() } : null;
}
