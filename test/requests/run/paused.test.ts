/** Commands that the client withheld at the last moment, because of a pause or because it could not read whether there is one. */
import { describe, expect, it } from 'vitest';
import { later, MINUTE, SECOND } from '../../../src/lib/clock.ts';
import { personId } from '../../../src/lib/ids.ts';
import { createPauseSwitch } from '../../../src/requests/decide/pause-switch.ts';
import { madePerTest } from '../../harness/use-started.ts';
import { APPROVALS, createRequestsSetup, START } from '../requests-setup.ts';

const CAROL = personId('U_CAROL');
const scan = { kind: 'scan' } as const;
const PAUSED = [{ kind: 'paused', since: START, endedAt: null, reason: 'an incident' }];

const line = madePerTest(createRequestsSetup);
const pause = madePerTest(() => {
  const { store, clock } = line;
  return createPauseSwitch({ store, clock, approvalsChannel: APPROVALS, wakeWorker: () => {} });
});

describe('a command that the client withheld at the last moment', () => {
  const withheld = () => line.fleet.hold(() => async () => ({ kind: 'withheld' }));

  it('ends unsent, with the pause as evidence', async () => {
    line.fleet.hold(() => async () => {
      await pause.begin(CAROL, 'an incident');
      return { kind: 'withheld' };
    });
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({ state: 'not_sent', evidence: PAUSED });
  });

  it('is ready again when nothing is paused, says why, and is sent later', async () => {
    withheld();
    const id = await line.start(scan);
    await line.settle();
    expect(await line.targetOf(id)).toMatchObject({
      state: 'ready',
      endedAt: null,
      nextAt: later(START, 2 * SECOND),
      evidence: [{ kind: 'pause-unread' }],
    });
    line.fleet.hold(() => async () => ({ kind: 'accepted' }));
    await line.pass(2 * SECOND);
    expect(await line.targetOf(id)).toMatchObject({ state: 'accepted' });
  });

  it('ends unsent when that lasts until it is too late', async () => {
    withheld();
    const id = await line.start(scan);
    await line.pass(15 * MINUTE);
    expect(await line.targetOf(id)).toMatchObject({
      state: 'not_sent',
      evidence: [{ kind: 'pause-unread' }],
    });
  });
});
