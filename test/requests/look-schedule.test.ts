import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FleetError, Lane } from '../../src/fleet/fleet.ts';
import { createManualClock, DAY, later, MINUTE, SECOND } from '../../src/lib/clock.ts';
import { cardKey, deviceId, requestCardKey } from '../../src/lib/ids.ts';
import { clip, errorFactsOf } from '../../src/requests/clip.ts';
import {
  initialDeadline,
  lastLookAt,
  mayBeClaimed,
  nextLookAt,
  retryAt,
  retryBefore,
  retryUnsentAt,
  updatedDeadline,
} from '../../src/requests/look-schedule.ts';
import { createLedger, type RecordMoves } from '../../src/requests/run/ledger.ts';
import {
  afterSending,
  dueSince,
  notSent,
  unsent,
  unsentBecause,
} from '../../src/requests/target-transitions.ts';
import { planRollout } from '../../src/rollout/plan.ts';
import { countIn } from '../../src/rollout/results.ts';
import { cardContent } from '../../src/slack/cards/card-content.ts';
import { type RequestRecord, type TargetState, totalOf } from '../../src/store/port/request-records.ts';
import type { Store } from '../../src/store/port/store.ts';
import { memoryStore } from '../harness/memory-store.ts';
import { property } from '../harness/property.ts';
import { brokenRules } from '../views/slack-message-rules.ts';
import { ALICE, aRequest, aTarget, NOW, SENT } from './builders.ts';
import { anError, ORGANIZATION } from './fleet-builders.ts';
import { CHANNELS, createRequestsSetup, type RequestsSetup, reboot } from './requests-setup.ts';

/** Seconds between reads of a target that does not change, in its first `ms`. */
function looks(target = aTarget(), ms = 5 * MINUTE): readonly number[] {
  const pauses: number[] = [];
  for (let now = SENT; now < later(SENT, ms); ) {
    const next = nextLookAt(target, true, now);
    pauses.push((next - now) / SECOND);
    now = next;
  }
  return pauses;
}

describe('how often a command is looked at', () => {
  it('often at first, then once a minute', () => {
    expect(looks()).toEqual([5, 5, 10, 10, 15, 30, 60, 60, 60, 60]);
  });

  it('often again after it moved', () => {
    const now = later(SENT, 20 * MINUTE);
    expect(nextLookAt(aTarget({ state: 'answered', answeredAt: now }), true, now)).toBe(
      later(now, 5 * SECOND),
    );
  });

  it('rarely while it waits for an offline device', () => {
    expect(nextLookAt(aTarget({ state: 'queued' }), false, SENT)).toBe(later(SENT, 5 * MINUTE));
  });

  it('often while a device that took it is away for a moment, and rarely when it stays away', () => {
    const target = aTarget({ state: 'answered', answeredAt: SENT });
    expect(nextLookAt(target, false, later(SENT, MINUTE))).toBe(later(SENT, 1.5 * MINUTE));
    const now = later(SENT, 31 * MINUTE);
    expect(nextLookAt(target, false, now)).toBe(later(now, 5 * MINUTE));
  });
});

describe('how long a command is followed', () => {
  it.each([
    ['an online device', true, 30 * MINUTE],
    ['an offline device', false, 7 * DAY],
    ['a device that may be either', null, 30 * MINUTE],
  ])('%s', (_what, connected, ms) => {
    expect(initialDeadline(SENT, connected)).toBe(later(SENT, ms));
  });

  it('a week while the device is offline, and half an hour from its return', () => {
    const gone = updatedDeadline(aTarget(), false, later(SENT, MINUTE));
    expect(gone).toBe(later(SENT, 7 * DAY));
    const returned = later(SENT, 2 * DAY);
    const back = updatedDeadline(aTarget({ deadlineAt: gone }), true, returned);
    expect(back).toBe(later(returned, 30 * MINUTE));
    expect(updatedDeadline(aTarget({ deadlineAt: back }), true, later(returned, 10 * MINUTE))).toBe(back);
  });

  it('never longer than a week, however often the device comes and goes', () => {
    const late = later(SENT, 7 * DAY - MINUTE);
    expect(updatedDeadline(aTarget({ deadlineAt: later(SENT, 7 * DAY) }), true, late)).toBe(
      later(SENT, 7 * DAY),
    );
  });

  it('half an hour for one that was never found in the queue, though the device is offline', () => {
    const target = aTarget({ state: 'unknown', deadlineAt: later(SENT, 7 * DAY) });
    expect(updatedDeadline(target, false, later(SENT, MINUTE))).toBe(later(SENT, 30 * MINUTE));
  });

  it('a week at most when the service cannot be read', () => {
    expect(lastLookAt(aTarget())).toBe(later(SENT, 7 * DAY));
  });
});

/** Pause before the next read, `left` before the deadline; null: no further read. */
function soon(error: FleetError, attempts: number, left = 15 * MINUTE): number | null {
  const next = retryBefore(later(SENT, left), { error, attempts, now: SENT });
  return next === null ? null : next - SENT;
}

describe('the pause after a failed read', () => {
  const down = anError('unreachable', null);
  const throttled = { ...down, kind: 'throttled', retryAfterMs: 10 * MINUTE } as const;

  it('doubles up to five minutes in the background, and up to a minute where somebody waits', () => {
    const background = [0, 1, 2, 5, 6, 50].map((attempts) => (retryAt(down, attempts, SENT) - SENT) / SECOND);
    expect(background).toEqual([5, 10, 20, 160, 300, 300]);
    const waited = [0, 1, 4, 5, 50].map((attempts) => (soon(down, attempts) ?? 0) / SECOND);
    expect(waited).toEqual([2, 4, 32, 60, 60]);
  });

  it('is never shorter than the service asks for', () => {
    expect(retryAt(throttled, 0, SENT)).toBe(later(SENT, 10 * MINUTE));
    expect(soon(throttled, 0)).toBe(10 * MINUTE);
  });

  it('ends a second before it is too late, and at once where the service wants a longer one', () => {
    expect(soon(down, 5, 60 * SECOND)).toBe(59 * SECOND);
    expect(soon(down, 5, SECOND)).toBeNull();
    expect(soon(down, 5, 0)).toBeNull();
    expect(soon(throttled, 0, 10 * MINUTE)).toBeNull();
  });
});

describe('the pause before a command that never left is claimed again', () => {
  const pause = (retryAfterMs: number | null, attempts = 0) =>
    retryUnsentAt(retryAfterMs, attempts, SENT) - SENT;

  it('doubles up to a minute, and is as long as the service asks for, up to half an hour', () => {
    expect([0, 1, 4, 5, 50].map((attempts) => pause(null, attempts) / SECOND)).toEqual([2, 4, 32, 60, 60]);
    expect([SECOND, 10 * MINUTE, DAY].map((ms) => pause(ms) / SECOND)).toEqual([2, 600, 1800]);
  });

  it('is over at its time, and where it would be longer than any, because the clock was set back', () => {
    const waits = [null, 0, 1, 30 * MINUTE, 30 * MINUTE + 1, DAY];
    const claimed = waits.map((ms) => mayBeClaimed({ nextAt: ms === null ? null : later(SENT, ms) }, SENT));
    expect(claimed).toEqual([true, true, false, false, true, true]);
  });
});

let line: RequestsSetup;

it.each<[string, number, Lane]>([
  ['one device have the lane of writes, behind what people read', 1, 'write'],
  ['ten devices have it, too', 10, 'write'],
  ['more devices are work that nobody waits for', 11, 'background'],
])('commands to %s', async (_, count, lane) => {
  const lanes: (Lane | undefined)[] = [];
  line = await createRequestsSetup({
    fleetSize: () => count,
    writer: (writer) => ({
      issue: (device, action, options) => {
        lanes.push(options?.lane);
        return writer.issue(device, action, options);
      },
    }),
  });
  const plan = planRollout(count, { waves: [] });
  await line.record({ kind: 'scan' }, line.fleet.addDevices(count - 1), count > 1 ? { plan } : {});
  await line.settle();
  expect(lanes).toEqual(Array.from({ length: count }, () => lane));
});

describe('clipped text', () => {
  property([fc.string({ unit: 'binary', maxLength: 400 }), fc.integer({ min: 1, max: 100 })])(
    'is cut to one line with a mark, and never inside a character',
    (text, length) => {
      const cut = clip(text, length);
      expect(Array.from(cut).length).toBeLessThanOrEqual(length);
      expect(cut).not.toMatch(/[\n\r\t]/);
      expect(cut.isWellFormed()).toBe(true);
      const whole = text.replaceAll(/\s+/g, ' ').trim();
      expect(cut === whole || cut.endsWith('…')).toBe(true);
    },
  );
});

describe('the stored facts of a failed call', () => {
  it('is its kind and status, without an address', () => {
    const facts = { kind: 'forbidden', status: 403, detail: '', held: null };
    expect(errorFactsOf(anError('forbidden', 403))).toEqual(facts);
  });

  it('is its detail, cut', () => {
    const { detail } = errorFactsOf({ ...anError('forbidden', 422), detail: `no\n${'x'.repeat(900)}` });
    expect(detail).toBe(`no ${'x'.repeat(196)}…`);
  });

  it('says that Patchbay held it back, which the service has no part in', () => {
    const why = { kind: 'throttled', retryAfterMs: 5, held: { kind: 'limit' } } as const;
    const expected = { kind: 'throttled', held: { kind: 'limit' } };
    expect(errorFactsOf({ ...anError('timeout', null), ...why })).toMatchObject(expected);
  });
});

describe('notifications', () => {
  const { counts: _, ...REQUEST } = aRequest({ state: 'running', expiresAt: null, seal: null });
  const { id } = REQUEST;
  const MESSAGE = `told:operation:${id}` as const;

  let store: Store;
  let recordMoves: RecordMoves;
  beforeEach(async () => {
    store = await memoryStore(ORGANIZATION);
    recordMoves = createLedger({ store, channels: CHANNELS, clock: createManualClock(SENT) });
  });
  afterEach(() => store.close());

  async function stored(...states: readonly TargetState[]): Promise<void> {
    const targets = states.map((state, position) =>
      aTarget({ requestId: id, deviceId: deviceId(1001 + position), position, state }),
    );
    await store.requests.insert(REQUEST, targets);
  }

  /** Moves the target at `at` to `state`, from its stored state. */
  async function become(at: number, state: TargetState): Promise<void> {
    const request = await store.requests.get(id);
    const target = (await store.targets.of(id))[at];
    if (request === null || target === undefined) throw new Error('no such target');
    const ends = state === 'verified' || state === 'not_verified';
    const moved = { ...target, state, endedAt: ends ? SENT : null };
    const next = state === 'not_sent' ? notSent(target, { kind: 'delayed' }, SENT) : moved;
    await recordMoves(request, [{ from: target.state, next }]);
  }

  describe('a request for several devices', () => {
    it('is reported once, when all of it has ended', async () => {
      await stored('ready', 'accepted');
      await become(0, 'not_sent');
      await become(1, 'answered');
      expect(await store.cards.get(MESSAGE)).toBeNull();
      await become(1, 'not_verified');
      expect(await store.cards.get(MESSAGE)).toMatchObject({ channel: ALICE, wantedRevision: 1 });
    });

    it('that nobody had to approve and of which all are verified is told by its card alone', async () => {
      await stored('accepted', 'queued');
      await become(0, 'verified');
      await become(1, 'verified');
      expect(await store.cards.get(MESSAGE)).toBeNull();
      expect(await store.requests.get(id)).toMatchObject({ state: 'ended', endedAt: SENT });
    });
  });
});

const claimed = aTarget({ state: 'issuing', acceptedAt: null });

describe('the evidence for a command that was not carried out', () => {
  it.each<readonly [string, FleetError, object]>([
    [
      'it was refused',
      anError('forbidden', 403),
      { kind: 'refused', error: { kind: 'forbidden', status: 403, detail: '', held: null } },
    ],
    [
      'it was refused in words',
      { ...anError('forbidden', 422), kind: 'invalid', detail: 'no such\ncommand' },
      { kind: 'refused', error: { kind: 'invalid', status: 422, detail: 'no such command', held: null } },
    ],
    [
      'there were too many',
      { ...anError('timeout', 429), kind: 'throttled', retryAfterMs: 1_000 },
      { kind: 'refused', error: { kind: 'throttled', status: 429, detail: '', held: null } },
    ],
    [
      'it could not be expressed',
      { ...anError('missing', null), kind: 'invalid', fault: { kind: 'blank-tag' } },
      { kind: 'unsendable', fault: { kind: 'blank-tag' } },
    ],
  ])('%s', (_what, error, evidence) => {
    const expected = { state: 'refused', endedAt: SENT, evidence: [evidence] };
    expect(afterSending(claimed, reboot, { kind: 'refused', error }, SENT)).toMatchObject(expected);
  });

  it('an accepted one was not seen in the queue yet', () => {
    const expected = { state: 'accepted', evidence: [{ kind: 'accepted', inQueue: 'not-yet' }] };
    expect(afterSending(claimed, reboot, { kind: 'accepted' }, SENT)).toMatchObject(expected);
  });
});

describe('a target of which nothing was sent', () => {
  const error = { ...anError('unreachable', null), held: { kind: 'stopping' } } as const;

  it('is ready again for a time, and says why', () => {
    const facts = { kind: 'unreachable', status: null, detail: '', held: { kind: 'stopping' } };
    const nextAt = later(SENT, 5_000);
    const ready = { state: 'ready', endedAt: null, nextAt, evidence: [{ kind: 'unsent', error: facts }] };
    expect(unsent(claimed, unsentBecause(error), nextAt)).toMatchObject(ready);
  });

  it('has ended where it is not to be sent any more', () => {
    const waiting = { ...claimed, nextAt: SENT };
    const ended = { state: 'not_sent', endedAt: SENT, nextAt: null, evidence: [{ kind: 'delayed' }] };
    expect(notSent(waiting, { kind: 'delayed' }, SENT)).toMatchObject(ended);
  });
});

describe('the counts of targets', () => {
  const counts = { ready: 2, verified: 2, not_verified: 1, open: 2, failed: 1 };

  it('sum to all of them, with open and failed ones counted once', () => {
    expect(totalOf(counts)).toBe(5);
    expect(countIn(counts, ['verified', 'refused', 'not_verified'])).toBe(3);
  });
});

describe('since when a request is due', () => {
  it.each([
    ['asked where nobody has to agree', { expiresAt: null, createdAt: NOW }, 'requested', NOW],
    ['approved', { decidedAt: SENT }, 'approved', SENT],
  ] as const)('is when it was %s', (_what, change, how, since) => {
    expect(dueSince(aRequest(change))).toEqual({ how, since });
  });
});

const LIMITS = { maxWaiting: 500, reasonFrom: 1_000 };

async function asked(count: number, everyMs: number) {
  const line = await createRequestsSetup({ limits: LIMITS });
  const devices = line.fleet.addDevices(count).slice(1);
  const requests: RequestRecord[] = [];
  for (const device of devices) {
    requests.push(await line.ask({ kind: 'reboot' }, [device]));
    await line.pass(everyMs);
  }
  const messageAbout = async (request: RequestRecord | undefined) => {
    if (request === undefined) throw new Error('too few');
    const around = {
      linkTo: async () => null,
      groupOf: () => null,
      approverGroups: [],
      personal: false,
      clock: line.clock,
    };
    return cardContent(line.store, cardKey('told', requestCardKey(request)), around);
  };
  /** The requests after which a message is named. */
  const told = async () => {
    const cards = requests.map((request) => line.store.cards.get(cardKey('told', requestCardKey(request))));
    const found = await Promise.all(cards);
    return requests.filter((_, at) => found[at] !== null);
  };
  return { ...line, requests, told, messageAbout };
}
it('twelve that expire in one go are one message, each with its button', async () => {
  const scene = await asked(12, 1_000);
  await scene.pass(31 * MINUTE);
  const { requests } = scene;
  expect(await scene.told()).toEqual(requests.slice(0, 1));
  const [first] = requests;
  const message = await scene.messageAbout(first);
  expect(message?.text).toMatch(/^▫️ \*12 of your requests expired\.\* Nobody decided them in time\./);
  const blocks = JSON.stringify(message?.blocks);
  for (const { id } of requests) expect(blocks).toContain(`\\"again\\":{\\"request\\":\\"${id}\\"`);
  expect(message?.metadata?.event_payload).toMatchObject({ state: 'expired' });
});

it('those that expire more than five minutes later are another message, and one alone reads as before', async () => {
  const scene = await asked(4, 2 * MINUTE);
  await scene.pass(40 * MINUTE);
  const [first, , , last] = scene.requests;
  expect(await scene.told()).toEqual([first, last]);
  expect((await scene.messageAbout(first))?.text).toContain('*3 of your requests expired.*');
  expect((await scene.messageAbout(last))?.text).toMatch(/^▫️ Expired\. Your request: Reboot /);
});

it('two at once, on another replica, are one message', async () => {
  const scene = await asked(2, 0);
  await scene.clock.advance(30 * MINUTE);
  const { expire } = scene.replica();
  await Promise.all(scene.requests.map(({ id }) => expire(id)));
  expect(await scene.told()).toHaveLength(1);
});

it('as many as one person may have waiting stay within Slack’s limits, with a mark of what was cut', async () => {
  const scene = await asked(60, 0);
  await scene.pass(31 * MINUTE);
  const message = await scene.messageAbout(scene.requests[0]);
  if (message === null) throw new Error('no message');
  expect(brokenRules(message)).toEqual([]);
  expect(JSON.stringify(message.blocks)).toMatch(/60 of your requests expired.*And 40 more\./);
});
