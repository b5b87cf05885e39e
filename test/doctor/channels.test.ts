/** Channels of the configuration file, against what Slack says of them. */
import { expect, it } from 'vitest';
import { findingText } from '../../src/doctor/finding.ts';
import { checkChannels } from '../../src/doctor/slack.ts';
import { channelId } from '../../src/lib/ids.ts';
import { slackAnswering } from './slack-answering.ts';

const OPS = channelId('C0OPS');

async function checked(flags: object, externalChannels: 'allow' | readonly (typeof OPS)[] = []) {
  const channel = { id: OPS, name: 'ops', is_member: true, ...flags };
  const { reads } = await slackAnswering(() => ({ ok: true, channel }));
  const channels = { approvals: OPS, patchAlerts: OPS, newDevices: OPS };
  const findings = await checkChannels({ channels, externalChannels, personalChannels: [] }, reads);
  return [...new Set(findings.map((finding) => findingText(finding).replace(/channels\.\w+/, 'channel')))];
}

it.each([
  { is_ext_shared: true },
  { is_ext_shared: false, is_pending_ext_shared: true },
  { is_ext_shared: false, connected_team_ids: ['T2'] },
  { is_ext_shared: false, pending_connected_team_ids: ['T2'] },
])('warns of a channel whose alerts would be held back: %j', async (flags) => {
  const [finding, ...others] = await checked(flags);
  expect(finding).toMatch(/^warn +channel: #ops is shared with another organization/);
  expect(others).toEqual([]);
  for (const allowed of ['allow', [OPS]] as const)
    expect(await checked(flags, allowed)).toEqual([expect.stringMatching(/^ok/)]);
});

it.each([{ is_ext_shared: false, is_shared: true, is_org_shared: true }, {}])(
  'warns of no other: %j',
  async (flags) => {
    expect(await checked(flags)).toEqual([expect.stringMatching(/^ok +channel: the bot is in #ops/)]);
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
