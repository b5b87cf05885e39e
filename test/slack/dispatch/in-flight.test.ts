import { describe, expect, it } from 'vitest';
import { channelId, personId } from '../../../src/lib/ids.ts';
import type { Dispatch } from '../../../src/slack/dispatch/dispatch-port.ts';
import { createInFlight, interruptible, RESTARTING } from '../../../src/slack/dispatch/dispatch-port.ts';
import { startedView } from '../../../src/slack/dispatch/submit-request.ts';
import { renderView } from '../../../src/views/views.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';

const unused: Dispatch = {
  runText: async () => RESTARTING,
  runCommand: async () => RESTARTING,
  withdraw: async () => RESTARTING,
  control: async () => RESTARTING,
  openWindow: async () => RESTARTING,
  submitWindow: async () => RESTARTING,
};
const never = () => new Promise<string>(() => undefined);

describe('questions in flight', () => {
  it('are waited for', async () => {
    const inFlight = createInFlight({ answersMs: 60_000 });
    const gate = Promise.withResolvers<string>();
    const told: unknown[] = [];
    const asked = inFlight.track(async () => {
      told.push(await inFlight.untilRestart(() => gate.promise));
    });
    void asked();
    const drained = inFlight.drain();
    gate.resolve('answer');
    await drained;
    expect(told).toEqual(['answer']);
  });

  it('that take too long end with the words that ask to ask again, each of them', async () => {
    const inFlight = createInFlight({ answersMs: 1 });
    const told: unknown[] = [];
    const asked = inFlight.track(async () => {
      told.push(await inFlight.untilRestart(never));
    });
    void asked();
    void asked();
    await inFlight.drain();
    expect(told).toEqual([RESTARTING, RESTARTING]);
    expect(await inFlight.untilRestart(never)).toEqual(RESTARTING);
  });

  it('do not start once nobody waits for them: their askers are told to try again', async () => {
    const inFlight = createInFlight({ answersMs: 1 });
    void inFlight.track(async () => void (await inFlight.untilRestart(never)))();
    await inFlight.drain();
    let begun = 0;
    const dispatch = interruptible(
      {
        ...unused,
        runCommand: async () => {
          begun += 1;
          return RESTARTING;
        },
      },
      inFlight,
    );
    const caller = { person: personId('U0ANN'), channel: channelId('C0OPS') };
    await dispatch.runCommand({ name: 'scan', input: {}, page: 0, caller, requestKey: 'command:1' });
    expect(begun).toBe(0);
  });

  it('whose askers cannot be reached do not delay the stop for ever', async () => {
    const inFlight = createInFlight({ answersMs: 1, notifyMs: 1 });
    void inFlight.track(async () => void (await never()))();
    await inFlight.drain();
  });

  it('that fail are no longer in flight', async () => {
    const inFlight = createInFlight({ answersMs: 60_000 });
    const failing = inFlight.track(async () => {
      throw new Error('no');
    });
    await expect(failing()).rejects.toThrow('no');
    await inFlight.drain();
  });
});

it('counts all devices of a request, not only those that are loaded', () => {
  const request = aRolloutRequest({ action: { kind: 'scan' }, expiresAt: null });
  expect(renderView(startedView(request, null)).text).toContain('Scan of 40 devices requested.');
});
