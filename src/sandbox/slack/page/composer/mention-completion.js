/** Completes names of people, groups and channels after @ and #, as Slack does. */
/** @import { State } from '../types.d.ts' */
/** @import { Completions } from './command-completion.js' */

/** @typedef {{sign: '@' | '#', name: string, about: string}} Named */

/** The bot's name in typed mentions. */
const BOT_HANDLE = 'patchbay';
const MAX_ROWS = 8;

/**
 * All names in the workspace that this person may know.
 * @param {Pick<State, 'world' | 'conversations'>} state
 * @returns {readonly Named[]}
 */
export function mentionableNames({ world, conversations }) {
  const own = conversations.filter(({ kind }) => kind === 'private');
  return [
    ...(world?.users ?? []).map(({ name, role }) => matchingNames('@', name, role)),
    matchingNames('@', BOT_HANDLE, 'app'),
    ...(world?.userGroups ?? []).map(({ handle }) => matchingNames('@', handle, 'group')),
    ...[...(world?.channels ?? []), ...own].map(({ name }) => matchingNames('#', name, '')),
  ];
}

/** @param {Named['sign']} sign @param {string} name @param {string} about @returns {Named} */
const matchingNames = (sign, name, about) => ({ sign, name, about });

/**
 * @param {string} line up to the cursor
 * @param {readonly Named[]} names
 * @returns {Completions | null} null where no name is being written
 */
export function mentionCompletions(line, names) {
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
