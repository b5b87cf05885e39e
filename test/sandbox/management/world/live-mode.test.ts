import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../../src/lib/clock.ts';
import type { WorldRequest } from '../../../../src/sandbox/contracts/services.ts';
import { createRandom, uuidOf } from '../../../../src/sandbox/management/world/random.ts';
import { property } from '../../../harness/property.ts';
import { madePerTest } from '../../../harness/use-started.ts';
import { startService, type TestService } from '../harness/service.ts';

const service = madePerTest(startService);

function order(service: TestService, wanted: WorldRequest): readonly number[] {
  const result = service.management.world(wanted);
  if (!result.ok) throw new Error(result.error);
  return result.events;
}

describe('live and quiet', () => {
  it('nothing happens spontaneously unless live mode is on', async () => {
    const newest = await service.rows('/events?limit=1');
    const connected = (await service.rows('/servers')).map((row) => row['connected']);
    await service.clock.advance(3 * DAY);
    expect(await service.rows('/events?limit=1')).toEqual(newest);
    expect((await service.rows('/servers')).map((row) => row['connected'])).toEqual(connected);
  });

  it('live mode lasts until quiet', async () => {
    const [before] = await service.rows('/events?limit=1');
    expect(order(service, { do: 'live' })).toEqual([]);
    await service.clock.advance(4 * HOUR);
    const happened = (await service.rows('/events')).filter(({ id }) => Number(id) > Number(before?.['id']));
    expect(happened.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['system.patch.failed', 'system.patch.applied', 'user.login']),
    );
    order(service, { do: 'quiet' });
    const newest = await service.rows('/events?limit=1');
    await service.clock.advance(4 * HOUR);
    expect(await service.rows('/events?limit=1')).toEqual(newest);
  });

  it('says whether live mode is on, also after events and after a reset', async () => {
    expect(service.management.isLive()).toBe(false);
    order(service, { do: 'live' });
    await service.clock.advance(HOUR);
    expect(service.management.isLive()).toBe(true);
    order(service, { do: 'quiet' });
    expect(service.management.isLive()).toBe(false);
    order(service, { do: 'live' });
    service.management.reset();
    expect(service.management.isLive()).toBe(false);
  });

  it('live twice is still one live mode', async () => {
    const [once, twice] = [await startService(), await startService()];
    order(once, { do: 'live' });
    order(twice, { do: 'live' });
    order(twice, { do: 'live' });
    await Promise.all([once.clock.advance(2 * HOUR), twice.clock.advance(2 * HOUR)]);
    expect(await twice.rows('/events')).toEqual(await once.rows('/events'));
  });
});

describe('seeded chance', () => {
  it('repeats itself for the same seed', () => {
    const [one, other] = [createRandom('a'), createRandom('a')];
    const draw = (random: typeof one) => Array.from({ length: 50 }, () => random.next());
    expect(draw(one)).toEqual(draw(other));
    expect(draw(createRandom('b'))).not.toEqual(draw(createRandom('a')));
  });

  it('stays inside its bounds and reaches both', () => {
    const random = createRandom('bounds');
    const drawn = new Set(Array.from({ length: 500 }, () => random.int(3, 7)));
    expect([...drawn].sort()).toEqual([3, 4, 5, 6, 7]);
  });

  property([fc.string(), fc.uniqueArray(fc.integer()), fc.nat({ max: 50 })])(
    'samples different items, and no more than there are',
    (seed, items, count) => {
      const sample = createRandom(seed).sample(items, count);
      expect(sample).toHaveLength(Math.min(count, items.length));
      expect(new Set(sample).size).toBe(sample.length);
      expect(items).toEqual(expect.arrayContaining([...sample]));
    },
  );

  it('will not pick from nothing', () => {
    expect(() => createRandom('x').pick([])).toThrow('nothing to pick');
  });

  it('makes well-formed uuids', () => {
    expect(uuidOf('x')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(uuidOf('x')).not.toBe(uuidOf('y'));
  });
});
