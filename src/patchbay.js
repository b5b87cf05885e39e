/** The entry point: ensures the right Node and calls the command line in `main.ts`. */
import { onRightNode } from './runtime.js';

await onRightNode(async () => {
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
});
