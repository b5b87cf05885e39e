/**
 * From the envelope to its acknowledgement while the product walks 100,000 devices. The service is a separate
 * process; during every command at least one page is read.
 */

import { startBenchStage } from '../bench-stage.ts';
import { startLocalService } from '../fleet/local-service.ts';
import { type Figure, figure, quantile } from '../report/figure.ts';
import { runInterleaved } from '../report/interleaved-runs.ts';
import type { BenchStages } from '../stages.ts';

const DEVICES = 100_000;
/** On the clock: longer than the product's pause between two pages, so that each move brings one. */
const PAGE_MS = 5_000;
/** Needs nothing from the service, where it would wait behind the pages. */
const COMMAND = 'help';

export async function walking({ bare }: BenchStages): Promise<readonly Figure[]> {
  const service = await startLocalService({ devices: DEVICES });
  try {
    const {
      FLEET_BASE_URL: baseUrl = '',
      FLEET_API_KEY: apiKey = '',
      FLEET_ORGANIZATION: organization,
    } = service.env;
    const ours = await startBenchStage({
      service: { baseUrl, apiKey, organizationId: Number(organization) },
    });
    try {
      const [product = [], bolt = []] = await runInterleaved({ rounds: 120, warmUp: 10 }, [
        async () => {
          const moved = ours.advanceClock(PAGE_MS);
          const { ackMs } = await ours.sendCommand(COMMAND);
          await moved;
          return ackMs;
        },
        async () => (await bare.sendCommand(COMMAND)).ackMs,
      ]);
      return [compared('median', 1 / 2, product, bolt), compared('p99', 99 / 100, product, bolt)];
    } finally {
      await ours.stop();
    }
  } finally {
    await service.stop();
  }
}

function compared(what: string, part: number, product: readonly number[], bolt: readonly number[]): Figure {
  return figure({
    name: `envelope to acknowledgement during a walk of 100,000 devices, ${what}`,
    unit: 'ms',
    ours: quantile(product, part),
    baseline: quantile(bolt, part),
    against: 'bare Bolt',
  });
}
