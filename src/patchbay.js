/** The entry point: ensures the right Node and calls the command line in `main.ts`. */
import { keepCompiled, onRightNode } from './runtime.js';
import { showSourceLines } from './source-lines.js';

await onRightNode(async () => {
  keepCompiled();
  showSourceLines();
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
});
