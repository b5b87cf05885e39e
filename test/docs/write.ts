/** `npm run docs`: writes the computed parts of the pages. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PAGES, ROOT } from './pages.ts';
import { withRegions } from './regions.ts';

if (process.argv.includes('--help')) {
  process.stdout.write(
    'Usage: npm run docs\n\nWrites the parts of the pages that are computed from the code.\n',
  );
  process.exit(0);
}
for (const { path, regions } of PAGES) {
  const file = join(ROOT, path);
  const before = readFileSync(file, 'utf8');
  const after = withRegions(before, regions());
  if (after !== before) writeFileSync(file, after);
  process.stdout.write(`${path} ${after === before ? 'is current' : 'written'}\n`);
}
