import { describe, expect, it } from 'vitest';
import { createShutdownOrder, StartAborted } from '../../src/lib/shutdown.ts';

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
