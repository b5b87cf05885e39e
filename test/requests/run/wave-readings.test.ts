/** What a process keeps of the waves that it read. */
import { expect, it } from 'vitest';
import { DAY } from '../../../src/lib/clock.ts';
import type { RequestId } from '../../../src/lib/ids.ts';
import { createWaveReadings, type WaveReadings } from '../../../src/requests/run/wave-readings.ts';
import { planRollout } from '../../../src/rollout/plan.ts';
import type { RequestRecord } from '../../../src/store/port/request-records.ts';
import { createRequestsSetup, type RequestsSetup } from '../requests-setup.ts';

let line: RequestsSetup;

/** The waves that were read, by their requests. */
const read: RequestId[] = [];

async function startReadings(): Promise<WaveReadings> {
  read.length = 0;
  line = await createRequestsSetup();
  const { store, clock, fleet } = line;
  const waveCounts = (id: RequestId) => {
    read.push(id);
    return store.requests.waveCounts(id);
  };
  return createWaveReadings({
    store: { ...store, requests: { ...store.requests, waveCounts } },
    clock,
    reader: fleet.reader,
    sharedReader: fleet.reader,
    groupName: async () => null,
    fleetSize: () => null,
    recordMoves: async () => [],
    returnRest: async () => {},
  });
}

const recorded = () =>
  line.record({ kind: 'scan' }, line.fleet.addDevices(2), { plan: planRollout(3, { waves: [] }) });

async function readWave(readings: WaveReadings, request: RequestRecord): Promise<void> {
  const { rollout } = request;
  if (rollout === null) throw new Error('it has no rollout');
  await readings.at({ request, rollout, range: { from: 0, to: 3 }, first: 0 });
}

it('is dropped a day after another replica went on with the wave', async () => {
  const readings = await startReadings();
  const [gone, next] = [await recorded(), await recorded()];
  await readWave(readings, gone);
  await readWave(readings, gone);
  expect(read).toEqual([gone.id]);
  await line.clock.advance(DAY + 1);
  await readWave(readings, next);
  await readWave(readings, gone);
  await readWave(readings, next);
  expect(read).toEqual([gone.id, next.id, gone.id]);
});
