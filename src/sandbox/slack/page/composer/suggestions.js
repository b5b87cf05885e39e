/** What can be completed in a line of the composer. */
/** @import { Command } from '../types.d.ts' */
/** @import { Usage } from './usage.js' */
import { readUsage } from './usage.js';

/**
 * @typedef {object} Suggestion
 * @property {string} line what the composer holds once it is taken
 * @property {string} label
 * @property {string} about
 */

/**
 * @typedef {object} Help
 * @property {readonly Suggestion[]} suggestions
 * @property {string | null} hint what the command being written takes
 * @property {string | null} tip where to read more than the hint says
 * @property {boolean} isPartial the line is the beginning of a command and none yet, so Enter completes it
 */

/** @type {Help} */
export const NO_HELP = { suggestions: [], hint: null, tip: null, isPartial: false };

const HELP = 'help';

/**
 * @param {string} line up to the cursor
 * @param {readonly Command[]} commands
 * @returns {Help}
 */
export function helpFor(line, commands) {
  const [, word = '', space, part = '', more] = /^(\/\S*)(?:(\s+)(\S*)(\s[\s\S]*)?)?$/.exec(line) ?? [];
  if (word === '') return NO_HELP;
  if (space === undefined) return commandHelp(word, commands);
  const command = commands.find((each) => each.command === word);
  if (!command) return NO_HELP;
  const usages = readUsage(command.usageHint);
  const tip = tipFor(command, usages, part.toLowerCase());
  // While a subcommand's own words are being written, its usage stays in sight.
  if (more !== undefined) return { ...NO_HELP, hint: usageOf(command, usages, part), tip };
  return { suggestions: wordsFor(command, usages, part), hint: hintOf(command), tip, isPartial: false };
}

/**
 * @param {string} word
 * @param {readonly Command[]} commands
 * @returns {Help}
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
 * @param {Command} command
 * @param {readonly Usage[]} usages
 * @param {string} part
 * @returns {readonly Suggestion[]}
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
 * Slack shows of a command what its manifest says and no more, so the command itself is asked about the rest:
 * where the hint lists `help`.
 * @param {Command} command
 * @param {readonly Usage[]} usages
 * @param {string} part the subcommand, in small letters
 */
function tipFor({ command }, usages, part) {
  const has = (/** @type {string} */ sought) => usages.some(({ word }) => word === sought);
  if (!has(HELP) || part === HELP) return null;
  if (has(part)) return `Type ${command} ${HELP} ${part} for usage`;
  const isUnknown = !usages.some(({ word }) => word.startsWith(part));
  return isUnknown ? `Type ${command} ${HELP} to see all commands` : null;
}

/**
 * @param {Command} command
 * @param {readonly Usage[]} usages
 * @param {string} sub
 */
function usageOf({ command }, usages, sub) {
  const usage = usages.find(({ word }) => word === sub.toLowerCase());
  return usage && usage.rest !== '' ? `${command} ${usage.word} ${usage.rest}` : null;
}

/** @param {Command} command */
const hintOf = ({ command, usageHint, description }) => `${command} ${usageHint || description}`.trim();
