/** The product and the bare Bolt app, each between its own services with the same seed. */
import { fileURLToPath } from 'node:url';
import { type BenchStage, startBenchStage } from './bench-stage.ts';

const BARE_BOLT = fileURLToPath(new URL('bare-bolt.ts', import.meta.url));

export type BenchStages = { readonly ours: BenchStage; readonly bare: BenchStage };

/** Runs `job` with both, and stops both in any case. */
export async function withBenchStages<T>(job: (stages: BenchStages) => Promise<T>): Promise<T> {
  const ours = await startBenchStage();
  try {
    const bare = await startBenchStage({ entry: BARE_BOLT });
    try {
      return await job({ ours, bare });
    } finally {
      await bare.stop();
    }
  } finally {
    await ours.stop();
  }
}
