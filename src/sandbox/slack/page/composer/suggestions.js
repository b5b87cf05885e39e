/** What can be completed in a line of the composer. */
/** @import { Command } from '../types.d.ts' */
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
 * @property {boolean} isPartial the line is the beginning of a command and none yet, so Enter completes it
 */

/** @type {Help} */
export const NO_HELP = { suggestions: [], hint: null, isPartial: false };

/**
 * @param {string} line up to the cursor
 * @param {readonly Command[]} commands
 * @returns {Help}
 */
export function helpFor(line, commands) {
  const match = /^(\/\S*)(?:(\s+)(\S*))?$/.exec(line);
  if (!match) return { ...NO_HELP, hint: hintFor(line, commands) };
  const [, word = '', space, part = ''] = match;
  if (space === undefined) return commandHelp(word, commands);
  const command = commands.find((each) => each.command === word);
  if (!command) return NO_HELP;
  const usages = readUsage(command.usageHint).filter((usage) => usage.word.startsWith(part.toLowerCase()));
  const suggestions = usages.map((usage) => ({
    line: `${word} ${usage.word} `,
    label: `${word} ${usage.word}`,
    about: usage.rest,
  }));
  return { suggestions, hint: hintOf(command), isPartial: false };
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
  return { suggestions, hint: null, isPartial };
}

/**
 * While a subcommand's own words are being written, its usage stays in sight.
 * @param {string} line
 * @param {readonly Command[]} commands
 */
function hintFor(line, commands) {
  const [, word = '', sub = ''] = /^(\/\S+)\s+(\S+)/.exec(line) ?? [];
  const command = commands.find((each) => each.command === word);
  const usage = command && readUsage(command.usageHint).find((each) => each.word === sub);
  return command && usage ? `${word} ${usage.word} ${usage.rest}`.trim() : null;
}

/** @param {Command} command */
const hintOf = ({ command, usageHint, description }) => `${command} ${usageHint || description}`.trim();
