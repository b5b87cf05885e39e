/** Commands through Socket Mode, each until its acknowledgement; with the same client for both. */
import { type Figure, figure, median } from '../report/figure.ts';
import { runInterleaved } from '../report/interleaved-runs.ts';
import { connectClient } from './client.ts';
import { startSlackProcess } from './process-messages.ts';

const COMMANDS = 2_000;

export async function slackCommands(): Promise<readonly Figure[]> {
  const ours = await startSlackProcess('ours');
  const bare = await startSlackProcess('bare');
  const ourClient = await connectClient(ours);
  const bareClient = await connectClient(bare);
  try {
    const perSecond = (ms: number) => COMMANDS / (ms / 1_000);
    const [fast = [], faster = []] = await runInterleaved({ rounds: 9, warmUp: 2 }, [
      async () => perSecond(await ours.perform({ commands: COMMANDS, envelope: {} })),
      async () => perSecond(await bare.perform({ commands: COMMANDS, envelope: ourClient.envelope() })),
    ]);
    return [
      figure({
        name: 'commands a second through Socket Mode',
        unit: '/s',
        ours: median(fast),
        baseline: median(faster),
        against: 'ws with the same envelopes',
      }),
    ];
  } finally {
    ourClient.close();
    bareClient.close();
    await ours.stop();
    await bare.stop();
  }
}
