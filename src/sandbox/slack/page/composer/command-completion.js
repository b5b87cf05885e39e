/** Completions for a line in the composer. */
/** @import { ManifestCommand } from '../types.d.ts' */
/** @import { UsageWord } from './usage-hint.js' */
import { parseUsageHint } from './usage-hint.js';

/**
 * @typedef {object} CompletionItem
 * @property {string} line what the composer holds once it is taken
 * @property {string} label
 * @property {string} about
 */

/**
 * @typedef {object} Completions
 * @property {readonly CompletionItem[]} suggestions
 * @property {string | null} hint what the command being written takes
 * @property {string | null} tip where to read more than the hint says
 * @property {boolean} isPartial the line is the beginning of a command and none yet, so Enter completes it
 */

/** @type {Completions} */
export const NO_COMPLETIONS = { suggestions: [], hint: null, tip: null, isPartial: false };

const HELP_COMPLETIONS = 'help';

/**
 * @param {string} line up to the cursor
 * @param {readonly ManifestCommand[]} commands
 * @returns {Completions}
 */
export function completionsFor(line, commands) {
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

/**
 * @param {string} word
 * @param {readonly ManifestCommand[]} commands
 * @returns {Completions}
 */
function commandHelp(word, commands) {
  const fitting = commands.filter(({ command }) => command.startsWith(word));
  const suggestions = fitting.map(({ command, usageHint, description }) => ({
    line: `${command} `,
    label: command,
    about: [usageHint, description].filter((each) => each !== '').join(' — '),
  }));
  const isPartial = fitting.length > 0 && !commands.some(({ command }) => command === word);
  return { suggestions, hint: null, tip: null, isPartial };
}

/**
 * @param {ManifestCommand} command
 * @param {readonly UsageWord[]} usages
 * @param {string} part
 * @returns {readonly CompletionItem[]}
 */
function wordsFor({ command }, usages, part) {
  const fitting = usages.filter(({ word }) => word.startsWith(part.toLowerCase()));
  return fitting.map(({ word, rest }) => ({
    line: `${command} ${word} `,
    label: `${command} ${word}`,
    about: rest,
  }));
}

/**
 * Slack shows only the manifest's text for a command, so the tip points to the command's own help where the hint lists
 * `help`.
 * @param {ManifestCommand} command
 * @param {readonly UsageWord[]} usages
 * @param {string} part the subcommand, in small letters
 */
function tipFor({ command }, usages, part) {
  const has = (/** @type {string} */ name) => usages.some(({ word }) => word === name);
  if (!has(HELP_COMPLETIONS) || part === HELP_COMPLETIONS) return null;
  if (has(part)) return `Type ${command} ${HELP_COMPLETIONS} ${part} for usage`;
  const isUnknown = !usages.some(({ word }) => word.startsWith(part));
  return isUnknown ? `Type ${command} ${HELP_COMPLETIONS} to see all commands` : null;
}

/**
 * @param {ManifestCommand} command
 * @param {readonly UsageWord[]} usages
 * @param {string} sub
 */
function usageOf({ command }, usages, sub) {
  const usage = usages.find(({ word }) => word === sub.toLowerCase());
  return usage && usage.rest !== '' ? `${command} ${usage.word} ${usage.rest}` : null;
}

/** @param {ManifestCommand} command */
const hintOf = ({ command, usageHint, description }) => `${command} ${usageHint || description}`.trim();

/** Reads what a person typed: a slash command, or a message. The workspace adds mentions and escapes the rest. */

/**
 * @param {string} line
 * @returns {{command: string, text: string} | null} null for what is no command
 */
export function parseSlashCommand(line) {
  const match = /^(\/[^\s/]+)(?:\s+([\s\S]*))?$/.exec(line);
  return match ? { command: match[1] ?? '', text: (match[2] ?? '').trim() } : null;
}
