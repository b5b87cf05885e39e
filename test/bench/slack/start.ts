/** From the call until the workspace listens, in a fresh process each time. */
import { type Figure, figure, median } from '../report/figure.ts';
import { runInterleaved } from '../report/interleaved-runs.ts';
import { startSlackProcess } from './process-messages.ts';

export async function slackStart(): Promise<readonly Figure[]> {
  const take = (kind: 'ours' | 'bare') => async () => {
    const { listeningMs, stop } = await startSlackProcess(kind);
    await stop();
    return listeningMs;
  };
  const [ours = [], bare = []] = await runInterleaved({ rounds: 9, warmUp: 1 }, [take('ours'), take('bare')]);
  return [
    figure({
      name: 'local Slack, from the call until it listens',
      unit: 'ms',
      ours: median(ours),
      baseline: median(bare),
      against: 'node:http and ws',
    }),
  ];
}
