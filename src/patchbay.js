/** The entry point: ensures the right Node and calls the command line in `main.ts`. */
import { keepCompiled, onRightNode } from './runtime.js';

await onRightNode(async () => {
  keepCompiled();
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
});
