import { describe, expect, it } from 'vitest';
import { createShutdownOrder, StartAborted } from '../../src/lib/shutdown-order.ts';

describe('the order of a stop', () => {
  it('is that of the stages, and the last opened is closed first', async () => {
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

  it('lets work end while questions are answered, and reads for both go on until then', async () => {
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

  it('ends everything although one part fails, and says so afterwards', async () => {
    const ended: string[] = [];
    const { add, stop } = createShutdownOrder();
    await add('close', async () => void ended.push('database'));
    await add('intake', async () => {
      throw new Error('deaf');
    });
    await expect(stop()).rejects.toThrow('deaf');
    expect(ended).toEqual(['database']);
  });

  it('happens once, however often it is asked for', async () => {
    let ended = 0;
    const { add, stop } = createShutdownOrder();
    await add('close', async () => {
      ended += 1;
    });
    await Promise.all([stop(), stop()]);
    expect(ended).toBe(1);
  });

  it('overtakes a start: what that still begins is ended at once', async () => {
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
