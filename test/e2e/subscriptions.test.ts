/** Where alerts go, what is silent, and storms, as people meet them in Slack. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/contracts.ts';
import { until } from '../harness/until.ts';
import { actionsOf, type Card, startTown, stateOf, type Town, wordsOf } from './town.ts';

let town: Town;
beforeAll(async () => {
  town = await startTown();
});
afterAll(() => town.stop());
beforeEach(() => town.reset());

const fails = (device: string, reason: string) => town.world({ do: 'patch-fails', device, reason });
const soon = () => town.advance('20s');
const inOps = (words: string): Promise<Card> => town.card('ops', ({ text }) => text.includes(words), words);
const directs = async (user: string): Promise<readonly SeenMessage[]> =>
  (await town.messages(`@${user}`, user)).filter(({ bot }) => bot);

describe('a storm', () => {
  it('is one card that says how many, grows in place, and lists all behind a button', async () => {
    await town.world({ do: 'storm', count: 30, patch: 'acme-agent', reason: 'repository is away' });
    await soon();
    const card = await town.card('patch-alerts', ({ text }) => text.includes('30 devices'));
    for (const part of ['acme-agent', 'repository is away', '20 more']) expect(wordsOf(card)).toContain(part);
    expect(actionsOf(card)).toEqual(['alerts', 'acknowledge', 'silence:patch']);
    expect(stateOf(card)).toBe('storm');
    await town.world({ do: 'storm', count: 5, patch: 'acme-agent', reason: 'repository is away' });
    await soon();
    await until(async () => {
      const [only, ...others] = await town.posts('patch-alerts');
      return others.length === 0 && only !== undefined && wordsOf(only).includes('35 patch failures');
    });
    const list = await town.presses('viewer', card, 'alerts');
    expect(list.text).toContain('35 alerts');
  });

  it('is one card for the failures before and after a kill', async () => {
    await town.world({ do: 'storm', count: 8, patch: 'acme-agent', reason: 'gone' });
    await soon();
    await town.card('patch-alerts', ({ text }) => text.includes('8 devices'));
    await town.bot({ do: 'kill' });
    await town.world({ do: 'storm', count: 4, patch: 'acme-agent', reason: 'gone' });
    await town.bot({ do: 'start' });
    await soon();
    await town.card('patch-alerts', (card) => wordsOf(card).includes('12 patch failures'));
    expect(await town.posts('patch-alerts')).toHaveLength(1);
  });

  it('whose edit is lost shows the newest count all the same', async () => {
    await town.world({ do: 'storm', count: 3, patch: 'acme-agent', reason: 'gone' });
    await soon();
    await town.card('patch-alerts', ({ text }) => text.includes('3 devices'));
    await town.fault({ service: 'slack', match: 'chat.update', kind: 'status', status: 500, times: 2 });
    await town.world({ do: 'storm', count: 4, patch: 'acme-agent', reason: 'gone' });
    await town.advance('2m');
    await town.card('patch-alerts', (card) => wordsOf(card).includes('7 patch failures'));
    expect(await town.posts('patch-alerts')).toHaveLength(1);
  });
});

describe('taking an alert', () => {
  it('by its button shows all who took it, and a viewer may not', async () => {
    await fails('web-01', 'held');
    await soon();
    const card = await town.card('patch-alerts', ({ text }) => text.includes('web-01'));
    const refused = await town.presses('viewer', card, 'acknowledge');
    expect(refused.text).toMatch(/need the operator role/);
    expect((await town.presses('operator', card, 'acknowledge')).text).toContain('You acknowledged');
    const taken = await town.card('patch-alerts', (one) => wordsOf(one).includes('Acknowledged by'));
    expect(actionsOf(taken)).not.toContain('acknowledge');
    expect(await town.posts('patch-alerts')).toHaveLength(1);
  });

  it('of a storm takes every alert on the card, and what is added to it later', async () => {
    await town.world({ do: 'storm', count: 12, patch: 'acme-agent', reason: 'gone' });
    await soon();
    const card = await town.card('patch-alerts', ({ text }) => text.includes('12 devices'));
    const answer = await town.presses('operator', card, 'acknowledge');
    expect(answer.text).toMatch(/^You acknowledged 12 patch failures on 12 devices\.\n/);
    const taken = await town.card('patch-alerts', (one) => wordsOf(one).includes('All 12 acknowledged by'));
    expect(actionsOf(taken)).not.toContain('acknowledge');
    const all = await town.presses('operator2', taken, 'alerts');
    expect(JSON.stringify(all.blocks).match(/acknowledged by/g)).toHaveLength(12);
    const audit = await town.asks('approver', 'audit');
    expect(JSON.stringify(audit.blocks).match(/acknowledged 12 alerts/g)).toHaveLength(1);
    await town.world({ do: 'storm', count: 1, patch: 'acme-agent', reason: 'gone' });
    await soon();
    await town.card('patch-alerts', (one) => wordsOf(one).includes('All 13 acknowledged by'));
  });
});

describe('subscribing', () => {
  it('brings alerts of a kind to this channel, beside the policy file’s, until it is ended by its button', async () => {
    const answer = await town.asks('operator', 'subscribe here to patch failres, removed devices');
    expect(answer.text).toContain('Patch failed, Device removed');
    await fails('web-01', 'one');
    await town.world({ do: 'device-removed', device: 'kiosk-07' });
    await soon();
    await inOps('web-01');
    await inOps('Device removed: kiosk-07');
    await town.card('patch-alerts', ({ text }) => text.includes('web-01'));
    const [unsubscribe = ''] = actionsOf(answer).filter((id) => id.startsWith('unsubscribe'));
    const ended = await town.presses('operator', { ...answer, channel: 'ops' }, unsubscribe);
    expect(ended.text).toMatch(/^Unsubscribed <#\w+> from /);
    await fails('web-02', 'two');
    await soon();
    await town.card('patch-alerts', ({ text }) => text.includes('web-02'));
    expect((await town.posts('ops')).filter(({ text }) => text.includes('web-02'))).toEqual([]);
  });

  it('to oneself is for a viewer too, in direct messages, by a mention', async () => {
    const { botUserId } = await botOf(town);
    const answer = await town.says('viewer', `<@${botUserId}> subscribe me to patch failures`);
    expect(answer.text).toContain('by direct message');
    await fails('web-01', 'for the viewer');
    await soon();
    await until(async () => (await directs('viewer')).some((one) => wordsOf(one).includes('for the viewer')));
  });

  it('is refused to a viewer for a channel, to an outsider at all, and where the bot is not', async () => {
    const viewer = await town.asks('viewer', 'subscribe here to new devices');
    expect(viewer.text).toMatch(/need the operator role/);
    const outsider = await town.asks('outsider', 'subscribe me to new devices', 'random');
    expect(outsider.text).toMatch(/need the viewer role/);
    const stranger = await town.asks('operator', 'subscribe #random to new devices');
    expect(stranger.text).toMatch(/isn’t a member of random/);
    expect(wordsOf(stranger)).toContain('/invite @Patchbay');
  });

  it('of a private channel is for its members; who is outside is not told that there is one', async () => {
    const asks = 'subscribe #secret-team to removed devices';
    const outside = await town.asks('operator', asks);
    expect(outside.text).toMatch(/isn’t a member of secret-team/);
    // By its id, too, which somebody may have heard of.
    const byId = await town.asks('operator', 'subscribe #C0SECRET001 to removed devices');
    expect(byId.text).toMatch(/isn’t a member of/);
    expect(wordsOf(await town.asks('operator', 'subscriptions all'))).not.toContain('C0SECRET001');
    const member = await town.asks('operator2', asks);
    expect(member.text).toContain('Device removed');
    await town.world({ do: 'device-removed', device: 'kiosk-07' });
    await soon();
    await town.card('secret-team', ({ text }) => text.includes('Device removed: kiosk-07'));
    await expect(town.messages('secret-team', 'operator')).rejects.toThrow(/cannot see secret-team/);
  });

  it('without events opens a form, whose answer stands in the channel where it was asked', async () => {
    await town.command({ user: 'operator', channel: 'ops', command: '/fleet', text: 'subscribe' });
    const form = await until(async () => {
      const [top] = (await town.views('operator')).modals;
      return top !== undefined && JSON.stringify(top).includes('Subscribe to alerts') ? top : null;
    });
    const [, action = ''] =
      /"block_id":"events".*?"action_id":"([^"]+)"/.exec(JSON.stringify(form.blocks)) ?? [];
    const values = { events: { [action]: ['device-removed'] } };
    expect(await town.submit({ user: 'operator', view_id: form.id, values })).toMatchObject({ ok: true });
    await until(async () =>
      (await town.views('operator')).modals.some((one) =>
        JSON.stringify(one.blocks).includes('to *Device removed*'),
      ),
    );
    await town.world({ do: 'device-removed', device: 'kiosk-07' });
    await soon();
    await inOps('Device removed: kiosk-07');
  });

  it('by group leaves other groups out, and is listed with what the policy file says', async () => {
    await town.asks('operator', 'subscribe here to patch failures group:"Linux servers"');
    const list = await town.asks('viewer', 'subscriptions all');
    expect(wordsOf(list)).toContain('Linux servers');
    expect(wordsOf(list)).toContain('set in the configuration file');
    await fails('web-01', 'on linux');
    await fails('win-ts-01', 'on windows');
    await soon();
    await inOps('on linux');
    await town.card('patch-alerts', ({ text }) => text.includes('on windows'));
    expect((await town.posts('ops')).filter(({ text }) => text.includes('on windows'))).toEqual([]);
  });
});

describe('a silence', () => {
  it('by the button of a card keeps what follows and says its count when it is over', async () => {
    await fails('web-01', 'one');
    await soon();
    const card = await town.card('patch-alerts', ({ text }) => text.includes('web-01'));
    const refused = await town.presses('viewer', card, 'silence:device');
    expect(refused.text).toMatch(/need the operator role/);
    const silent = await town.presses('operator', card, 'silence:device');
    expect(silent.text).toMatch(/^Silenced until .*\*Patch failed\* for web-01/);
    await fails('web-01', 'two');
    await fails('web-02', 'three');
    await soon();
    await town.card('patch-alerts', ({ text }) => text.includes('three'));
    expect((await town.posts('patch-alerts')).filter((one) => wordsOf(one).includes('two'))).toEqual([]);
    expect(wordsOf(await town.asks('operator', 'subscriptions'))).toContain('1 held so far');
    await town.advance('2h');
    const over = await town.card('patch-alerts', ({ text }) => text.includes('It held 1 patch failure here'));
    const kept = await town.presses('operator', over, 'alerts');
    expect(wordsOf(kept)).toContain('two');
    expect(
      (await town.posts('patch-alerts')).filter((one) => /Silence \d+ ended/.test(one.text)),
    ).toHaveLength(1);
  });

  it('ends by hand, and alerts sound again', async () => {
    const silent = await town.asks('operator', 'silence everything until 18:00 because move');
    const number = /Silence (\d+)/.exec(wordsOf(silent))?.[1];
    await fails('web-01', 'kept');
    await soon();
    await until(async () => wordsOf(await town.asks('operator', 'subscriptions')).includes('1 held so far'));
    const ended = await town.asks('operator', `silence off ${number}`);
    expect(ended.text).toContain('It held 1 alert');
    await town.card('patch-alerts', ({ text }) => text.includes('It held 1 patch failure here'));
    await fails('web-02', 'heard');
    await soon();
    await town.card('patch-alerts', ({ text }) => text.includes('heard'));
  });
});

/** Who the bot is, from what it wrote. */
async function botOf(of: Town): Promise<{ readonly botUserId: string }> {
  const answer = await of.asks('operator', 'status');
  return { botUserId: answer.user };
}
