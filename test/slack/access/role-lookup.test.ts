import { beforeEach, describe, expect, it } from 'vitest';
import {
  createManualClock,
  HOUR,
  instant,
  MINUTE,
  type MovableClock,
  SECOND,
} from '../../../src/lib/clock.ts';
import {
  type ChannelId,
  cardKey,
  channelId,
  messageTs,
  type PersonId,
  personId,
  userGroupId,
} from '../../../src/lib/ids.ts';
import { createLog, silentLog } from '../../../src/lib/log.ts';
import { createAccessRefusals } from '../../../src/slack/access/access-refusals.ts';
import { type ChannelReaders, withoutExternalPosts } from '../../../src/slack/access/external-channels.ts';
import { createReadRight } from '../../../src/slack/access/permissions.ts';
import { createRoleLookup } from '../../../src/slack/access/role-lookup.ts';
import { isChannelRefused, type SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import type { CardMessage, SlackWeb } from '../../../src/slack/web-api/slack-web.ts';
import type { AuditEntry } from '../../../src/store/port/store.ts';
import { troublePlainText } from '../../../src/views/status/trouble-text.ts';
import type { View } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { createFakeSlackWeb, type FakeSlackWeb } from '../harness/fake-slack-web.ts';
import {
  enveloped,
  FORM,
  post,
  startHttp,
  startSocket,
  command as typed,
} from '../receiver/receiver-harness.ts';

const ANN = personId('U0ANN');
const BOB = personId('U0BOB');
const CAT = personId('U0CAT');
const EVE = personId('U0EVE');
const DAN = personId('U0DAN');
const DOWN = { kind: 'uncertain', detail: 'down', inFlight: false } as const;
const VIEWERS = userGroupId('S0VIEWERS');
const APPROVERS = userGroupId('S0APPROVERS');

function createLookup({ viewer = [] }: { readonly viewer?: readonly (typeof VIEWERS)[] } = {}) {
  const clock = createManualClock(instant(0));
  const web = createFakeSlackWeb(clock.now);
  web.groups.set(APPROVERS, [ANN]);
  let askedGroups = 0;
  const counted = {
    userGroupMembers: (group: typeof APPROVERS) => {
      askedGroups += 1;
      return web.userGroupMembers(group);
    },
  };
  const channel = channelId('C0CHANNEL');
  const configuration = {
    roles: {
      viewer: { people: [BOB], userGroups: viewer },
      operator: { people: [ANN], userGroups: [] },
      approver: { people: [], userGroups: [APPROVERS] },
      admin: { people: [CAT], userGroups: [] },
    },
    channels: { approvals: channel, patchAlerts: channel, newDevices: channel },
    personal: 'viewer' as const,
    personalChannels: [],
    changes: { maxAgeMs: 900_000 },
  };
  return {
    clock,
    web,
    asked: () => askedGroups,
    people: createRoleLookup({ configuration, web: counted, clock, log: silentLog }),
  };
}

describe('the role of a person', () => {
  it('is the highest that the configuration gives by id or by user group', async () => {
    const { people } = createLookup();
    expect(await people.roleOf(ANN)).toEqual({ role: 'approver', maybe: null });
    expect(await people.roleOf(BOB)).toEqual({ role: 'viewer', maybe: null });
    expect(await people.roleOf(personId('U0NOBODY'))).toEqual({ role: null, maybe: null });
  });

  it('asks Slack once for all who wait, and again after five minutes', async () => {
    const { people, asked, clock } = createLookup();
    await Promise.all([people.roleOf(ANN), people.roleOf(BOB), people.roleOf(ANN)]);
    expect(asked()).toBe(1);
    await clock.advance(5 * MINUTE);
    await people.roleOf(ANN);
    expect(asked()).toBe(2);
  });

  it('falls when the person leaves the group', async () => {
    const { people, web, clock } = createLookup();
    await people.roleOf(ANN);
    web.groups.set(APPROVERS, []);
    await clock.advance(5 * MINUTE);
    expect(await people.roleOf(ANN)).toEqual({ role: 'operator', maybe: null });
  });

  it('is trusted for half an hour while Slack does not answer, then uncertain', async () => {
    const { people, web, clock } = createLookup();
    await people.roleOf(ANN);
    web.next('userGroupMembers', DOWN, DOWN);
    await clock.advance(29 * MINUTE);
    expect(await people.roleOf(ANN)).toEqual({ role: 'approver', maybe: null });
    await clock.advance(MINUTE);
    expect(await people.roleOf(ANN)).toEqual({ role: 'operator', maybe: 'approver' });
  });

  it('is read fresh for decisions, and other readers reuse it', async () => {
    const { people, web, asked } = createLookup();
    await people.roleOf(ANN);
    web.groups.set(APPROVERS, []);
    expect(await people.roleOf(ANN)).toEqual({ role: 'approver', maybe: null });
    expect(await people.roleOf(ANN, { fresh: true })).toEqual({ role: 'operator', maybe: null });
    expect(await people.roleOf(ANN)).toEqual({ role: 'operator', maybe: null });
    expect(asked()).toBe(2);
  });

  it('for decisions does not trust a read that began before', async () => {
    const { people, asked } = createLookup();
    await Promise.all([people.roleOf(ANN), people.roleOf(ANN, { fresh: true })]);
    expect(asked()).toBe(2);
  });

  it('for decisions is read once for all who wait', async () => {
    const { people, asked } = createLookup();
    await Promise.all([1, 2, 3].map(() => people.roleOf(ANN, { fresh: true })));
    expect(asked()).toBe(1);
  });

  it('for decisions is trusted for five minutes while Slack does not answer, then uncertain', async () => {
    const { people, web, clock } = createLookup();
    await people.roleOf(ANN);
    web.next('userGroupMembers', DOWN, DOWN);
    await clock.advance(5 * MINUTE - 1);
    expect(await people.roleOf(ANN, { fresh: true })).toEqual({ role: 'approver', maybe: null });
    await clock.advance(1);
    expect(await people.roleOf(ANN, { fresh: true })).toEqual({ role: 'operator', maybe: 'approver' });
  });

  it('is uncertain above what is given by id when the group was never read', async () => {
    const { people, web } = createLookup();
    web.next('userGroupMembers', { kind: 'refused', error: 'missing_scope' });
    expect(await people.roleOf(ANN)).toEqual({ role: 'operator', maybe: 'approver' });
  });

  it('are known from memory once they were read, for a few minutes', async () => {
    const { people, clock, asked } = createLookup();
    expect(people.knownRoleOf(ANN)).toEqual({ role: 'operator', maybe: 'approver' });
    await people.roleOf(ANN);
    expect(people.knownRoleOf(ANN)).toEqual({ role: 'approver', maybe: null });
    expect(people.knownRoleOf(personId('U0NOBODY'))).toEqual({ role: null, maybe: null });
    await clock.advance(5 * MINUTE);
    expect(people.knownRoleOf(ANN)).toEqual({ role: 'operator', maybe: 'approver' });
    expect(asked()).toBe(1);
  });

  it('by id counts without Slack, and no lower group is read', async () => {
    const { people, asked, web } = createLookup();
    web.next('userGroupMembers', { kind: 'refused', error: 'missing_scope' });
    expect(await people.roleOf(CAT, { fresh: true })).toEqual({ role: 'admin', maybe: null });
    expect(people.knownRoleOf(CAT)).toEqual({ role: 'admin', maybe: null });
    expect(asked()).toBe(0);
  });

  it('by a group that was read holds while another one cannot be read', async () => {
    const { people, web } = createLookup({ viewer: [VIEWERS] });
    web.next('userGroupMembers', { kind: 'refused', error: 'missing_scope' });
    web.groups.set(APPROVERS, [EVE]);
    expect(await people.roleOf(EVE)).toEqual({ role: 'approver', maybe: null });
    expect(await people.roleOf(DAN)).toEqual({ role: null, maybe: 'viewer' });
  });

  it('does not wait for a group once it is enough', async () => {
    const { people, asked } = createLookup();
    expect(await people.roleOf(ANN, { enough: 'operator' })).toEqual({ role: 'operator', maybe: null });
    expect(asked()).toBe(0);
  });

  it('is certain where a group was deleted: nobody has a role by it', async () => {
    const { people, web } = createLookup();
    web.next('userGroupMembers', { kind: 'refused', error: 'no_such_subteam' });
    expect(await people.roleOf(ANN)).toEqual({ role: 'operator', maybe: null });
  });

  it('leaves a group that failed alone for a moment, but not for what decides', async () => {
    const { people, web, asked, clock } = createLookup();
    const refused = { kind: 'refused', error: 'missing_scope' } as const;
    web.next('userGroupMembers', refused, refused);
    await people.roleOf(ANN);
    await people.roleOf(BOB);
    expect(asked()).toBe(1);
    await people.roleOf(ANN, { fresh: true });
    expect(asked()).toBe(2);
    await clock.advance(15 * SECOND);
    expect(await people.roleOf(ANN)).toEqual({ role: 'approver', maybe: null });
  });
});

describe('the role by an answer of the last minute', () => {
  const FRESH = { within: MINUTE, enough: 'approver' } as const;

  it('is read once a minute for all who ask, and says how old it is', async () => {
    const { people, asked, clock } = createLookup();
    expect(await people.roleOf(ANN, FRESH)).toEqual({ role: 'approver', maybe: null, asOf: instant(0) });
    await clock.advance(59 * SECOND);
    expect(await people.roleOf(EVE, FRESH)).toEqual({ role: null, maybe: null, asOf: instant(0) });
    expect(asked()).toBe(1);
    await clock.advance(SECOND);
    expect(await people.roleOf(EVE, FRESH)).toMatchObject({ asOf: instant(60 * SECOND) });
    expect(asked()).toBe(2);
  });

  it('is not known from an older answer, however long Slack does not answer', async () => {
    const { people, web, clock } = createLookup();
    await people.roleOf(ANN, FRESH);
    web.next('userGroupMembers', DOWN);
    await clock.advance(MINUTE);
    expect(await people.roleOf(ANN, FRESH)).toEqual({ role: 'operator', maybe: 'approver' });
  });

  it('needs no answer for those whose ids are listed', async () => {
    const { people, asked } = createLookup();
    expect(await people.roleOf(CAT, FRESH)).toEqual({ role: 'admin', maybe: null });
    expect(asked()).toBe(0);
  });
});

describe('a right that is proved again', () => {
  const of = async (person: typeof CAT, active: SlackResult<boolean>) => {
    const { people, clock } = createLookup();
    await clock.advance(SECOND);
    const read = createReadRight({ people, clock, web: { isActive: async () => active } });
    return read(person, 'approve');
  };
  const asOf = instant(SECOND);

  it('ends with the account, also where the role is given by id', async () => {
    expect(await of(CAT, { kind: 'ok', value: true })).toEqual({ verdict: 'allowed', asOf });
    expect(await of(CAT, { kind: 'ok', value: false })).toEqual({ verdict: 'refused', asOf });
    expect(await of(EVE, { kind: 'ok', value: true })).toMatchObject({ verdict: 'refused' });
  });

  it('is not known while Slack does not say whether the account is there', async () => {
    expect(await of(CAT, DOWN)).toMatchObject({ verdict: 'unknown' });
    expect(await of(EVE, DOWN)).toMatchObject({ verdict: 'refused' });
  });
});

const refused: View = { kind: 'problem', problem: { kind: 'not-allowed', need: 'operator', role: 'viewer' } };

function stage() {
  const clock = createManualClock(instant(0));
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line: string) => void lines.push(line) } });
  const entries: AuditEntry[] = [];
  const audit = {
    append: async (entry: AuditEntry) => {
      entries.push(entry);
      return { ...entry, sequence: entries.length, hash: '' };
    },
  };
  return { clock, lines, entries, refusals: createAccessRefusals({ audit, clock, log }) };
}

describe('a refusal for want of a role', () => {
  it('is in the log and in the audit', () => {
    const { refusals, entries, lines } = stage();
    expect(refusals.recordRefusal(EVE, 'reboot', refused)).toBe(refused);
    const detail = { attempt: 'reboot', need: 'operator', role: 'viewer' };
    expect(entries).toMatchObject([{ actor: EVE, action: 'access.refused', subject: 'reboot', detail }]);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { event: 'access.refused', actor: EVE, attempt: 'reboot' },
    ]);
  });

  it('is recorded five times an hour per person, and the next says how many were left out', async () => {
    const { refusals, entries, lines, clock } = stage();
    const often = (person: PersonId, times: number) => {
      for (let count = 0; count < times; count += 1) refusals.recordRefusal(person, 'reboot', refused);
    };
    often(EVE, 100);
    often(personId('U0MAL'), 3);
    expect(entries).toHaveLength(8);
    await clock.advance(HOUR);
    often(EVE, 1);
    expect(entries.at(-1)?.detail).toMatchObject({ skipped: 95 });
    expect(lines).toHaveLength(9);
  });

  it('is all that is kept', () => {
    const { refusals, entries } = stage();
    const problem = { kind: 'no-such-policy', query: 'x', nearest: [] } as const;
    refusals.recordRefusal(EVE, 'device', { kind: 'problem', problem });
    expect(entries).toEqual([]);
  });
});

describe('a payload of another app or team', () => {
  const home = { teamId: 'T1', enterpriseId: null, isOrgWide: false, appId: 'A1', otherTeams: [] };
  const foreign = { ...typed, team_id: 'T2' };

  it('is acknowledged and recorded, over HTTP and Socket Mode, and nothing is done', async () => {
    const { refusals, entries } = stage();
    const isForeign = refusals.isForeign(home);
    const http = await startHttp({ isForeign });
    const body = new URLSearchParams(foreign).toString();
    expect((await post(http.url, body, { type: FORM })).status).toBe(200);
    const socket = await startSocket({ isForeign });
    const { id, text } = enveloped('slash_commands', { ...foreign, user_id: 'not an id' });
    socket.send(text);
    await expect.poll(() => socket.acked.has(id)).toBe(true);
    expect([...http.heard, ...socket.heard]).toEqual([]);
    const entry = { action: 'access.foreign', subject: 'T2', detail: { origin: 'team' } };
    expect(entries).toMatchObject([
      { ...entry, actor: 'U1' },
      { ...entry, actor: 'patchbay' },
    ]);
  });

  it('is recorded five times an hour', () => {
    const { refusals, entries } = stage();
    const isForeign = refusals.isForeign(home);
    for (let count = 0; count < 100; count += 1) expect(isForeign(foreign)).toBe(true);
    expect(isForeign({ ...typed, team_id: 'T1' })).toBe(false);
    expect(entries).toHaveLength(5);
  });
});

describe('alerts for a channel that became shared with another organization', () => {
  const OPS = channelId('C0OPS');
  const HELD = { kind: 'refused', error: 'externally_shared' };

  let clock: MovableClock;
  let web: SlackWeb;
  let fake: FakeSlackWeb;
  let reach: ChannelReaders;
  let requests: ChannelId[];
  /** Channels that the health checks count as refusing. */
  let refusing: Map<ChannelId, string>;

  beforeEach(() => {
    clock = createManualClock(START);
    reach = 'internal';
    requests = [];
    refusing = new Map();
    fake = createFakeSlackWeb(() => clock.now());
    const identity = async () => {
      const found = await fake.identity();
      return found.kind === 'ok' ? { ...found, value: { ...found.value, appId: 'A1' } } : found;
    };
    web = withoutExternalPosts(
      { ...fake, identity },
      {
        clock,
        readersOf: async (channel) => {
          requests.push(channel);
          return reach;
        },
        watch: {
          channelTook: (channel) => void refusing.delete(channel),
          channelRefused: (channel, error) => void refusing.set(channel, error),
        },
      },
    );
  });

  const card = (key: string): CardMessage => ({
    text: key,
    blocks: [],
    metadata: { event_type: 'patchbay_card', event_payload: { key, state: 'firing' } },
  });
  const ALERT = cardKey('alert', 'a_1');
  const post = (key: string = ALERT, channel = OPS) => web.post(channel, card(key));

  describe('a channel that becomes shared with another organization', () => {
    it('gets no alert from then on, and counts as one that refuses them', async () => {
      expect((await post()).kind).toBe('ok');
      reach = 'external';
      await clock.advance(5 * MINUTE);
      expect(await post()).toEqual(HELD);
      expect(isChannelRefused(HELD.error)).toBe(true);
      expect([...refusing]).toEqual([[OPS, 'externally_shared']]);
    });

    it('gets no additions to the alerts that it shows', async () => {
      reach = 'external';
      const place = { channel: OPS, ts: messageTs('1.000001') };
      expect(await web.update(place, card(ALERT))).toEqual(HELD);
    });

    it('gets held alerts once it is private again', async () => {
      reach = 'external';
      await post();
      reach = 'internal';
      expect(await post()).toEqual(HELD);
      await clock.advance(5 * MINUTE);
      expect((await post()).kind).toBe('ok');
      expect([...refusing]).toEqual([]);
    });

    it.each(['approval:a_1', 'operation:o_1'])('gets only that a request waits, for %s', async (key) => {
      const full = { ...card(key), text: 'Reboot web-01', blocks: [{ type: 'divider' }], plain: [] };
      const waiting: CardMessage = {
        ...full,
        metadata: { event_type: 'patchbay_card', event_payload: { key, state: 'waiting', counts: { a: 3 } } },
      };
      await web.identity();
      const before = await web.post(OPS, waiting);
      if (before.kind !== 'ok') throw new Error('not posted');
      expect(JSON.stringify(fake.messages)).toContain('web-01');
      reach = 'external';
      await clock.advance(5 * MINUTE);
      expect((await web.update(before.value, waiting)).kind).toBe('ok');
      expect((await web.post(OPS, waiting)).kind).toBe('ok');
      const shown = JSON.stringify(fake.messages);
      expect(shown).not.toContain('web-01');
      expect(shown).not.toContain('counts');
      expect(fake.messages.map(({ text }) => text)).toEqual(['⏳ A request waits.', '⏳ A request waits.']);
      expect(shown).toContain('https://slack.com/app_redirect?app=A1&amp;team=T1');
      expect([...refusing]).toEqual([[OPS, 'requests_shortened']]);
      reach = 'internal';
      await clock.advance(5 * MINUTE);
      await web.update(before.value, waiting);
      expect(fake.messages[0]?.text).toBe('Reboot web-01');
      expect([...refusing]).toEqual([]);
    });

    it('gets no lines in the threads of rollouts', async () => {
      reach = 'external';
      expect(await post('line:o_1/0/paused')).toEqual(HELD);
    });

    it.each(['told:operation:o_1', 'trouble:t_1'])('still gets %s', async (key) => {
      reach = 'external';
      expect((await post(key)).kind).toBe('ok');
      expect(requests).toEqual([]);
    });
  });

  describe('asking Slack who reads a channel', () => {
    it('is done once for a storm of alerts, and for each channel', async () => {
      await Promise.all(Array.from({ length: 50 }, () => post()));
      await post(cardKey('alert', 'a_2'), channelId('C0OTHER'));
      expect(requests).toEqual([OPS, 'C0OTHER']);
    });

    it('is not done for direct messages', async () => {
      reach = 'external';
      for (const direct of ['D0ANN', 'U0ANN']) expect((await post(ALERT, channelId(direct))).kind).toBe('ok');
      expect(requests).toEqual([]);
    });

    it.each([
      ['external', 'refused'],
      ['internal', 'ok'],
    ] as const)('leaves a channel %s where Slack does not answer', async (before, expected) => {
      reach = before;
      await post();
      reach = 'unknown';
      await clock.advance(5 * MINUTE);
      expect((await post()).kind).toBe(expected);
    });

    it('loses no alert where Slack never answered', async () => {
      reach = 'unknown';
      expect((await post()).kind).toBe('ok');
    });
  });

  it('admins learn in plain words what to do', () => {
    const trouble = { kind: 'channel-refuses', channel: OPS, error: 'externally_shared', cards: 3 } as const;
    const said = troublePlainText({ trouble, since: START });
    expect(said).toContain(
      'No alerts are posted in C0OPS, which is shared with another organization: 3 held since',
    );
    expect(said).toContain('add its ID to externalChannels in the configuration file and restart Patchbay');
  });
});
