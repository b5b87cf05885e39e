/** What the doctor says of the channels that alerts go to by subscription. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { findingText } from '../../src/doctor/finding.ts';
import { checkSubscribedChannels } from '../../src/doctor/slack.ts';
import { instant } from '../../src/lib/clock.ts';
import { type ChannelId, channelId, personId } from '../../src/lib/ids.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openStore } from '../../src/store/open.ts';
import { ORGANIZATION } from '../store/builders.ts';
import { slackAnswering } from './slack-answering.ts';

const CHANNELS = {
  approvals: channelId('C0APPROVALS'),
  patchAlerts: channelId('C0ALERTS'),
  newDevices: channelId('C0NEW'),
};
const BEN = personId('U0BEN');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'patchbay-doctor-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** What is said, and the channels that Slack was asked about; all of them are shared with another organization. */
async function checked(subscribed: readonly string[], externalChannels: 'allow' | readonly ChannelId[] = []) {
  const database = { kind: 'sqlite', path: join(folder, 'patchbay.sqlite') } as const;
  const store = await openStore({ database, organizationId: ORGANIZATION });
  for (const name of subscribed) {
    const filter = { group: null, policy: null, tag: null, os: null };
    const given = { kinds: ['patch-failed'] as const, filter, createdBy: BEN, createdAt: instant(1) };
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

it('says which subscribed channels are shared with another organization', async () => {
  const { said, asked } = await checked(['C0OPS', 'C0OPS', 'C0ALERTS', 'U0BEN', 'D0BEN']);
  expect(said).toContain('C0OPS is shared with another organization: its alerts are held back');
  expect(asked).toEqual(['C0OPS']);
});

it('asks about a few dozen channels at the most', async () => {
  const { asked } = await checked(Array.from({ length: 60 }, (_, at) => `C0${100 + at}`));
  expect(asked).toHaveLength(40);
});

it('asks nothing about channels that are allowed, and says that nothing is held back', async () => {
  for (const allowed of ['allow', [channelId('C0OPS')]] as const) {
    expect(await checked(['C0OPS'], allowed)).toMatchObject({
      asked: [],
      said: expect.stringMatching(/^ok/),
    });
  }
});

it('says nothing where nothing is subscribed', async () => {
  expect(await checked([])).toEqual({ said: '', asked: [] });
});
