/** The way in: sees to the right Node and hands over to the command line in `main.ts`. */
import { onRightNode } from './runtime.js';

await onRightNode(async () => {
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
});
