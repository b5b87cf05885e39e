/**
 * The way in, in plain JavaScript so that it also runs on a Node that is too old for the rest: says what is wrong
 * there, and otherwise starts `main.ts`.
 */
const NEEDED = [24, 15];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `Patchbay needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}.\n` +
      'Run it as `npm start`, `npm run sandbox` or `npm run doctor` after `npm ci`, which brings the right Node on\n' +
      'Linux and Windows (not with --omit=optional). Elsewhere install a newer Node.\n',
  );
  process.exitCode = 2;
} else {
  const { main } = await import('./main.ts');
  await main(process.argv.slice(2));
}
