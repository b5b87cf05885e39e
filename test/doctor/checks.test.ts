import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseConfigurationFile } from '../../src/config/configuration-file.ts';
import { checkCards, sampleCards } from '../../src/doctor/cards.ts';
import { findingText } from '../../src/doctor/finding.ts';
import { checkQuorums, checkRuleGroups } from '../../src/doctor/rules.ts';
import {
  checkApprovers,
  checkChannels,
  checkMembers,
  checkSubscribedChannels,
} from '../../src/doctor/slack.ts';
import { instant } from '../../src/lib/clock.ts';
import {
  type ChannelId,
  channelId,
  type PersonId,
  personId,
  type UserGroupId,
  userGroupId,
} from '../../src/lib/ids.ts';
import { silentLog } from '../../src/lib/log.ts';
import type { SlackResult } from '../../src/slack/web-api/slack-errors.ts';
import { openStore } from '../../src/store/open.ts';
import { renderView } from '../../src/views/views.ts';
import { aGroup, START } from '../harness/builders.ts';
import { ANY } from '../harness/records.ts';
import { ORGANIZATION } from '../store/builders.ts';
import { slackAnswering } from './slack-answering.ts';

/** A Slack that answers each card in turn, the last answer for all further ones. */
async function slackThat(...answers: readonly object[]) {
  const asked: string[] = [];
  const { reads } = await slackAnswering((path, call) => {
    const answer = answers[Math.min(asked.length, answers.length - 1)] ?? {};
    asked.push(`${path} ${call.get('blocks')}`);
    return answer;
  });
  return { check: async () => findingText(await checkCards(reads)), asked };
}

const OK = { ok: true };

describe('the check of cards', () => {
  it('sends one card of each kind, none of which is empty', async () => {
    const cards = Object.values(sampleCards(START)).flat();
    const { check, asked } = await slackThat(OK);
    expect(await check()).toBe(`ok    Slack cards: Slack accepts all ${cards.length} sample cards`);
    expect(asked).toHaveLength(cards.length);
    for (const one of asked) expect(one).toMatch(/^\/blocks\.validate \[\{"type"/);
    expect(new Set(cards.map((card) => renderView(card).text)).size).toBe(cards.length);
  });

  it('names the first card that Slack rejects, and why', async () => {
    const problem = { pointer: '/0/text', code: 'failed_constraint', message: 'must be shorter' };
    const { check, asked } = await slackThat(OK, { ok: false, error: 'invalid_blocks', errors: [problem] });
    expect(await check()).toMatch(
      /^fail {2}Slack cards: Slack rejects the sample card "alert" \(\/0\/text: must be shorter\)\n {6}→ /,
    );
    expect(asked).toHaveLength(2);
  });

  it('only warns where this Slack does not have the method', async () => {
    const { check } = await slackThat({ ok: false, error: 'unknown_method' });
    expect(await check()).toMatch(/^warn {2}Slack cards: could not be checked: /);
  });
});

const [ANN, BEN] = [personId('U0ANN'), personId('U0BEN')];
const TEAM = userGroupId('S0TEAM');

async function approversLine(
  approver: { readonly people?: readonly PersonId[]; readonly userGroups?: readonly UserGroupId[] },
  members: SlackResult<readonly PersonId[]> = { kind: 'ok', value: [] },
) {
  const nobody = { people: [], userGroups: [] };
  const roles = { viewer: nobody, operator: nobody, admin: nobody, approver: { ...nobody, ...approver } };
  const finding = await checkApprovers({ roles }, { userGroupMembers: async () => members });
  return findingText(finding).split('\n')[0];
}

describe('approvers', () => {
  it.each([
    [{ people: [ANN, BEN] }, 'ok    approvers: 2 people'],
    [{ people: [ANN] }, 'warn  approvers: 1 person'],
    [{}, 'fail  approvers: nobody can approve'],
  ])('counts those who are named: %j', async (approver, line) => {
    expect(await approversLine(approver)).toBe(line);
  });

  it('counts the members of a user group, each person once', async () => {
    const members = { kind: 'ok', value: [ANN, BEN] } as const;
    expect(await approversLine({ people: [ANN], userGroups: [TEAM] }, members)).toBe(
      'ok    approvers: 2 people',
    );
  });

  it.each([
    [[ANN, BEN], "warn  approvers: 2 people; can't read user group S0TEAM: missing_scope"],
    [[ANN], "fail  approvers: 1 person; can't read user group S0TEAM: missing_scope"],
  ])('knows those who are named by id also where their user group cannot be read', async (people, line) => {
    const refused = { kind: 'refused', error: 'missing_scope' } as const;
    expect(await approversLine({ people, userGroups: [TEAM] }, refused)).toBe(line);
  });
});

const OPS = channelId('C0OPS');

async function channelLines(flags: object, externalChannels: 'allow' | readonly (typeof OPS)[] = []) {
  const channel = { id: OPS, name: 'ops', is_member: true, ...flags };
  const { reads } = await slackAnswering(() => ({ ok: true, channel }));
  const channels = { approvals: OPS, patchAlerts: OPS, newDevices: OPS };
  const findings = await checkChannels({ channels, externalChannels, personalChannels: [] }, reads);
  return [...new Set(findings.map((finding) => findingText(finding).replace(/channels\.\w+/, 'channel')))];
}

describe('the channels of the configuration file', () => {
  it.each([
    { is_ext_shared: true },
    { is_ext_shared: false, is_pending_ext_shared: true },
    { is_ext_shared: false, connected_team_ids: ['T2'] },
    { is_ext_shared: false, pending_connected_team_ids: ['T2'] },
  ])('warns of a channel whose alerts would be held back: %j', async (flags) => {
    const [finding, ...others] = await channelLines(flags);
    expect(finding).toMatch(/^warn +channel: #ops is shared with another organization/);
    expect(others).toEqual([]);
    for (const allowed of ['allow', [OPS]] as const)
      expect(await channelLines(flags, allowed)).toEqual([expect.stringMatching(/^ok/)]);
  });

  it.each([{ is_ext_shared: false, is_shared: true, is_org_shared: true }, {}])(
    'warns of no other: %j',
    async (flags) => {
      expect(await channelLines(flags)).toEqual([expect.stringMatching(/^ok +channel: the bot is in #ops/)]);
    },
  );

  it('names the line of each channel, also of those for personal data', async () => {
    const { reads } = await slackAnswering(() => ({ ok: false, error: 'channel_not_found' }));
    const personal = channelId('C0PEOPLE');
    const lines = new Map([
      [OPS, [4, 5, 6]],
      [personal, [9]],
    ]);
    const channels = { approvals: OPS, patchAlerts: OPS, newDevices: OPS };
    const configuration = { channels, personalChannels: [personal], externalChannels: [], lines };
    const names = (await checkChannels(configuration, reads)).map(({ status, name }) => `${status} ${name}`);
    expect(names).toEqual([
      'fail channels.approvals, line 4 and 5 and 6',
      'fail channels.patchAlerts, line 4 and 5 and 6',
      'fail channels.newDevices, line 4 and 5 and 6',
      'fail personalChannels, line 9',
    ]);
  });
});

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

async function memberLines(roles: string, groups: object = { ok: true, usergroups: GROUPS }) {
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

describe('people and user groups of the configuration file', () => {
  it('is content with people and groups that Slack knows', async () => {
    expect(await memberLines('roles:\n  approver: [U0ANN, S0TEAM]')).toEqual([
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
    const found = (await memberLines(roles)).map((text) => text.split('\n')[0]);
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
    expect(await memberLines('otherTeams: [T02]\nroles:\n  approver: [U0FAR]')).toEqual([
      expect.stringMatching(/^ok/),
    ]);
  });

  it('says so where Slack does not show user groups', async () => {
    const found = await memberLines('roles:\n  approver: [S0TEAM]', { ok: false, error: 'missing_scope' });
    expect(found).toEqual([expect.stringMatching(/^fail {2}user groups: missing_scope/)]);
  });
});

const CHANNELS = {
  approvals: channelId('C0APPROVALS'),
  patchAlerts: channelId('C0ALERTS'),
  newDevices: channelId('C0NEW'),
};

/** What is said, and the channels that Slack was asked about; all of them are shared with another organization. */
async function subscribedLines(
  subscribed: readonly string[],
  externalChannels: 'allow' | readonly ChannelId[] = [],
) {
  const folder = mkdtempSync(join(tmpdir(), 'patchbay-doctor-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const database = { kind: 'sqlite', path: join(folder, 'patchbay.sqlite') } as const;
  const store = await openStore({ database, organizationId: ORGANIZATION });
  for (const name of subscribed) {
    const given = { kinds: ['patch-failed'] as const, filter: ANY, createdBy: BEN, createdAt: instant(1) };
    await store.subscriptions.add({ ...given, channel: channelId(name), person: null });
  }
  await store.close();
  const asked: string[] = [];
  const { slack } = await slackAnswering((_path, call) => {
    asked.push(call.get('channel') ?? '');
    return { ok: true, channel: { id: 'C', is_ext_shared: true } };
  });
  const config = { database, slack, configuration: { channels: CHANNELS, externalChannels } };
  const said = (await checkSubscribedChannels(config, silentLog)).map(findingText).join('\n');
  return { said, asked };
}

describe('channels that alerts go to by subscription', () => {
  it('says which subscribed channels are shared with another organization', async () => {
    const { said, asked } = await subscribedLines(['C0OPS', 'C0OPS', 'C0ALERTS', 'U0BEN', 'D0BEN']);
    expect(said).toContain('C0OPS is shared with another organization: its alerts are held back');
    expect(asked).toEqual(['C0OPS']);
  });

  it('asks about a few dozen channels at the most', async () => {
    const { asked } = await subscribedLines(Array.from({ length: 60 }, (_, at) => `C0${100 + at}`));
    expect(asked).toHaveLength(40);
  });

  it('asks nothing about channels that are allowed, and says that nothing is held back', async () => {
    for (const allowed of ['allow', [channelId('C0OPS')]] as const) {
      expect(await subscribedLines(['C0OPS'], allowed)).toMatchObject({
        asked: [],
        said: expect.stringMatching(/^ok/),
      });
    }
  });

  it('says nothing where nothing is subscribed', async () => {
    expect(await subscribedLines([])).toEqual({ said: '', asked: [] });
  });
});

describe('approval rules', () => {
  const HEAD = `roles: {operator: [S01], approver: [U01, U02, S02]}\nchannels: {approvals: C01, patchAlerts: C02, newDevices: C03}\n`;
  const fileOf = (lines: string) => {
    const read = parseConfigurationFile(`${HEAD}${lines}`);
    if (read.kind === 'faults') throw new Error(read.faults.join('\n'));
    return read.configuration;
  };
  const members = { userGroupMembers: async () => ({ kind: 'ok', value: [personId('U03')] }) as const };
  const groups = {
    async *groups() {
      yield { rows: [aGroup({ name: 'Kiosks' })], total: 1, unreadable: 0 };
    },
  };

  it.each([
    ['rules: [{ name: two, approvers: [S02], approvals: 2 }]', 'fail', 'rule two needs 2 of 1 people'],
    ['rules: [{ name: two, approvers: [U01, S02], approvals: 2 }]', 'warn', 'rule two needs 2 of 2 people'],
    ['otherwise: { approvers: [S02] }', 'warn', 'otherwise needs 1 of 1 people'],
  ])('%s: %s, %s', async (lines, status, seen) => {
    expect(await checkQuorums(fileOf(lines), members)).toMatchObject([{ status, seen }]);
  });

  it('that enough people can agree to are no finding, and an unread group is one', async () => {
    const file = fileOf('rules: [{ name: one, approvers: [U01, S02] }]');
    expect(await checkQuorums(file, members)).toEqual([]);
    const unread = { userGroupMembers: async () => ({ kind: 'refused', error: 'no_such_subteam' }) as const };
    expect(await checkQuorums(file, unread)).toMatchObject([
      { status: 'warn', seen: expect.stringContaining('S02') },
    ]);
  });

  it('name groups that the fleet has, or are warned of', async () => {
    const there = fileOf('rules: [{ name: k, when: { devices: "group:Kiosks" } }]');
    expect(await checkRuleGroups(there, groups)).toMatchObject([{ status: 'ok', seen: '1 in force' }]);
    const gone = fileOf('rules: [{ name: g, when: { devices: "group:Gone" } }]');
    expect(await checkRuleGroups(gone, groups)).toMatchObject([
      { status: 'warn', seen: "rule g names the group Gone, which the fleet doesn't have" },
    ]);
    expect(await checkRuleGroups(fileOf(''), groups)).toEqual([]);
  });
});
