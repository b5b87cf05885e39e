import { describe, expect, it } from 'vitest';
import { createManualClock, HOUR, type MovableClock } from '../../../src/lib/clock.ts';
import { channelId, messageTs, personId } from '../../../src/lib/ids.ts';
import type { ChannelReadersOf } from '../../../src/slack/access/external-channels.ts';
import {
  createAlertSettings,
  createRecordsReader,
  createTimeZoneCache,
  type RecordsOptions,
} from '../../../src/slack/command-ports/store-settings.ts';
import type { MemberChannel } from '../../../src/slack/web-api/paged-reads.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { CardRecord } from '../../../src/store/port/card-records.ts';
import { START } from '../../harness/builders.ts';
import { ORGANIZATION } from '../../store/builders.ts';
import { noExternalChannels } from '../harness/open-access.ts';

const ANN = personId('U0ANN');
const BEN = personId('U0BEN');
const OPS: MemberChannel = { id: channelId('C0OPS'), name: 'ops', isPrivate: false };
const BOARD: MemberChannel = { id: channelId('C0BOARD'), name: 'board', isPrivate: true };
const UNSURE = { kind: 'uncertain', detail: 'no answer', inFlight: false } as const;

/** A part of the store that is not asked for. */
const unused = <T extends object>(): T => {
  const refuses = () => {
    throw new Error('not asked for');
  };
  return new Proxy<object>({}, { get: () => refuses }) as T;
};
/** Ann is a member of the private channel, Ben is not. */
function alerts(
  shared?: SlackResult<readonly MemberChannel[]>,
  readersOf: ChannelReadersOf = noExternalChannels,
) {
  return createAlertSettings({
    readersOf,
    store: { subscriptions: unused(), silences: unused(), alerts: unused(), members: unused() },
    changes: unused(),
    web: {
      memberChannels: async () => ({ kind: 'ok', value: [OPS, BOARD] }),
      privateChannelsWith: async (person) => shared ?? { kind: 'ok', value: person === ANN ? [BOARD] : [] },
      openDirect: async () => UNSURE,
    },
    channels: { patchAlerts: channelId('C0PATCH'), newDevices: channelId('C0NEW') },
  });
}

describe('a channel that is to have alerts', () => {
  it.each([
    ['a public one, of anybody', 'ops', BEN, { kind: 'member', channel: OPS.id }],
    ['a private one, of its member', '#board', ANN, { kind: 'member', channel: BOARD.id }],
    ['a private one, of its member, by id', 'C0BOARD', ANN, { kind: 'member', channel: BOARD.id }],
    ['a private one, of somebody outside', 'board', BEN, { kind: 'stranger' }],
    ['a private one by id, of somebody outside', 'c0board', BEN, { kind: 'stranger' }],
    ['one that the bot is not in', 'random', ANN, { kind: 'stranger' }],
  ])('%s', async (_, given, asker, found) => {
    expect(await alerts().channel(given, asker)).toEqual(found);
  });

  it('is none while Slack does not say who is in a private one', async () => {
    expect(await alerts(UNSURE).channel('board', ANN)).toEqual({ kind: 'unread' });
    expect(await alerts(UNSURE).channel('ops', ANN)).toMatchObject({ kind: 'member' });
  });

  it.each([
    ['external', true],
    ['unknown', false],
  ] as const)('that counts as external (%s) has none', async (reach, isKnown) => {
    const { channel } = alerts(undefined, async () => reach);
    expect(await channel('ops', BEN)).toEqual({ kind: 'external', channel: OPS.id, isKnown });
    expect(await channel('board', ANN)).toEqual({ kind: 'external', channel: BOARD.id, isKnown });
    expect(await channel('board', BEN)).toEqual({ kind: 'stranger' });
  });
});

const ME = personId('U0ME');
const DOWN: SlackResult<string | null> = { kind: 'refused', error: 'missing_scope' };

function zones(...answers: readonly SlackResult<string | null>[]) {
  let requests = 0;
  const clock: MovableClock = createManualClock(START);
  const timeZone = async () => answers[Math.min(requests++, answers.length - 1)] ?? DOWN;
  return { clock, of: createTimeZoneCache({ timeZone }, clock), asked: () => requests };
}

it('a person’s time zone in Slack is asked once an hour', async () => {
  const { of, clock, asked } = zones(
    { kind: 'ok', value: 'Europe/Berlin' },
    { kind: 'ok', value: 'Asia/Tokyo' },
  );
  expect([await of(ME), await of(ME)]).toEqual(['Europe/Berlin', 'Europe/Berlin']);
  expect(asked()).toBe(1);
  await clock.advance(HOUR);
  expect(await of(ME)).toBe('Asia/Tokyo');
});

it('the one that was known stands while Slack does not answer', async () => {
  const { of, clock } = zones({ kind: 'ok', value: 'Europe/Berlin' }, DOWN);
  await of(ME);
  await clock.advance(HOUR);
  expect(await of(ME)).toBe('Europe/Berlin');
});

it.each([
  ['Slack has none', { kind: 'ok', value: null } as const],
  ['Slack has one that nobody knows', { kind: 'ok', value: 'Mars/Olympus' } as const],
  ['Slack does not answer', DOWN],
])('there is none where %s', async (_what, answer) => {
  expect(await zones(answer).of(ME)).toBeNull();
});

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

function linkTo(card: CardRecord | null): Promise<string | null> {
  const store: RecordsOptions['store'] = {
    ...{ requests: unused(), targets: unused(), audit: unused(), pause: unused() },
    cards: {
      ...unused<RecordsOptions['store']['cards']>(),
      get: async (key) => (card?.key === key ? card : null),
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
