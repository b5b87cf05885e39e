import { describe, expect, it } from 'vitest';
import { createManualClock, instant, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { channelId, personId, userGroupId } from '../../../src/lib/ids.ts';
import { silentLog } from '../../../src/lib/log.ts';
import { createReadRight } from '../../../src/slack/access/permissions.ts';
import { createRoleLookup } from '../../../src/slack/access/role-lookup.ts';
import type { SlackResult } from '../../../src/slack/web-api/slack-errors.ts';
import { createFakeSlackWeb } from '../harness/fake-slack-web.ts';

const ANN = personId('U0ANN');
const BOB = personId('U0BOB');
const CAT = personId('U0CAT');
const EVE = personId('U0EVE');
const DAN = personId('U0DAN');
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
  const configuration = {
    roles: {
      viewer: { people: [BOB], userGroups: viewer },
      operator: { people: [ANN], userGroups: [] },
      approver: { people: [], userGroups: [APPROVERS] },
      admin: { people: [CAT], userGroups: [] },
    },
    channels: createPolicyChannels(),
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
function createPolicyChannels() {
  const channel = channelId('C0CHANNEL');
  return { approvals: channel, patchAlerts: channel, newDevices: channel };
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
    const down = { kind: 'uncertain', detail: 'down', inFlight: false } as const;
    web.next('userGroupMembers', down, down);
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
    const down = { kind: 'uncertain', detail: 'down', inFlight: false } as const;
    web.next('userGroupMembers', down, down);
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
    web.next('userGroupMembers', { kind: 'uncertain', detail: 'down', inFlight: false });
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
    const down = { kind: 'uncertain', detail: 'down', inFlight: false } as const;
    expect(await of(CAT, down)).toMatchObject({ verdict: 'unknown' });
    expect(await of(EVE, down)).toMatchObject({ verdict: 'refused' });
  });
});
