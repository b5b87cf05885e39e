/** The pages that are partly computed from the code, with what belongs into them. */

import { OPTION_HELP } from '../../src/commands/help.ts';
import { registry } from '../../src/commands/index.ts';
import { coverageSummary } from '../sandbox/management/interface/coverage.ts';
import { assumptionList, assumptionsIn } from './assumptions.ts';
import type { Region } from './regions.ts';

export const ROOT = new URL('../..', import.meta.url).pathname;

export type Page = { readonly path: string; readonly regions: () => readonly Region[] };

export const PAGES: readonly Page[] = [
  {
    path: 'src/commands/README.md',
    regions: () => [
      { name: 'commands', body: commandTable() },
      { name: 'options', body: optionTable() },
    ],
  },
  {
    path: 'src/ASSUMPTIONS.md',
    regions: () => [{ name: 'assumptions', body: assumptionList(assumptionsIn(ROOT)) }],
  },
  { path: 'src/sandbox/README.md', regions: () => [{ name: 'coverage', body: coverageSummary() }] },
];

/** Every command with its usage and summary, in the order of help. */
function commandTable(): string {
  const cell = (text: string) => text.replaceAll('|', '\\|');
  const rows = registry.help().map(({ usage, summary }) => `| \`${cell(usage)}\` | ${cell(summary)} |`);
  return ['| command | what it does |', '|---|---|', ...rows].join('\n');
}

/** Within a list, so indented. */
function optionTable(): string {
  const rows = OPTION_HELP.map(({ text, description }) => `  | \`${text}\` | ${description} |`);
  return ['  | option | meaning |', '  |---|---|', ...rows].join('\n');
}
