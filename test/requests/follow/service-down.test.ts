import { describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { relativeDate } from '../../../src/views/kit/timestamps.ts';
import { renderView } from '../../../src/views/views.ts';
import { aStartedRequest } from '../../harness/records.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { renderedText } from '../../views/rendered-text.ts';
import { anError } from '../fleet-builders.ts';
import { createRequestsSetup } from '../requests-setup.ts';

const line = madePerTest(createRequestsSetup);

async function aReboot(): Promise<RequestRecord> {
  const request = await line.approved({ kind: 'reboot' });
  return request;
}

describe('a service that goes down while a command is followed', () => {
  it('is asked less and less, and the command keeps its state until it returns', async () => {
    const request = await aReboot();
    await line.pass(5 * SECOND);
    line.fleet.world.readError = anError('unreachable', null);
    line.fleet.world.reads = [];
    await line.pass(HOUR);
    expect((await line.targetFor(request)).state).toBe('queued');
    expect(line.fleet.world.reads.length).toBeLessThan(25);
    line.fleet.world.readError = null;
    line.fleet.clearQueue();
    line.fleet.change({ lastDisconnectTime: line.clock.now() });
    await line.pass(6 * MINUTE);
    expect((await line.targetFor(request)).state).toBe('verified');
  });

  it('pauses by the failures in a row, however often it was looked at before', async () => {
    await aReboot();
    await line.pass(10 * MINUTE);
    for (let round = 1; round <= 2; round += 1) {
      line.fleet.world.readError = anError('unreachable', null);
      line.fleet.world.reads = [];
      await line.pass(90 * SECOND);
      const failed = line.fleet.world.reads.length;
      expect(failed).toBeGreaterThan(2);
      line.fleet.world.readError = null;
      await line.pass(2 * MINUTE);
    }
  });

  it('past its deadline says on the card that the check is late, and no longer until when', async () => {
    const request = await aReboot();
    await line.pass(5 * SECOND);
    line.fleet.world.readError = anError('unreachable', null);
    await line.pass(31 * MINUTE);
    const { deadlineAt, evidence } = await line.targetFor(request);
    expect(evidence).toMatchObject([
      { kind: 'queued' },
      { kind: 'check-late', error: { kind: 'unreachable' } },
    ]);
    const targets = [await line.targetFor(request)];
    const view = { kind: 'request', request: aStartedRequest({ targets }) } as const;
    const shown = renderedText(renderView(view));
    expect(shown).toContain('The check is late, because');
    expect(shown).not.toContain(relativeDate(deadlineAt));
    line.fleet.world.readError = null;
    await line.pass(6 * MINUTE);
    expect((await line.targetFor(request)).evidence).toMatchObject([{ kind: 'still-queued' }]);
  });

  it('for more than a week ends the following, and says why', async () => {
    const request = await aReboot();
    line.fleet.world.readError = anError('unreachable', null);
    await line.pass(HOUR);
    // One try is like the next: those of the days between are left out, as if nothing had run meanwhile.
    await line.clock.advance(7 * DAY - 2 * HOUR);
    await line.pass(HOUR - MINUTE);
    expect(await line.targetFor(request)).toMatchObject({ state: 'accepted', endedAt: null });
    await line.pass(6 * MINUTE);
    const target = await line.targetFor(request);
    expect(target).toMatchObject({ state: 'not_verified' });
    expect(target.evidence).toMatchObject([{ kind: 'unread-to-the-end', error: { kind: 'unreachable' } }]);
    expect(await line.store.work.nextDue()).toBeNull();
  });
});
