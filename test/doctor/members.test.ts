/** People and user groups of the configuration file, against what Slack says of them. */
import { expect, it } from 'vitest';
import { parseConfigurationFile } from '../../src/config/configuration-file.ts';
import { findingText } from '../../src/doctor/finding.ts';
import { checkMembers } from '../../src/doctor/slack.ts';
import { slackAnswering } from './slack-answering.ts';

const USERS: Readonly<Record<string, object>> = {
  U0ANN: { id: 'U0ANN', team_id: 'T1' },
  U0GONE: { id: 'U0GONE', team_id: 'T1', deleted: true },
  U0BOT: { id: 'U0BOT', team_id: 'T1', is_bot: true },
  U0FAR: { id: 'U0FAR', team_id: 'T02' },
};
const GROUPS = [
  { id: 'S0TEAM', team_id: 'T1', date_delete: 0 },
  { id: 'S0OLD', team_id: 'T1', date_delete: 1_700_000_000 },
];

async function checked(roles: string, groups: object = { ok: true, usergroups: GROUPS }) {
  const read = parseConfigurationFile(
    `${roles}\nchannels: {approvals: C01, patchAlerts: C02, newDevices: C03}\n`,
  );
  if (read.kind !== 'configuration') throw new Error(read.faults.join());
  const { reads } = await slackAnswering((path, call) => {
    if (path.includes('usergroups.list')) return groups;
    const user = USERS[call.get('user') ?? ''];
    return user === undefined ? { ok: false, error: 'user_not_found' } : { ok: true, user };
  });
  const home = { teamId: 'T1', enterpriseId: null };
  return (await checkMembers({ configuration: read.configuration, reads, home })).map(findingText);
}

it('is content with people and groups that Slack knows', async () => {
  expect(await checked('roles:\n  approver: [U0ANN, S0TEAM]')).toEqual([
    'ok    roles: 1 person and 1 user group, all found in Slack',
  ]);
});

it('names each fault with its line in the file', async () => {
  const roles = `# U0NOBODY is named below
roles:
  viewer: [U0GONE, U0BOT]
  operator:
    - U0FAR
    - U0NOBODY
  approver: [U0ANN, S0OLD]
  admin: [S0NONE]`;
  const found = (await checked(roles)).map((text) => text.split('\n')[0]);
  expect(found).toEqual([
    'warn  roles.viewer, line 3: U0GONE is deactivated in Slack',
    'warn  roles.viewer, line 3: U0BOT is a bot, not a person',
    'warn  roles.operator, line 5: U0FAR belongs to another team (T02), so it gives no role here',
    'fail  roles.operator, line 6: U0NOBODY is not in this workspace',
    'warn  roles.approver, line 7: S0OLD is disabled in Slack',
    'fail  roles.admin, line 8: S0NONE is not a user group of this workspace',
  ]);
});

it('lets people of teams pass that the file names', async () => {
  expect(await checked('otherTeams: [T02]\nroles:\n  approver: [U0FAR]')).toEqual([
    expect.stringMatching(/^ok/),
  ]);
});

it('says so where Slack does not show user groups', async () => {
  const found = await checked('roles:\n  approver: [S0TEAM]', { ok: false, error: 'missing_scope' });
  expect(found).toEqual([expect.stringMatching(/^fail {2}user groups: missing_scope/)]);
});
