import { describe, expect, it } from 'vitest';
import { createManualClock, instant, SECOND } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { createShutdownOrder, exitOnSignals, STOP_WITHIN_MS, StartAborted } from '../../src/lib/shutdown.ts';

/** A process that is told to stop, with a shutdown that a test finishes. */
function ending() {
  const clock = createManualClock(instant(1_790_000_000_000));
  const heard = new Map<string, () => void>();
  const stopped = Promise.withResolvers<void>();
  /** Exit codes of the process: real processes see only the first one. */
  const codes: number[] = [];
  let [stops, hangups] = [0, 0];
  const end = exitOnSignals({
    stop: () => {
      stops += 1;
      return stopped.promise;
    },
    log: silentLog,
    signals: ['SIGINT', 'SIGTERM'],
    onHangup: () => (hangups += 1),
    clock,
    process: { on: (signal, listener) => void heard.set(signal, listener), exit: (code) => codes.push(code) },
  });
  const signal = (name: string) => heard.get(name)?.();
  /** Lets the shutdown finish. */
  const finished = async (finish: () => void) => {
    finish();
    await clock.advance(0);
  };
  return { clock, signal, end, codes, stopped, finished, stops: () => stops, hangups: () => hangups };
}

describe('the exit of the process', () => {
  it.each(['SIGINT', 'SIGTERM'])('follows an orderly shutdown after %s, with code 0', async (name) => {
    const { signal, codes, stopped, finished, clock } = ending();
    signal(name);
    await clock.advance(STOP_WITHIN_MS - 1);
    expect(codes).toEqual([]);
    await finished(stopped.resolve);
    expect(codes[0]).toBe(0);
  });

  it('is cut short at 25 seconds, with code 1', async () => {
    const { signal, codes, clock } = ending();
    signal('SIGTERM');
    await clock.advance(25 * SECOND - 1);
    expect(codes).toEqual([]);
    await clock.advance(1);
    expect(codes).toEqual([1]);
  });

  it('has code 1 when the shutdown fails', async () => {
    const { signal, codes, stopped, finished } = ending();
    signal('SIGTERM');
    await finished(() => stopped.reject(new Error('the database is gone')));
    expect(codes).toEqual([1]);
  });

  it.each(['SIGINT', 'SIGTERM'])('comes at once with a second signal, here %s', async (name) => {
    const { signal, codes, clock, stops } = ending();
    signal('SIGTERM');
    await clock.advance(SECOND);
    signal(name);
    expect(codes).toEqual([1]);
    expect(stops()).toBe(1);
  });

  it('waits for the shutdown when one Ctrl-C arrives from the terminal and from npm', async () => {
    const { signal, codes, stopped, finished, clock } = ending();
    signal('SIGINT');
    signal('SIGINT');
    await clock.advance(SECOND - 1);
    signal('SIGTERM');
    expect(codes).toEqual([]);
    await finished(stopped.resolve);
    expect(codes).toEqual([0]);
  });

  it('has code 1 for a problem that a person must fix, even during the shutdown', async () => {
    const { signal, end, codes, stopped, finished } = ending();
    signal('SIGTERM');
    end(1);
    await finished(stopped.resolve);
    expect(codes).toEqual([1]);
  });

  it('is orderly when the supervisor stops it while a fault already does', async () => {
    const { signal, end, codes, stopped, finished, stops } = ending();
    end(1);
    signal('SIGTERM');
    expect(codes).toEqual([]);
    await finished(stopped.resolve);
    expect(codes).toEqual([1]);
    expect(stops()).toBe(1);
  });

  it('is not caused by SIGHUP, which says that the configuration file changed', () => {
    const { signal, codes, stops, hangups } = ending();
    signal('SIGHUP');
    expect({ codes, stops: stops(), hangups: hangups() }).toEqual({ codes: [], stops: 0, hangups: 1 });
  });
});

describe('the order of a shutdown', () => {
  it('follows the stages, and closes the last opened first', async () => {
    const ended: string[] = [];
    const { add, stop } = createShutdownOrder();
    const end = (name: string) => async () => void ended.push(name);
    await add('close', end('database'));
    await add('close', end('connection'));
    await add('cards', end('cards'));
    await add('reads', end('reads'));
    await add('answers', end('answers'));
    await add('intake', end('intake'));
    await stop();
    expect(ended).toEqual(['intake', 'answers', 'reads', 'cards', 'connection', 'database']);
  });

  it('lets work finish while commands are answered, and ends their reads only then', async () => {
    const gate = Promise.withResolvers<void>();
    const ended: string[] = [];
    const { add, stop } = createShutdownOrder();
    await add('reads', async () => void ended.push('reads'));
    await add('work', async () => {
      await gate.promise;
      ended.push('work');
    });
    await add('answers', async () => {
      ended.push('answers');
      gate.resolve();
    });
    await stop();
    expect(ended).toEqual(['answers', 'work', 'reads']);
  });

  it('stops everything although one part fails, and throws afterwards', async () => {
    const ended: string[] = [];
    const { add, stop } = createShutdownOrder();
    await add('close', async () => void ended.push('database'));
    await add('intake', async () => {
      throw new Error('deaf');
    });
    await expect(stop()).rejects.toThrow('deaf');
    expect(ended).toEqual(['database']);
  });

  it('happens once, however often it is called', async () => {
    let ended = 0;
    const { add, stop } = createShutdownOrder();
    await add('close', async () => {
      ended += 1;
    });
    await Promise.all([stop(), stop()]);
    expect(ended).toBe(1);
  });

  it('overtakes a start, whose later parts are stopped at once', async () => {
    const ended: string[] = [];
    const { add, stop, signal } = createShutdownOrder();
    expect(signal.aborted).toBe(false);
    const stopping = stop();
    expect(signal.aborted).toBe(true);
    await expect(add('close', async () => void ended.push('late'))).rejects.toThrow(StartAborted);
    await stopping;
    expect(ended).toEqual(['late']);
  });
});
