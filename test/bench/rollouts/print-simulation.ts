/** Prints the table of the simulated rollouts: `node test/bench/rollouts/print-simulation.ts`. */
import { simulate } from './simulation.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const LATENCIES_MS = [50, 800];

for (const devices of SIZES)
  for (const latencyMs of LATENCIES_MS) {
    const { hours, requests, pages, singles, walkMinutes } = simulate(devices, latencyMs);
    const counts = [devices, latencyMs, requests, pages].map((count) => count.toLocaleString('en'));
    const cells = [...counts, (singles / devices).toFixed(2), walkMinutes.toFixed(1), hours.toFixed(1)];
    process.stdout.write(`| ${cells.join(' | ')} |\n`);
  }
