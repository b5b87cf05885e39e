import { describe, expect, it } from 'vitest';
import { channelId, personId } from '../../src/ids.ts';
import type { Dispatch } from '../../src/slack/dispatch.ts';
import { createInFlight, interruptible, RESTARTING } from '../../src/slack/in-flight.ts';

const unused: Dispatch = {
  text: async () => RESTARTING,
  command: async () => RESTARTING,
  again: async () => RESTARTING,
  decide: async () => RESTARTING,
};
const never = () => new Promise<string>(() => undefined);

describe('questions under way', () => {
  it('are waited for', async () => {
    const inFlight = createInFlight({ answersMs: 60_000 });
    const gate = Promise.withResolvers<string>();
    const told: unknown[] = [];
    const asked = inFlight.during(async () => {
      told.push(await inFlight.orRestarting(() => gate.promise));
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
    const asked = inFlight.during(async () => {
      told.push(await inFlight.orRestarting(never));
    });
    void asked();
    void asked();
    await inFlight.drain();
    expect(told).toEqual([RESTARTING, RESTARTING]);
    expect(await inFlight.orRestarting(never)).toEqual(RESTARTING);
  });

  it('are not begun once nobody waits for them: who asks then is told to ask again', async () => {
    const inFlight = createInFlight({ answersMs: 1 });
    void inFlight.during(async () => void (await inFlight.orRestarting(never)))();
    await inFlight.drain();
    let begun = 0;
    const dispatch = interruptible(
      {
        ...unused,
        command: async () => {
          begun += 1;
          return RESTARTING;
        },
      },
      inFlight,
    );
    const caller = { person: personId('U0ANN'), channel: channelId('C0OPS') };
    await dispatch.command({ name: 'scan', input: {}, page: 0, caller, requestKey: 'command:1' });
    expect(begun).toBe(0);
  });

  it('whose askers cannot be told do not hold the stop up for ever', async () => {
    const inFlight = createInFlight({ answersMs: 1, tellingMs: 1 });
    void inFlight.during(async () => void (await never()))();
    await inFlight.drain();
  });

  it('that fail are no longer under way', async () => {
    const inFlight = createInFlight({ answersMs: 60_000 });
    const failing = inFlight.during(async () => {
      throw new Error('no');
    });
    await expect(failing()).rejects.toThrow('no');
    await inFlight.drain();
  });
});
