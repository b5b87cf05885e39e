/**
 * A fake product: takes its clock from the sandbox, becomes ready or not, and ends, as its settings say. It prints what
 * happens to it.
 */
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { later, MINUTE } from '../../../src/lib/clock.ts';
import { createLog } from '../../../src/lib/log.ts';
import { connectToParent, type RestingProduct } from '../../../src/sandbox/process/parent-link.ts';

const behaviour = process.env['FAKE'];
const silent = createLog({ level: 'silent', secrets: [] });
const ignored = { onHangup: () => undefined, log: silent };
const say = (line: string) => process.stdout.write(`${line}\n`);
/** Refuses the lines of its configuration file that begin so. */
const FAULT = 'fault';
const connect = () =>
  connectToParent({
    onClockError: (error) => say(`clock error: ${String(error)}`),
    reload: async () => {
      if (behaviour === 'stuck') await new Promise(() => {});
      const text = await readFile(process.env['PATCHBAY_CONFIG'] ?? '', 'utf8');
      return text.split('\n').filter((line) => line.startsWith(FAULT));
    },
  });

if (behaviour === 'crash') {
  process.stderr.write('FLEET_API_KEY is missing\n');
  process.exit(2);
}
if (behaviour === 'loading') {
  say(`pid ${process.pid}`);
  // What it loads may keep a process alive.
  setInterval(() => undefined, MINUTE);
  while (process.connected) await pause(20);
  connect().endWith({ stop: async () => undefined, ...ignored });
}
const parent = connect();
const clock = await parent.clock;
const started = clock.now();
say(`pid ${process.pid}`);
say(`wall ${Date.now()} ${new Date().toISOString()}`);
say(`policy ${process.env['PATCHBAY_CONFIG']}`);
say(`settings ${Object.keys(process.env).sort().join(' ')}`);
const everyMinute = (count: number): void => {
  clock.at(later(started, count * MINUTE), async () => {
    await new Promise((resolve) => setImmediate(resolve));
    say(`minute ${count}`);
    everyMinute(count + 1);
  });
};
everyMinute(1);
if (behaviour === 'stuck') clock.at(later(started, MINUTE), () => new Promise(() => {}));
if (behaviour === 'deaf') process.on('SIGTERM', () => undefined);
else {
  parent.endWith({
    async stop() {
      clock.stop();
      say('stopped in order');
    },
    ...ignored,
  });
}
const resting: RestingProduct = {
  stop: async () => {
    if (behaviour === 'sleepless') process.exit(1);
    say('stopped to rest');
  },
  start: async (next) => {
    say(`started again at ${Math.round((next.now() - started) / MINUTE)}`);
    parent.reportReady(resting);
  },
};
parent.reportReady(behaviour === 'rests' || behaviour === 'sleepless' ? resting : undefined);
