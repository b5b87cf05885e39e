/**
 * `npm run bench`: each figure beside a bare baseline, measured in the same run in turns. The machine decides the
 * figures, the program the ratios. `--json` prints the same for programs.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { setup, teardown } from '../bundle.ts';
import { acknowledgement, memory, startToReady } from './bots.ts';
import { deviceCard } from './fleet/device-card.ts';
import { fleetWalks } from './fleet/fleet-walks.ts';
import { idlePolls } from './idle-polls.ts';
import { paths } from './paths.ts';
import type { Figure } from './report/figure.ts';
import { table } from './report/table.ts';
import { rollouts } from './rollouts/rollouts.ts';
import { search } from './search/search.ts';
import { walking } from './search/while-walking.ts';
import { slackChannel, slackCommands, slackStart } from './slack/slack.ts';
import { withBenchStages } from './stages.ts';

const MEASUREMENTS = [
  acknowledgement,
  deviceCard,
  idlePolls,
  startToReady,
  memory,
  paths,
  fleetWalks,
  search,
  walking,
  rollouts,
  slackStart,
  slackCommands,
  slackChannel,
];

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    only: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const names = MEASUREMENTS.map(({ name }) => name).join(', ');
if (values.help) {
  process.stdout.write(`Usage: npm run bench [-- OPTIONS]

  --only NAME  one of ${names}
  --json       the figures for programs
`);
  process.exit(0);
}
const wanted = MEASUREMENTS.filter(({ name }) => values.only === undefined || name === values.only);
if (wanted.length === 0) {
  process.stderr.write(`--only takes one of ${names}\n`);
  process.exit(2);
}
await setup();
const figures = await withBenchStages(async (stages) => {
  const found: Figure[] = [];
  for (const measure of wanted) {
    process.stderr.write(`measuring: ${measure.name}\n`);
    found.push(...(await measure(stages)));
  }
  return found;
}).finally(teardown);
const machine = `Node ${process.versions.node}, ${process.platform}, ${availableParallelism()} cores`;
process.stdout.write(
  values.json ? `${JSON.stringify({ machine, figures }, null, 2)}\n` : `\n${table(figures)}\n\n${machine}\n`,
);
