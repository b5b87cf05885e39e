/** Runs a program of the tests on the right Node: `node test/run.js PATH [options]`, the path from the project's root. */
import { onRightNode } from '../src/runtime.js';

await onRightNode(async () => {
  const [node = '', , program = '', ...options] = process.argv;
  const place = new URL(`../${program}`, import.meta.url);
  process.argv = [node, place.pathname, ...options];
  await import(place.href);
});
