import { describe, expect, it } from 'vitest';
import { deviceListOffer, unknownValueProblem } from '../../../src/commands/targets/find-devices.ts';
import { deviceMatcher } from '../../../src/commands/targets/select-devices.ts';
import { deviceId } from '../../../src/lib/ids.ts';
import { aDevice, START } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';

const DEVICES = 20;

/** A snapshot that counts how often each fact of its devices was read. */
async function aSnapshot() {
  const { ports } = testPorts({
    devices: Array.from({ length: DEVICES }, (_, at) =>
      aDevice({ id: deviceId(at + 1), name: `web-${at}`, tags: ['critical', 'kiosk'], osName: 'Ubuntu' }),
    ),
  });
  const snapshot = await ports.inventory.snapshot();
  const reads = new Map<PropertyKey, number>();
  const devices = snapshot.devices.map(
    (device) =>
      new Proxy(device, {
        get(target, fact) {
          reads.set(fact, (reads.get(fact) ?? 0) + 1);
          return Reflect.get(target, fact);
        },
      }),
  );
  return { snapshot: { ...snapshot, devices }, reads };
}

const LIST = { head: { name: 'devices', usage: 'devices' }, offer: deviceListOffer };
const SLIPS = ['criticla', 'crtical', 'kisok', 'criticall', 'koisk', 'ctitical'];
const slips = (count: number) =>
  SLIPS.slice(0, count).map((value) => ({ key: 'tag', value, negated: false }) as const);
const UNKNOWN = { kind: 'word', key: 'tag', value: 'criticla', nearest: ['critical'] } as const;

describe('a value of a filter', () => {
  it('is compared with the devices’ values, which are read once per snapshot', async () => {
    const { snapshot, reads } = await aSnapshot();
    for (const { key, value } of slips(SLIPS.length))
      expect(deviceMatcher({ key, value }, snapshot, START)).toMatchObject({ kind: 'word', value });
    const against = { snapshot, now: START, ...LIST };
    unknownValueProblem(UNKNOWN, { words: [], filters: slips(5) }, against);
    expect(reads.get('tags')).toBe(DEVICES);
  });

  it.each([
    [1, 1],
    [5, 1],
    [6, 0],
  ])('is corrected with the others where %d are misspelled: %d lines', async (mistyped, lines) => {
    const { snapshot } = await aSnapshot();
    const problem = unknownValueProblem(
      UNKNOWN,
      { words: [], filters: slips(mistyped) },
      { snapshot, now: START, ...LIST },
    );
    expect('offers' in problem ? problem.offers : []).toHaveLength(lines);
  });
});
