/** Who may approve, where Slack gives user groups and where it does not. */
import { expect, it } from 'vitest';
import { findingText } from '../../src/doctor/finding.ts';
import { checkApprovers } from '../../src/doctor/slack.ts';
import { type PersonId, personId, type UserGroupId, userGroupId } from '../../src/lib/ids.ts';
import type { SlackResult } from '../../src/slack/web-api/slack-errors.ts';

const [ANN, BEN] = [personId('U0ANN'), personId('U0BEN')];
const TEAM = userGroupId('S0TEAM');

async function checked(
  approver: { readonly people?: readonly PersonId[]; readonly userGroups?: readonly UserGroupId[] },
  members: SlackResult<readonly PersonId[]> = { kind: 'ok', value: [] },
) {
  const nobody = { people: [], userGroups: [] };
  const roles = { viewer: nobody, operator: nobody, admin: nobody, approver: { ...nobody, ...approver } };
  const finding = await checkApprovers({ roles }, { userGroupMembers: async () => members });
  return findingText(finding).split('\n')[0];
}

it.each([
  [{ people: [ANN, BEN] }, 'ok    approvers: 2 people'],
  [{ people: [ANN] }, 'warn  approvers: 1 person'],
  [{}, 'fail  approvers: nobody can approve'],
])('counts those who are named: %j', async (approver, line) => {
  expect(await checked(approver)).toBe(line);
});

it('counts the members of a user group, each person once', async () => {
  const members = { kind: 'ok', value: [ANN, BEN] } as const;
  expect(await checked({ people: [ANN], userGroups: [TEAM] }, members)).toBe('ok    approvers: 2 people');
});

it.each([
  [[ANN, BEN], "warn  approvers: 2 people; can't read user group S0TEAM: missing_scope"],
  [[ANN], "fail  approvers: 1 person; can't read user group S0TEAM: missing_scope"],
])('knows those who are named by id also where their user group cannot be read', async (people, line) => {
  const refused = { kind: 'refused', error: 'missing_scope' } as const;
  expect(await checked({ people, userGroups: [TEAM] }, refused)).toBe(line);
});
