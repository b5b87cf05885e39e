/** A pause that starts while many claims of one operation are being sent. */
import { describe, expect, it } from 'vitest';
import type { IssueOutcome } from '../../../src/fleet/fleet.ts';
import { createManualClock, MINUTE } from '../../../src/lib/clock.ts';
import { type DeviceId, deviceId } from '../../../src/lib/ids.ts';
import { createClaimSender } from '../../../src/operations/send/send-claims.ts';
import type { TargetRecord } from '../../../src/store/port/records.ts';
import { aFleetEditor } from '../../harness/fleet-editor.ts';
import { anOperation } from '../../harness/records.ts';
import { aPause, aTarget, SENT } from '../builders.ts';

const COUNT = 50;

/** Sends scans to many devices; `issue` is the service's behavior. */
async function run(issue: (sent: number) => { readonly outcome: IssueOutcome; readonly paused: boolean }) {
  const claimed = Array.from({ length: COUNT }, (_, index) =>
    aTarget({ deviceId: deviceId(index + 1), state: 'issuing', acceptedAt: null }),
  );
  const operation = anOperation({ command: { kind: 'scan' }, targets: claimed });
  const clock = createManualClock(SENT);
  const sent: DeviceId[] = [];
  const moved: { readonly from: string; readonly next: TargetRecord }[] = [];
  let paused = false;
  const runner = createClaimSender({
    writer: {
      issue: async (id) => {
        sent.push(id);
        const { outcome, paused: begins } = issue(sent.length);
        paused ||= begins;
        return outcome;
      },
    },
    editor: aFleetEditor(),
    recordTransition: async ({ from, next }) => {
      moved.push({ from, next });
      return next;
    },
    store: { pause: { currentOrEndedSince: async () => (paused ? aPause() : null) } },
    clock,
    maxAgeMs: 15 * MINUTE,
    wakeWorker: () => undefined,
  });
  await runner.send(operation, claimed, { since: SENT, how: 'requested' });
  clock.stop();
  const unsent = moved.filter(({ next }) => next.evidence?.startsWith('Not sent') === true);
  return { sent, moved, unsent };
}

describe('a pause that begins while an operation is being sent', () => {
  it('leaves all that was not sent yet unsent, and says why', async () => {
    const { sent, moved, unsent } = await run((count) => ({
      outcome: { kind: 'accepted' },
      paused: count === 3,
    }));
    expect(sent).toHaveLength(3);
    expect(moved).toHaveLength(COUNT);
    expect(unsent).toHaveLength(COUNT - 3);
    for (const { from, next } of unsent) {
      expect(from).toBe('issuing');
      expect(next.endedAt).toBe(SENT);
      expect(next.evidence).toMatch(/all changes have been paused since .*\(reason: an incident\)/);
    }
  });

  it('ends what the client withheld at the last moment as not sent', async () => {
    const { sent, unsent } = await run(() => ({ outcome: { kind: 'withheld' }, paused: true }));
    expect(sent).toHaveLength(1);
    expect(unsent).toHaveLength(COUNT);
  });

  it('says so where it could not be read whether there is one', async () => {
    const { unsent } = await run(() => ({ outcome: { kind: 'withheld' }, paused: false }));
    expect(unsent[0]?.next.evidence).toContain('could not check whether changes are paused');
  });
});
