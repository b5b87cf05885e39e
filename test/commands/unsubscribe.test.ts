import { describe, expect, it } from 'vitest';
import { subscriptionsCommand, unsubscribeCommand } from '../../src/commands/subscriptions.ts';
import { checkPermission, type Permission, type Role } from '../../src/lib/access.ts';
import { channelId, organizationId, personId } from '../../src/lib/ids.ts';
import type { SubscriptionRecord } from '../../src/store/port/alert-records.ts';
import type { Problem } from '../../src/views/model.ts';
import { START } from '../harness/builders.ts';
import { createFakeSettings } from './harness/fake-settings.ts';
import { testPorts } from './harness/ports.ts';

describe('ending a subscription', () => {
  const one = (number: number, person: string | null): SubscriptionRecord => ({
    organizationId: organizationId(7),
    number,
    channel: channelId(person === null ? 'C0OPS' : 'D0OTHER'),
    person: person === null ? null : personId(person),
    kinds: ['patch-failed'],
    filter: { group: null, policy: null, tag: null, os: null },
    createdBy: personId(person ?? 'UANY'),
    createdAt: START,
    endedBy: null,
    endedAt: null,
  });
  const all = [one(1, null), one(2, 'UOPERATOR'), one(3, 'UOTHER')];
  const refusalAs =
    (role: Role) =>
    async (need: Permission): Promise<Problem | null> => {
      const access = checkPermission(role, need);
      return access.allowed ? null : { kind: 'not-allowed', need: access.needed, role, ask: [] };
    };

  it.each<[number, Role, string]>([
    [1, 'viewer', 'problem'],
    [1, 'operator', 'unsubscribed'],
    [2, 'viewer', 'unsubscribed'],
    [3, 'viewer', 'problem'],
    [3, 'approver', 'problem'],
    [3, 'admin', 'unsubscribed'],
  ])('%s by its number, as %s: %s', async (number, role, kind) => {
    const settings = createFakeSettings({
      subscriptions: async () => all,
      unsubscribe: async () => all.find((each) => each.number === number) ?? null,
    });
    const refusal = refusalAs(role);
    const view = await unsubscribeCommand.run({ number }, 0, { ...testPorts({}).ports, settings, refusal });
    expect(view.kind).toBe(kind);
  });

  it.each<['me' | 'here', number[]]>([
    ['me', [2]],
    ['here', [1]],
  ])('all of %s says what it ended, and then that there was none', async (which, numbers) => {
    const open = new Map(all.map((each) => [each.number, each]));
    const settings = createFakeSettings({
      subscriptions: async () => [...open.values()],
      unsubscribe: async (number) => {
        const ended = open.get(number) ?? null;
        open.delete(number);
        return ended;
      },
    });
    const ports = {
      ...testPorts({}).ports,
      settings,
      refusal: refusalAs('operator'),
      channel: channelId('C0OPS'),
    };
    const ended = numbers.map((number) => expect.objectContaining({ number }));
    expect(await unsubscribeCommand.run({ all: which }, 0, ports)).toEqual({
      kind: 'unsubscribed',
      asked: which,
      ended,
    });
    expect(await unsubscribeCommand.run({ all: which }, 0, ports)).toEqual({
      kind: 'unsubscribed',
      asked: which,
      ended: [],
    });
  });

  it.each<[Role, boolean]>([
    ['viewer', true],
    ['operator', false],
  ])('is offered to a %s in a list that is only to be looked at: %s', async (role, isLookOnly) => {
    const settings = createFakeSettings({ subscriptions: async () => all });
    const refusal = refusalAs(role);
    const view = await subscriptionsCommand.run({ all: true }, 0, {
      ...testPorts({}).ports,
      settings,
      refusal,
    });
    expect(view).toMatchObject({ kind: 'subscriptions', rows: [{ number: 1 }, { number: 2 }] });
    expect('lookOnly' in view).toBe(isLookOnly);
  });
});
