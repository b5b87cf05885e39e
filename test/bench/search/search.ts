/**
 * Finding devices among 100,000, each figure beside the least that could do the same: uFuzzy over the same texts, or
 * the file with `JSON.parse`. All in separate processes.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Figure, figure, median, quantile } from '../report/figure.ts';
import type { RestartResult, SearchResult, Timings } from './worker.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
const RESTARTS = 5;
const P99 = 99 / 100;

export async function search(): Promise<readonly Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'patchbay-search-'));
  try {
    const path = join(folder, 'index.sqlite');
    const found: SearchResult = await runWorker('measure', path);
    const restarts: RestartResult[] = [];
    while (restarts.length < RESTARTS) restarts.push(await runWorker('restart', path));
    return [...searches(found), restartFigures(restarts)];
  } finally {
    await rm(folder, { recursive: true });
  }
}

function searches({ search: words, completion, dispatch, heap }: SearchResult): readonly Figure[] {
  const at = (name: string, part: number, { ours, bare }: Timings, against: string) =>
    figure({
      name,
      unit: 'ms',
      ours: quantile(ours, part),
      baseline: quantile(bare, part),
      against,
    });
  return [
    at('search among 100,000 devices, p99', P99, words, 'bare uFuzzy'),
    at('search among 100,000 devices, median', 1 / 2, words, 'bare uFuzzy'),
    at('completion among 100,000 devices, p99', P99, completion, 'bare uFuzzy'),
    at('completion among 100,000 devices, median', 1 / 2, completion, 'bare uFuzzy'),
    at('dispatch of a command that reads the index, median', 1 / 2, dispatch, 'bare uFuzzy'),
    figure({
      name: 'memory of the index of 100,000 devices',
      unit: 'MiB',
      ours: heap.ours,
      baseline: heap.bare,
      against: 'texts and ids for uFuzzy',
    }),
  ];
}

function restartFigures(restarts: readonly RestartResult[]): Figure {
  return figure({
    name: 'start to the first search among 100,000 devices that were kept',
    unit: 'ms',
    ours: median(restarts.map(({ ours }) => ours)),
    baseline: median(restarts.map(({ bare }) => bare)),
    against: 'node:sqlite and JSON.parse',
  });
}

async function runWorker<Told>(what: 'measure' | 'restart', path: string): Promise<Told> {
  const child = fork(WORKER, [what, path], { execArgv: ['--expose-gc'] });
  const [answer] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${what} ended with ${code}`))),
  ]);
  return answer;
}
