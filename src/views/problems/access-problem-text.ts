/** The wording of what a person's role does not allow. */

import { typedCommand } from '../kit/command-buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md } from '../kit/escape.ts';
import { mentionPeople } from '../kit/mentions.ts';
import type { Problem } from '../models/problem-model.ts';
import type { ProblemWords } from './problem-parts.ts';

type AccessProblem = Extract<Problem, { kind: 'not-allowed' | 'personal' | 'rights-unknown' }>;

export function accessProblemText(problem: AccessProblem, root: string): ProblemWords {
  switch (problem.kind) {
    case 'not-allowed':
      return {
        what: roleNeeded(problem, root),
        next:
          problem.command === undefined
            ? md`Ask ${mentionPeople(problem.ask ?? [])} for this role.`
            : md`Ask ${mentionPeople(problem.ask ?? [])} for it.`,
      };
    case 'personal':
      return {
        what: md`${inlineCode(problem.what)} searches personal data. Users, serial numbers and addresses need the ${escapeMrkdwn(problem.needed)} role or higher.`,
        next: md`Search by name, group or tag instead.`,
      };
    case 'rights-unknown':
      return {
        what: md`Slack didn’t say which user groups you’re in, so your role is unknown.`,
        next: md`Try again in a minute.`,
      };
  }
}

function roleNeeded(
  { need, role, command }: Extract<Problem, { kind: 'not-allowed' }>,
  root: string,
): Mrkdwn {
  const yours = role === null ? md`you have no role` : md`you’re ${article(role)} ${escapeMrkdwn(role)}`;
  return command === undefined
    ? md`You need the ${escapeMrkdwn(need)} role (${yours}).`
    : md`${typedCommand(root, command)} needs the ${escapeMrkdwn(need)} role (${yours}).`;
}

function article(role: string): Mrkdwn {
  return /^[aeiou]/.test(role) ? md`an` : md`a`;
}
