/**
 * Ensures the right Node, in plain JavaScript so that it also runs on a Node too old for the rest. `npm ci` installs
 * one for Linux and Windows. Newer npm puts it first in the PATH of every script; older npm (10, as with Node 20)
 * only installs it, so it is looked up there and everything is run again with it.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The oldest Node that runs the rest; `package.json` requires the same. */
const NEEDED = [24, 15];

/**
 * Does `job` if this Node is new enough; otherwise runs this same command line on the Node that `npm ci` brought.
 * @param {() => Promise<unknown>} job
 */
export async function onRightNode(job) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const [neededMajor = 0, neededMinor = 0] = NEEDED;
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) {
    await job();
    return;
  }
  const node = broughtNode();
  if (node === null) {
    process.stderr.write(tooOld());
    process.exitCode = 2;
    return;
  }
  runAgain(node);
}

/**
 * Keeps compiled code for the next start, which then takes half as long; the sandbox's bot inherits the setting. The
 * folder belongs to whoever installed the packages, unlike Node's own choice among the temporary files.
 */
export function keepCompiled() {
  const folder = fileURLToPath(new URL('../node_modules/.cache/patchbay', import.meta.url));
  process.env['NODE_COMPILE_CACHE'] ??= folder;
  module.enableCompileCache(process.env['NODE_COMPILE_CACHE']);
}

/** The path of the Node that `npm ci` installs on this platform, or null when it installs none. */
function broughtNode() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const file = new URL(`../node_modules/node-${platform}-${process.arch}/bin/${name}`, import.meta.url);
  const path = fileURLToPath(file);
  return existsSync(path) ? path : null;
}

/**
 * Children find the same Node in the PATH. Signals go through, and the end is the child's.
 * @param {string} node
 */
function runAgain(node) {
  const path = `${dirname(node)}${delimiter}${process.env['PATH'] ?? ''}`;
  const words = [...process.execArgv, ...process.argv.slice(1)];
  const child = spawn(node, words, { stdio: 'inherit', env: { ...process.env, PATH: path } });
  const signals = /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP']);
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}

function tooOld() {
  return (
    `Patchbay needs Node ${NEEDED.join('.')} or newer; this is ${process.versions.node}.\n` +
    'On Linux and Windows, `npm ci` installs one (not with --omit=optional). Elsewhere, install a newer Node.\n'
  );
}
