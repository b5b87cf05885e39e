/** Channels that another organization reads. */
import { describe, expect, it } from 'vitest';
import { channelId, personId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { type ChannelReaders, createChannelReaders } from '../../../src/slack/access/external-channels.ts';
import { createShareAnswer } from '../../../src/slack/sharing/share-answer.ts';
import { createClients } from '../../../src/slack/web-api/clients.ts';
import { createSlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import { renderView } from '../../../src/views/views.ts';
import { slackAnswering } from '../../doctor/slack-answering.ts';

const OPS = channelId('C0OPS');

/** A Slack that answers `conversations.info` with this. */
async function reachIn(answer: object, allowed: 'allow' | readonly (typeof OPS)[] = []) {
  let requests = 0;
  const { slack } = await slackAnswering(() => {
    requests += 1;
    return answer;
  });
  const reachOf = createChannelReaders(createSlackWeb(createClients(slack, silentLog)), allowed);
  return { reach: await reachOf(OPS), asked: requests };
}
const channel = (flags: unknown) => ({ ok: true, channel: { id: OPS, ...(flags as object) } });

describe('the reach of a channel', () => {
  it.each<[string, unknown, ChannelReaders]>([
    ['shared with nobody', { is_ext_shared: false, is_pending_ext_shared: false }, 'internal'],
    [
      'shared within the enterprise',
      { is_ext_shared: false, is_shared: true, is_org_shared: true },
      'internal',
    ],
    ['shared', { is_ext_shared: true }, 'external'],
    ['offered to another organization', { is_ext_shared: false, is_pending_ext_shared: true }, 'external'],
    ['connected with another team', { is_ext_shared: false, connected_team_ids: ['T2'] }, 'external'],
    ['waiting for another team', { is_ext_shared: false, pending_connected_team_ids: ['T2'] }, 'external'],
    ['without flags', {}, 'unknown'],
  ])('%s', async (_, flags, expected) => {
    expect((await reachIn(channel(flags))).reach).toBe(expected);
  });

  it('is not known where Slack does not show the channel', async () => {
    expect((await reachIn({ ok: false, error: 'missing_scope' })).reach).toBe('unknown');
  });

  it.each([['allow' as const], [[OPS]]])('is not read where the file allows it (%s)', async (allowed) => {
    expect(await reachIn(channel({ is_ext_shared: true }), allowed)).toEqual({
      reach: 'internal',
      asked: 0,
    });
  });

  it('is read where the file allows another channel', async () => {
    const other = [channelId('C0OTHER')];
    expect((await reachIn(channel({ is_ext_shared: true }), other)).reach).toBe('external');
  });
});

describe('what is shared', () => {
  const view = { kind: 'silences', rows: [], asOf: 0 };
  it.each([
    ['external', /is shared with another organization/],
    ['unknown', /Slack didn’t say whether/],
  ] as const)('is refused in words where the reach is %s', async (reach, words) => {
    const said: unknown[] = [];
    const share = createShareAnswer(
      { runCommand: async () => ({ kind: 'shareable', view, share: true, file: false }) as never },
      {
        say: async (...given) => {
          said.push(given);
          return { kind: 'refused', error: 'not expected' };
        },
      },
      async () => reach,
    );
    const caller = { person: personId('U1'), channel: OPS };
    const answer = await share({ name: 'status', input: {}, page: 0, caller, requestKey: 'k' });
    expect(said).toEqual([]);
    expect(answer === null ? '' : renderView(answer).text).toMatch(words);
  });
});
