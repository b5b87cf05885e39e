/** Completions for a line in the composer: commands and their words, and names after @ and #, as Slack has them. */
import type { ManifestCommand, State } from '../types.ts';

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

const HELP = 'help';

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
  if (!has(HELP) || part === HELP) return null;
  if (has(part)) return `Type ${command} ${HELP} ${part} for usage`;
  const isUnknown = !usages.some(({ word }) => word.startsWith(part));
  return isUnknown ? `Type ${command} ${HELP} to see all commands` : null;
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

export type Named = { sign: '@' | '#'; name: string; about: string };

/** The bot's name in typed mentions. */
const BOT_HANDLE = 'patchbay';
const MAX_ROWS = 8;

/** All names in the workspace that this person may know. */
export function mentionableNames({
  world,
  conversations,
}: Pick<State, 'world' | 'conversations'>): readonly Named[] {
  const own = conversations.filter(({ kind }) => kind === 'private');
  return [
    ...(world?.users ?? []).map(({ name, role }) => named('@', name, role)),
    named('@', BOT_HANDLE, 'app'),
    ...(world?.userGroups ?? []).map(({ handle }) => named('@', handle, 'group')),
    ...[...(world?.channels ?? []), ...own].map(({ name }) => named('#', name, '')),
  ];
}

const named = (sign: Named['sign'], name: string, about: string): Named => ({ sign, name, about });

/** `line`: the text before the cursor. Null where no name is being typed. */
export function mentionCompletions(line: string, names: readonly Named[]): Completions | null {
  const [, sign, part = ''] = /(?:^|[\s(])([@#])([\w.-]*)$/.exec(line) ?? [];
  const fitting = names.filter((each) => each.sign === sign && each.name.startsWith(part.toLowerCase()));
  const isWhole = fitting.some(({ name }) => name === part.toLowerCase());
  if (fitting.length === 0 || (isWhole && fitting.length === 1)) return null;
  const before = line.slice(0, line.length - part.length);
  const suggestions = fitting
    .slice(0, MAX_ROWS)
    .map(({ name, about }) => ({ line: `${before}${name} `, label: `${sign}${name}`, about }));
  return { suggestions, hint: null, tip: null, isPartial: part !== '' && !isWhole };
}

type UsageWord = {
  /** The subcommand, such as `device`. */
  readonly word: string;
  /** What follows it, such as `<name>`. */
  readonly rest: string;
};

/**
 * Reads `device <name> | devices [filter] | help` as well as `[device|devices|help] …`. Anything but a plain word (a
 * placeholder, an ellipsis) suggests nothing.
 */
export function parseUsageHint(hint: string): readonly UsageWord[] {
  const { body, tail } = unwrapped(hint.trim());
  return alternatives(body).flatMap((part) => {
    const match = /^([a-z][a-z0-9-]*)(?:\s+(.*))?$/i.exec(part.trim());
    return match ? [{ word: match[1] ?? '', rest: match[2] ?? tail }] : [];
  });
}

/** Removes the brackets around a list of alternatives. */
function unwrapped(hint: string) {
  const match = /^[[({<]([^[\](){}<>]*\|[^[\](){}<>]*)[\])}>]\s*(.*)$/.exec(hint);
  return match ? { body: match[1] ?? '', tail: match[2] ?? '' } : { body: hint, tail: '' };
}

/** Splits at `|`, except inside brackets. */
function alternatives(text: string) {
  const parts = [''];
  let depth = 0;
  for (const letter of text) {
    if ('[({<'.includes(letter)) depth += 1;
    if ('])}>'.includes(letter)) depth -= 1;
    if (letter === '|' && depth === 0) parts.push('');
    else parts.push(`${parts.pop() ?? ''}${letter}`);
  }
  return parts;
}
