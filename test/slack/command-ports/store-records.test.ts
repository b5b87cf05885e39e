import { describe, expect, it } from 'vitest';
import { channelId, messageTs } from '../../../src/lib/ids.ts';
import { createRecordsReader, type RecordsOptions } from '../../../src/slack/command-ports/store-settings.ts';
import type { CardRecord } from '../../../src/store/port/records.ts';
import { ORGANIZATION, START } from '../../store/builders.ts';

const CARD: CardRecord = {
  organizationId: ORGANIZATION,
  key: 'approval:a_1',
  channel: channelId('C0APPROVALS'),
  fallbackPerson: null,
  postedChannel: channelId('D0DIRECT'),
  ts: messageTs('1.000001'),
  wantedRevision: 1,
  shownRevision: 1,
  failure: null,
};

const refuses = (): never => {
  throw new Error('only cards are read');
};

function linkTo(card: CardRecord | null): Promise<string | null> {
  const store: RecordsOptions['store'] = {
    requests: {
      insert: refuses,
      get: refuses,
      byRequestKey: refuses,
      replace: refuses,
      waveCounts: refuses,
      lockRequester: refuses,
      requestedSince: refuses,
      list: refuses,
    },
    targets: {
      of: refuses,
      onDevices: refuses,
      ofEach: refuses,
      countDueAfter: refuses,
      move: refuses,
      reset: refuses,
      refreeze: refuses,
      endReady: refuses,
      lastClaimAt: refuses,
      stillClaimed: refuses,
      claimable: refuses,
      due: refuses,
      followedOn: refuses,
      followedUntil: refuses,
      hasten: refuses,
      nextAt: refuses,
      open: refuses,
      endedSince: refuses,
    },
    audit: { append: refuses, appendAll: refuses, list: refuses, latest: refuses },
    pause: {
      get: refuses,
      currentOrEndedSince: refuses,
      current: refuses,
      lockAndRead: refuses,
      begin: refuses,
      setReason: refuses,
      end: refuses,
    },
    cards: {
      get: async (key) => (card?.key === key ? card : null),
      enqueue: refuses,
      enqueueUpdate: refuses,
      recordPosted: refuses,
      recordEdited: refuses,
      recordRemoved: refuses,
      giveUp: refuses,
      resumeUnposted: refuses,
    },
  };
  const web: RecordsOptions['web'] = {
    permalink: async ({ channel, ts }) => `https://example.com/${channel}/${ts}`,
  };
  return createRecordsReader({ store, clock: { now: () => START }, web }).cardLink('approval:a_1');
}

describe('the link of a card', () => {
  it('leads to where it was posted, not to where it should be', async () => {
    expect(await linkTo(CARD)).toBe('https://example.com/D0DIRECT/1.000001');
  });

  it.each([
    ['is not known', null],
    ['stands nowhere yet', { ...CARD, postedChannel: null, ts: null }],
    ['is being posted', { ...CARD, ts: null }],
  ])('is none where the card %s', async (_what, card) => {
    expect(await linkTo(card)).toBeNull();
  });
});
