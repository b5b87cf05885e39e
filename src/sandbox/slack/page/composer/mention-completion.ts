/** Completes names of people, groups and channels after @ and #, as Slack does. */
import type { State } from '../types.ts';
import type { Completions } from './command-completion.ts';

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
    ...(world?.users ?? []).map(({ name, role }) => matchingNames('@', name, role)),
    matchingNames('@', BOT_HANDLE, 'app'),
    ...(world?.userGroups ?? []).map(({ handle }) => matchingNames('@', handle, 'group')),
    ...[...(world?.channels ?? []), ...own].map(({ name }) => matchingNames('#', name, '')),
  ];
}

const matchingNames = (sign: Named['sign'], name: string, about: string): Named => ({ sign, name, about });

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
