/** Cards that Slack refuses, and those that somebody deleted. */
import { describe, expect, it } from 'vitest';
import { HOUR, MINUTE } from '../../../src/clock.ts';
import { channelId, personId } from '../../../src/ids.ts';
import type { CardKey } from '../../../src/store/records.ts';
import { KEY, refresh, settle, texts, want, wantOther, world } from './carded.ts';

describe('a card', () => {
  it('of a request is given up when the channel will never take it, and that is told', async () => {
    const key = 'approval:a1';
    world().web.next('post', { kind: 'refused', error: 'is_archived' });
    await wantOther(key);
    await settle();
    expect(world().refused).toEqual([`${key} is_archived`]);
    expect(await world().store.cards.get(key)).toMatchObject({ failure: 'is_archived', ts: null });
    await settle(20 * MINUTE);
    expect(world().web.posts()).toBe(1);
  });

  it('with news waits until its channel takes it again', async () => {
    world().web.next(
      'post',
      { kind: 'refused', error: 'not_in_channel' },
      { kind: 'refused', error: 'not_in_channel' },
    );
    await want();
    await settle(9 * MINUTE);
    expect(world().web.messages).toEqual([]);
    await settle(30 * MINUTE);
    expect(texts()).toEqual(['first']);
    expect(world().refused).toEqual([]);
  });

  it('with news is asked for by few while its channel is closed, and all of them come when it opens', async () => {
    const news = Array.from({ length: 40 }, (_, at): CardKey => `notice:n${at}`);
    const closed = { kind: 'refused', error: 'is_archived' } as const;
    world().web.next('post', ...news.map(() => closed));
    for (const key of news) await wantOther(key);
    await settle(MINUTE);
    expect(world().web.posts()).toBeLessThan(10);
    await settle(12 * HOUR);
    expect(world().web.messages).toHaveLength(40);
    expect(world().web.posts()).toBe(80);
  });

  it('that waits to be decided is posted anew when somebody deleted it', async () => {
    await want();
    await settle();
    world().web.next('update', { kind: 'refused', error: 'message_not_found' });
    await refresh();
    await settle(MINUTE);
    expect(world().web.posts()).toBe(2);
    expect(await world().store.cards.get(KEY)).toMatchObject({ failure: null });
  });

  it('to which alerts were added waits for its channel where that was archived meanwhile', async () => {
    world().state = 'storm';
    await want();
    await settle();
    world().web.next(
      'update',
      { kind: 'refused', error: 'is_archived' },
      { kind: 'refused', error: 'is_archived' },
    );
    world().shown = 'two of them';
    await refresh();
    await settle(9 * MINUTE);
    expect(texts()).toEqual(['first']);
    await settle(30 * MINUTE);
    expect(texts()).toEqual(['two of them']);
    expect(world().web.posts()).toBe(1);
  });

  it('is not given up where alerts were added while its edit was refused', async () => {
    world().state = 'posted';
    await want();
    await settle();
    world().web.next('update', { kind: 'refused', error: 'message_not_found' });
    world().meanwhile = async () => {
      world().meanwhile = null;
      Object.assign(world(), { state: 'storm', shown: 'two of them' });
      await refresh();
    };
    await refresh();
    await settle(MINUTE);
    expect(await world().store.cards.get(KEY)).toMatchObject({ failure: null });
    expect(texts().at(-1)).toBe('two of them');
  });

  it.each(['message_not_found', 'cant_update_message', 'edit_window_closed'])(
    'to which alerts were added is posted anew on %s',
    async (error) => {
      world().state = 'storm';
      await want();
      await settle();
      world().web.next('update', { kind: 'refused', error });
      world().shown = 'two of them';
      await refresh();
      await settle(MINUTE);
      expect(texts()).toEqual(['first', 'two of them']);
    },
  );

  it('is kept while the token is refused, and posted when it works again', async () => {
    world().web.next(
      'post',
      { kind: 'refused', error: 'token_revoked' },
      { kind: 'refused', error: 'token_revoked' },
    );
    await want();
    await settle(10 * MINUTE);
    expect(texts()).toEqual(['first']);
  });

  it('that tells how something ended is tried for a day, and then stands in the audit as untold', async () => {
    const key: CardKey = 'told:operation:o_1';
    const ann = personId('U0ANN');
    const unknown = { kind: 'refused', error: 'fatal_error' } as const;
    world().web.next('post', ...Array.from({ length: 400 }, () => unknown));
    await world().store.cards.want({
      key,
      channel: channelId('U0ANN'),
      fallbackPerson: ann,
      dueAt: world().clock.now(),
    });
    for (let hours = 0; hours < 22; hours += 1) await world().clock.advance(HOUR);
    expect(await world().store.cards.get(key)).toMatchObject({ failure: null });
    for (let hours = 0; hours < 4; hours += 1) await world().clock.advance(HOUR);
    expect(await world().store.cards.get(key)).toMatchObject({ failure: 'fatal_error' });
    expect(await world().store.work.nextDue()).toBeNull();
    const [line] = await world().store.audit.list(0, 10);
    expect(line).toMatchObject({
      actor: 'patchbay',
      action: 'outcome.untold',
      subject: 'operation:o_1',
      detail: { person: 'U0ANN', error: 'fatal_error' },
    });
    expect(world().web.messages).toEqual([]);
  });

  it('that nobody has to decide any more is not posted again when somebody deleted it', async () => {
    world().state = 'verified';
    await want();
    await settle();
    world().web.next('update', { kind: 'refused', error: 'message_not_found' });
    await refresh();
    await settle(10 * MINUTE);
    expect(world().web.posts()).toBe(1);
    expect(await world().store.cards.get(KEY)).toMatchObject({ failure: 'message_not_found' });
  });
});
