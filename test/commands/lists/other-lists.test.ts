/** Cached lists of things other than devices. */
import { describe, expect, it } from 'vitest';
import { approvalsCommand } from '../../../src/commands/approvals.ts';
import { eventsCommand } from '../../../src/commands/events.ts';
import { packagesCommand } from '../../../src/commands/packages.ts';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { deviceId, eventId } from '../../../src/lib/ids.ts';
import type { Problem } from '../../../src/views/model.ts';
import { aDevice, anEvent, aPackage, START } from '../../harness/builders.ts';
import { aRequest } from '../../harness/records.ts';
import { testPorts } from '../harness/ports.ts';
import { runCommand } from '../harness/run-command.ts';

const FLEET = [aDevice({ id: deviceId(1), name: 'pc-1' })];
const NOT_ALLOWED: Problem = { kind: 'not-allowed', need: 'operator', role: 'viewer', ask: [] };

describe('other lists', () => {
  it('show events of the same reading on every page', async () => {
    const all = Array.from({ length: 15 }, (_, at) => anEvent({ id: eventId(100 + at), createTime: START }));
    const { ports } = testPorts({ devices: FLEET, events: all });
    const first = await runCommand(eventsCommand, 'events', 'name:system.patch.failed', ports);
    all.unshift(anEvent({ id: eventId(999), createTime: START }));
    const asked = { filters: { policy: null, user: null, name: 'system.patch.failed', days: 7 } };
    const second = await eventsCommand.run({ ...asked, result: first.paging.result }, 1, ports);
    expect(second).toMatchObject({ kind: 'events', rows: all.slice(1, 6).toReversed() });
  });

  it('do not ask the service again for another page of packages', async () => {
    const software = Array.from({ length: 20 }, (_, at) => aPackage({ name: `p-${at}` }));
    const { ports } = testPorts({ devices: FLEET, packages: software });
    const first = await runCommand(packagesCommand, 'packages', '#1', ports);
    software.splice(0);
    const second = await packagesCommand.run({ device: 1, result: first.paging.result }, 1, ports);
    expect(second).toMatchObject({ kind: 'packages', rows: { length: 5 }, paging: { total: 20, page: 1 } });
  });

  it.each([
    ['loses it', null, NOT_ALLOWED],
    ['gets it', NOT_ALLOWED, null],
  ])('offer what their reader may ask for by then: one who %s', async (_what, before, now) => {
    const software = Array.from({ length: 20 }, (_, at) => aPackage({ name: `p-${at}` }));
    const { ports } = testPorts({ devices: FLEET, packages: software });
    const shown = (result: string | undefined, refused: Problem | null) =>
      packagesCommand.run({ device: 1, ...(result === undefined ? {} : { result }) }, 1, {
        ...ports,
        refusal: async () => refused,
      });
    const first = await shown(undefined, before);
    const result = 'paging' in first ? first.paging.result : undefined;
    expect(result).toEqual(expect.any(String));
    const second = await shown(result, now);
    expect('paging' in second && second.paging.result).toBe(result);
    expect(['lookOnly' in first, 'lookOnly' in second]).toEqual([before !== null, now !== null]);
  });

  it('list the same requests on every page', async () => {
    const waiting = Array.from({ length: 12 }, () => aRequest({ expiresAt: later(START, MINUTE) }));
    const { ports, clock } = testPorts({ devices: [] }, { requests: waiting });
    const first = await runCommand(approvalsCommand, 'approvals', '', ports);
    await clock.advance(2 * MINUTE);
    const second = await approvalsCommand.run({ mine: false, result: first.paging.result }, 1, ports);
    expect(second).toMatchObject({ rows: { length: 5 }, paging: { total: 12, asOf: START } });
  });
});
