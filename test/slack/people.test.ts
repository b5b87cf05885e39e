import { describe, expect, it } from 'vitest';
import { createManualClock, instant, MINUTE } from '../../src/clock.ts';
import { channelId, personId, userGroupId } from '../../src/ids.ts';
import { silentLog } from '../../src/log.ts';
import { createPeople } from '../../src/slack/people.ts';
import { createFakeWeb } from './fake-web.ts';

const ANN = personId('U0ANN');
const BOB = personId('U0BOB');
const APPROVERS = userGroupId('S0APPROVERS');
const nobody = { people: [], userGroups: [] };

function office() {
  const clock = createManualClock(instant(0));
  const web = createFakeWeb(clock.now);
  web.groups.set(APPROVERS, [ANN]);
  let asked = 0;
  const counted = {
    userGroupMembers: (group: typeof APPROVERS) => {
      asked += 1;
      return web.userGroupMembers(group);
    },
  };
  const policy = {
    roles: {
      viewer: { people: [BOB], userGroups: [] },
      operator: { people: [ANN], userGroups: [] },
      approver: { people: [], userGroups: [APPROVERS] },
      admin: nobody,
    },
    channels: createPolicyChannels(),
    personal: 'viewer' as const,
    personalChannels: [],
  };
  return {
    clock,
    web,
    asked: () => asked,
    people: createPeople({ policy, web: counted, clock, log: silentLog }),
  };
}
function createPolicyChannels() {
  const channel = channelId('C0CHANNEL');
  return { approvals: channel, patchAlerts: channel, newDevices: channel };
}

describe('the role of a person', () => {
  it('is the highest that the policy gives by id or by user group', async () => {
    const { people } = office();
    expect(await people.roleOf(ANN)).toEqual({ kind: 'role', role: 'approver' });
    expect(await people.roleOf(BOB)).toEqual({ kind: 'role', role: 'viewer' });
    expect(await people.roleOf(personId('U0NOBODY'))).toEqual({ kind: 'role', role: null });
  });

  it('asks Slack once for all who wait, and again after five minutes', async () => {
    const { people, asked, clock } = office();
    await Promise.all([people.roleOf(ANN), people.roleOf(BOB), people.roleOf(ANN)]);
    expect(asked()).toBe(1);
    await clock.advance(5 * MINUTE);
    await people.roleOf(ANN);
    expect(asked()).toBe(2);
  });

  it('falls when the person leaves the group', async () => {
    const { people, web, clock } = office();
    await people.roleOf(ANN);
    web.groups.set(APPROVERS, []);
    await clock.advance(5 * MINUTE);
    expect(await people.roleOf(ANN)).toEqual({ kind: 'role', role: 'operator' });
  });

  it('is believed for half an hour while Slack does not answer, and then unknown', async () => {
    const { people, web, clock } = office();
    await people.roleOf(ANN);
    const down = { kind: 'uncertain', detail: 'down', inFlight: false } as const;
    web.next('userGroupMembers', down, down);
    await clock.advance(29 * MINUTE);
    expect(await people.roleOf(ANN)).toEqual({ kind: 'role', role: 'approver' });
    await clock.advance(MINUTE);
    expect(await people.roleOf(ANN)).toEqual({ kind: 'unknown' });
  });

  it('is read fresh for what decides, and others profit', async () => {
    const { people, web, asked } = office();
    await people.roleOf(ANN);
    web.groups.set(APPROVERS, []);
    expect(await people.roleOf(ANN)).toEqual({ kind: 'role', role: 'approver' });
    expect(await people.roleOf(ANN, { fresh: true })).toEqual({ kind: 'role', role: 'operator' });
    expect(await people.roleOf(ANN)).toEqual({ kind: 'role', role: 'operator' });
    expect(asked()).toBe(2);
  });

  it('that decides does not trust a reading that began before', async () => {
    const { people, asked } = office();
    await Promise.all([people.roleOf(ANN), people.roleOf(ANN, { fresh: true })]);
    expect(asked()).toBe(2);
  });

  it('that decides is asked for once by all who wait', async () => {
    const { people, asked } = office();
    await Promise.all([1, 2, 3].map(() => people.roleOf(ANN, { fresh: true })));
    expect(asked()).toBe(1);
  });

  it('that decides is believed for five minutes while Slack does not answer, and then unknown', async () => {
    const { people, web, clock } = office();
    await people.roleOf(ANN);
    const down = { kind: 'uncertain', detail: 'down', inFlight: false } as const;
    web.next('userGroupMembers', down, down);
    await clock.advance(5 * MINUTE - 1);
    expect(await people.roleOf(ANN, { fresh: true })).toEqual({ kind: 'role', role: 'approver' });
    await clock.advance(1);
    expect(await people.roleOf(ANN, { fresh: true })).toEqual({ kind: 'unknown' });
  });

  it('is unknown when the group was never read', async () => {
    const { people, web } = office();
    web.next('userGroupMembers', { kind: 'refused', error: 'missing_scope' });
    expect(await people.roleOf(ANN)).toEqual({ kind: 'unknown' });
  });

  it('are known from memory once they were read, for a few minutes', async () => {
    const { people, clock, asked } = office();
    expect(people.knownRoleOf(ANN)).toEqual({ kind: 'unknown' });
    await people.roleOf(ANN);
    expect(people.knownRoleOf(ANN)).toEqual({ kind: 'role', role: 'approver' });
    expect(people.knownRoleOf(personId('U0NOBODY'))).toEqual({ kind: 'role', role: null });
    await clock.advance(5 * MINUTE);
    expect(people.knownRoleOf(ANN)).toEqual({ kind: 'unknown' });
    expect(asked()).toBe(1);
  });
});
