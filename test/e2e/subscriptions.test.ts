/** Alert routing, silences and grouped alerts, as people use them in Slack. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { SeenMessage } from '../../src/sandbox/contracts/people.ts';
import { until } from '../harness/until.ts';
import {
  actionIdsOf,
  messageText,
  type PostedCard,
  type SandboxPeople,
  stateOf,
} from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const people = useSandboxPeople();
beforeEach(() => people.reset());

/** Each reason is that of a package of its own. */
const fails = (device: string, reason: string, patch = reason.replaceAll(' ', '-')) =>
  people.world({ do: 'patch-fails', device, reason, patch });
const soon = () => people.advance('20s');
const inOps = (words: string): Promise<PostedCard> =>
  people.card('ops', ({ text }) => text.includes(words), words);
const directs = async (user: string): Promise<readonly SeenMessage[]> =>
  (await people.messages(`@${user}`, user)).filter(({ bot }) => bot);

describe('grouped alerts', () => {
  it('are one card that says how many, grows in place, and lists all behind a button', async () => {
    await people.world({ do: 'storm', count: 30, patch: 'acme-agent', reason: 'repository is away' });
    await soon();
    const card = await people.card('patch-alerts', ({ text }) => text.includes('30 devices'));
    for (const part of ['acme-agent', 'repository is away', '20 more'])
      expect(messageText(card)).toContain(part);
    expect(actionIdsOf(card)).toEqual(['alerts', 'retry', 'acknowledge', 'silence:patch']);
    expect(stateOf(card)).toBe('firing');
    await people.world({ do: 'storm', count: 5, patch: 'acme-agent', reason: 'repository is away' });
    await soon();
    await until(async () => {
      const [only, ...others] = await people.posts('patch-alerts');
      return others.length === 0 && only !== undefined && messageText(only).includes('35 devices');
    });
    const list = await people.presses('viewer', card, 'alerts');
    expect(list.text).toContain('35 patch failures');
  });

  it('are one card for the failures before and after a kill', async () => {
    await people.world({ do: 'storm', count: 8, patch: 'acme-agent', reason: 'gone' });
    await soon();
    await people.card('patch-alerts', ({ text }) => text.includes('8 devices'));
    await people.bot({ do: 'kill' });
    await people.world({ do: 'storm', count: 4, patch: 'acme-agent', reason: 'gone' });
    await people.bot({ do: 'start' });
    await soon();
    await people.card('patch-alerts', (card) => messageText(card).includes('12 devices'));
    expect(await people.posts('patch-alerts')).toHaveLength(1);
  });

  it('show the newest count even if an edit was lost', async () => {
    await people.world({ do: 'storm', count: 3, patch: 'acme-agent', reason: 'gone' });
    await soon();
    await people.card('patch-alerts', ({ text }) => text.includes('3 devices'));
    await people.fault({ service: 'slack', match: 'chat.update', kind: 'status', status: 500, times: 2 });
    await people.world({ do: 'storm', count: 4, patch: 'acme-agent', reason: 'gone' });
    await people.advance('2m');
    await people.card('patch-alerts', (card) => /Patch failed on [4-7] devices/.test(messageText(card)));
    expect(await people.posts('patch-alerts')).toHaveLength(1);
  });
});

describe('acknowledging an alert', () => {
  it('by its button shows everybody who acknowledged it, and a viewer may not', async () => {
    await fails('web-01', 'held');
    await soon();
    const card = await people.card('patch-alerts', ({ text }) => text.includes('web-01'));
    const refused = await people.presses('viewer', card, 'acknowledge');
    expect(refused.text).toMatch(/needs? the operator role/);
    expect((await people.presses('operator', card, 'acknowledge')).text).toContain('You acknowledged');
    const taken = await people.card('patch-alerts', (one) => messageText(one).includes('Acknowledged by'));
    expect(actionIdsOf(taken)).not.toContain('acknowledge');
    expect(await people.posts('patch-alerts')).toHaveLength(1);
  });

  it('on a grouped card covers every alert on it, and those added later', async () => {
    await people.world({ do: 'storm', count: 12, patch: 'acme-agent', reason: 'gone' });
    await soon();
    const card = await people.card('patch-alerts', ({ text }) => text.includes('12 devices'));
    const answer = await people.presses('operator', card, 'acknowledge');
    expect(answer.text).toMatch(/^You acknowledged 12 patch failures on 12 devices\.\n/);
    const taken = await people.card('patch-alerts', (one) => messageText(one).includes('Acknowledged by'));
    expect(stateOf(taken)).toBe('acknowledged');
    expect(actionIdsOf(taken)).not.toContain('acknowledge');
    const all = await people.presses('operator2', taken, 'alerts');
    expect(all.text).toContain('12 patch failures');
    const audit = await people.runs('approver', 'audit');
    expect(JSON.stringify(audit.blocks).match(/acknowledged the alert [^"]* on /g)).toHaveLength(1);
    await people.world({ do: 'storm', count: 1, patch: 'acme-agent', reason: 'gone' });
    await soon();
    await people.card('patch-alerts', (one) =>
      ['13 devices', 'Acknowledged by'].every((part) => messageText(one).includes(part)),
    );
  });
});

describe('subscribing', () => {
  it('brings alerts of a kind to this channel, beside the policy file’s, until it is ended by its button', async () => {
    const answer = await people.runs('operator', 'subscribe here to patch failres, removed devices');
    expect(answer.text).toContain('Patch failed, Device removed');
    await fails('web-01', 'one');
    await people.world({ do: 'device-removed', device: 'kiosk-07' });
    await soon();
    await inOps('web-01');
    await inOps('Device removed: kiosk-07');
    await people.card('patch-alerts', ({ text }) => text.includes('web-01'));
    const [unsubscribe = ''] = actionIdsOf(answer).filter((id) => id.startsWith('unsubscribe'));
    const ended = await people.presses('operator', { ...answer, channel: 'ops' }, unsubscribe);
    expect(ended.text).toMatch(/^Unsubscribed <#\w+> from /);
    await fails('web-02', 'two');
    await soon();
    await people.card('patch-alerts', ({ text }) => text.includes('web-02'));
    expect((await people.posts('ops')).filter(({ text }) => text.includes('web-02'))).toEqual([]);
  });

  it('takes the exact name of an event that Patchbay does not know, and says so', async () => {
    const answer = await people.runs('operator', 'subscribe here to system.device.renamed');
    expect(messageText(answer)).toContain('Patchbay doesn’t know the event `system.device.renamed`');
    await people.world({ do: 'event', name: 'system.device.renamed', device: 'web-01' });
    await people.world({ do: 'event', name: 'system.device.moved', device: 'web-02' });
    await soon();
    const card = await inOps('web-01');
    expect(messageText(card)).toContain('`system.device.renamed`: *web-01*');
    expect(actionIdsOf(card)).not.toContain('acknowledge');
    expect(messageText(await people.runs('viewer', 'alerts'))).not.toContain('system.device.moved');
    expect(messageText(await people.runs('viewer', 'subscriptions'))).toContain('system.device.renamed');
  });

  it('to oneself is for a viewer too, in direct messages, by a mention', async () => {
    const { botUserId } = await botOf(people);
    const answer = await people.says('viewer', `<@${botUserId}> subscribe me to patch failures`);
    expect(answer.text).toContain('by direct message');
    await fails('web-01', 'for the viewer');
    await soon();
    await until(async () =>
      (await directs('viewer')).some((one) => messageText(one).includes('for the viewer')),
    );
  });

  it('is refused to a viewer for a channel, to an outsider at all, and where the bot is not', async () => {
    const viewer = await people.runs('viewer', 'subscribe here to new devices');
    expect(viewer.text).toMatch(/needs? the operator role/);
    const outsider = await people.runs('outsider', 'subscribe me to new devices', 'random');
    expect(outsider.text).toMatch(/needs? the viewer role/);
    const stranger = await people.runs('operator', 'subscribe #random to new devices');
    expect(stranger.text).toMatch(/isn’t a member of random/);
    expect(messageText(stranger)).toContain('/invite @Patchbay');
  });

  it('of a private channel is for its members; others do not learn that it exists', async () => {
    const asks = 'subscribe #secret-team to removed devices';
    const outside = await people.runs('operator', asks);
    expect(outside.text).toMatch(/isn’t a member of secret-team/);
    // Also by its id, which somebody may know.
    const byId = await people.runs('operator', 'subscribe #C0SECRET001 to removed devices');
    expect(byId.text).toMatch(/isn’t a member of/);
    expect(messageText(await people.runs('operator', 'subscriptions all'))).not.toContain('C0SECRET001');
    const member = await people.runs('operator2', asks);
    expect(member.text).toContain('Device removed');
    await people.world({ do: 'device-removed', device: 'kiosk-07' });
    await soon();
    await people.card('secret-team', ({ text }) => text.includes('Device removed: kiosk-07'));
    await expect(people.messages('secret-team', 'operator')).rejects.toThrow(/cannot see secret-team/);
  });

  it('without events opens a form, whose answer stands in the channel where it was asked', async () => {
    await people.command({ user: 'operator', channel: 'ops', command: '/fleet', text: 'subscribe' });
    const form = await until(async () => {
      const [top] = (await people.views('operator')).modals;
      return top !== undefined && JSON.stringify(top).includes('Subscribe to alerts') ? top : null;
    });
    const [, action = ''] =
      /"block_id":"events".*?"action_id":"([^"]+)"/.exec(JSON.stringify(form.blocks)) ?? [];
    const values = { events: { [action]: ['device-removed'] } };
    expect(await people.submit({ user: 'operator', view_id: form.id, values })).toMatchObject({ ok: true });
    await until(async () =>
      (await people.views('operator')).modals.some((one) =>
        JSON.stringify(one.blocks).includes('to *Device removed*'),
      ),
    );
    await people.world({ do: 'device-removed', device: 'kiosk-07' });
    await soon();
    await inOps('Device removed: kiosk-07');
  });

  it('by group leaves other groups out, and is listed with what the policy file says', async () => {
    await people.runs('operator', 'subscribe here to patch failures group:"Linux servers"');
    const list = await people.runs('viewer', 'subscriptions all');
    expect(messageText(list)).toContain('Linux servers');
    expect(messageText(list)).toContain('set in the configuration file');
    await fails('web-01', 'on linux');
    await fails('win-ts-01', 'on windows');
    await soon();
    await inOps('on linux');
    await people.card('patch-alerts', ({ text }) => text.includes('on windows'));
    expect((await people.posts('ops')).filter(({ text }) => text.includes('on windows'))).toEqual([]);
  });
});

describe('a silence', () => {
  it('holds an event that Patchbay does not know, and says that it does not', async () => {
    await people.runs('operator', 'subscribe here to system.device.renamed');
    const answer = await people.runs('operator', 'silence system.device.renamed for 1h');
    expect(messageText(answer)).toContain('Patchbay doesn’t know the event `system.device.renamed`');
    await people.world({ do: 'event', name: 'system.device.renamed', device: 'web-01' });
    await soon();
    await until(async () =>
      messageText(await people.runs('operator', 'alerts')).includes('system.device.renamed'),
    );
    expect((await people.posts('ops')).filter(({ text }) => text.includes('web-01'))).toEqual([]);
  });

  it('by the button of a card holds what follows and says the count when it ends', async () => {
    await fails('web-01', 'one');
    await soon();
    const card = await people.card('patch-alerts', ({ text }) => text.includes('web-01'));
    const refused = await people.presses('viewer', card, 'silence:device');
    expect(refused.text).toMatch(/needs? the operator role/);
    const silent = await people.presses('operator', card, 'silence:device');
    expect(silent.text).toMatch(/^⏳ \*Alerts silenced until .*\*\nYou silenced \*Patch failed\* for web-01/);
    await fails('web-01', 'two');
    await fails('web-02', 'three');
    await soon();
    await people.card('patch-alerts', ({ text }) => text.includes('three'));
    expect((await people.posts('patch-alerts')).filter((one) => messageText(one).includes('two'))).toEqual(
      [],
    );
    await until(async () =>
      messageText(await people.runs('operator', 'subscriptions')).includes('1 held so far'),
    );
    await people.advance('2h');
    const over = await people.card('patch-alerts', ({ text }) =>
      text.includes('It held 1 patch failure here'),
    );
    const kept = await people.presses('operator', over, 'alerts');
    expect(messageText(kept)).toContain('two');
    expect(
      (await people.posts('patch-alerts')).filter((one) => one.text.includes('Silence ended')),
    ).toHaveLength(1);
  });

  it('ends by hand, and alerts are posted again', async () => {
    const silent = await people.runs('operator', 'silence everything until 18:00 because move');
    const number = /"silence:off(\d+)"/.exec(JSON.stringify(silent.blocks))?.[1];
    await fails('web-01', 'kept');
    await soon();
    await until(async () =>
      messageText(await people.runs('operator', 'subscriptions')).includes('1 held so far'),
    );
    const ended = await people.runs('operator', `silence off ${number}`);
    expect(ended.text).toContain('It held 1 alert');
    await people.card('patch-alerts', ({ text }) => text.includes('It held 1 patch failure here'));
    await fails('web-02', 'heard');
    await soon();
    await people.card('patch-alerts', ({ text }) => text.includes('heard'));
  });
});

/** The bot's ids, from a message of its own. */
async function botOf(of: SandboxPeople): Promise<{ readonly botUserId: string }> {
  const answer = await of.runs('operator', 'status');
  return { botUserId: answer.user };
}
