/** From the call until the workspace listens, in a fresh process each time. */
import { type Figure, figure, median } from './figure.ts';
import { startSlack } from './slack-orders.ts';
import { takeTurns } from './turns.ts';

export async function slackStart(): Promise<readonly Figure[]> {
  const take = (kind: 'ours' | 'bare') => async () => {
    const { listeningMs, stop } = await startSlack(kind);
    await stop();
    return listeningMs;
  };
  const [ours = [], bare = []] = await takeTurns({ rounds: 9, warmUp: 1 }, [take('ours'), take('bare')]);
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
