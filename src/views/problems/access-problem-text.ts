/** The wording of what a person's role does not allow. */

import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { mentionPeople } from '../kit/mentions.ts';
import type { ProblemOf, ProblemTable } from './problem-parts.ts';

export const ACCESS_PROBLEMS = {
  'not-allowed': (problem, root) => {
    const people = mentionPeople(problem.ask ?? []);
    return {
      what: roleNeeded(problem, root),
      next: problem.command === undefined ? md`Ask ${people} for this role.` : md`Ask ${people} for it.`,
    };
  },
  personal: ({ what, needed }) => ({
    what: md`${inlineCode(what)} searches personal data. Users, serial numbers and addresses need the ${escapeMrkdwn(needed)} role or higher.`,
    next: md`Search by name, group or tag instead.`,
  }),
  'rights-unknown': () => ({
    what: md`Slack didn’t say which user groups you’re in, so your role is unknown.`,
    next: md`Try again in a minute.`,
  }),
} satisfies Partial<ProblemTable>;

function roleNeeded({ need, role, command }: ProblemOf<'not-allowed'>, root: string): Mrkdwn {
  const yours = role === null ? md`you have no role` : md`you’re ${article(role)} ${escapeMrkdwn(role)}`;
  return command === undefined
    ? md`You need the ${escapeMrkdwn(need)} role (${yours}).`
    : md`${typedCommand(root, command)} needs the ${escapeMrkdwn(need)} role (${yours}).`;
}

function article(role: string): Mrkdwn {
  return /^[aeiou]/.test(role) ? md`an` : md`a`;
}
