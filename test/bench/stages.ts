/** The product and the bare Bolt app, each between services of its own with the same seed. */
import { fileURLToPath } from 'node:url';
import { type Stage, startStage } from './stage.ts';

const BARE_BOLT = fileURLToPath(new URL('bare-bolt.ts', import.meta.url));

export type Stages = { readonly ours: Stage; readonly bare: Stage };

/** Lets `job` work with both, and stops both whatever happens. */
export async function withStages<T>(job: (stages: Stages) => Promise<T>): Promise<T> {
  const ours = await startStage();
  try {
    const bare = await startStage({ entry: BARE_BOLT });
    try {
      return await job({ ours, bare });
    } finally {
      await bare.stop();
    }
  } finally {
    await ours.stop();
  }
}
