import { describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { openModalOf, submitModal } from './harness/modals.ts';
import { actionIdsOf, cardKeyIn, messageText, type PostedCard, stateOf } from './harness/sandbox-people.ts';
import { useResetPeople } from './harness/use-sandbox-people.ts';

describe.each(['socket', 'http'] as const)('asking, deciding and following, by %s', (transport) => {
  const people = useResetPeople({ transport });

  const rebootOf = async (name: string): Promise<PostedCard> => {
    await people.runs('operator', `reboot ${name} because kernel update`);
    return people.card('approvals', ({ text }) => text.includes(name), `the request for ${name}`);
  };
  const cardNow = (card: PostedCard) => people.card(card.channel, ({ ts }) => ts === card.ts);

  it('a scan acts at once, and its one card goes from accepted to verified', async () => {
    const answer = await people.runs('operator', 'scan web-01');
    expect(answer.text).toMatch(/Scan of web-01 requested/);
    const card = await people.card('ops', ({ text }) => text.includes(': Scan web-01\n'));
    expect(stateOf(await people.becomes(card, 'accepted'))).toBe('accepted');
    const verified = await people.becomes(card, 'verified');
    expect(verified.text).toMatch(/^✅ Verified: Scan web-01\n/);
    expect(await people.posts('ops')).toHaveLength(1);
    expect(await people.writes()).toHaveLength(1);
  });

  it('nobody without the right decides, nobody decides their own, and an approver does, once', async () => {
    const card = await rebootOf('web-01');
    expect((await people.presses('operator', card, 'approve')).text).toMatch(/your own request/);
    expect((await people.presses('operator2', card, 'approve')).text).toMatch(/approver/);
    for (const user of ['viewer', 'outsider'] as const) {
      expect(
        await people.click({ user, channel: 'approvals', ts: card.ts, action_id: 'approve' }),
      ).toMatchObject({
        ok: false,
      });
    }
    const window = await people.opens('approver', card, 'approve');
    expect(await people.close({ user: 'approver', view_id: window.id })).toMatchObject({ ok: true });
    expect(stateOf(await cardNow(card))).toBe('waiting');
    expect(await people.writes()).toEqual([]);

    await people.push('approver', card, 'approve');
    const verified = await people.becomes(card, 'verified');
    expect(messageText(verified)).toContain('<@U0APPROVER1>');
    expect(actionIdsOf(verified)).toEqual([]);
    expect(await people.posts('approvals')).toHaveLength(1);
    expect(await people.writes()).toEqual(['POST /servers/4001/queues']);
  });

  it('of two approvers who press at once one wins, and one command is sent', async () => {
    const card = await rebootOf('web-01');
    const both = ['approver', 'approver2'] as const;
    const windows = await Promise.all(both.map((user) => people.opens(user, card, 'approve')));
    await Promise.all(
      both.map((user, at) => people.submit({ user, view_id: windows[at]?.id ?? '', values: {} })),
    );
    await people.becomes(card, 'verified');
    expect(await people.writes()).toEqual(['POST /servers/4001/queues']);
  });

  it('a reason is added in a form and shown on the card', async () => {
    const answer = await people.runs('operator', 'reboot web-01');
    await people.push('operator', { ...answer, channel: 'ops' }, 'add_reason');
    const [form] = await until(async () => {
      const { modals } = await people.views('operator');
      return modals.length > 0 ? modals : null;
    });
    const submit = (reason: string) =>
      people.submit({ user: 'operator', view_id: form?.id ?? '', values: { reason: { reason } } });
    expect(await submit('new kernel')).toMatchObject({ ok: true });
    await people.card('approvals', (card) => messageText(card).includes('new kernel'));
    await until(async () => {
      const seen = await people.messages('ops', 'operator');
      const note = seen.find(({ ts }) => ts === answer.ts);
      return note !== undefined && !actionIdsOf(note).includes('add_reason');
    });
  });

  // Commands, presses and forms have arrived over either transport above; what follows is the same for both.
  if (transport === 'http') return;

  it('the card says who asks, why, and what matters about the device', async () => {
    const card = await rebootOf('web-01');
    const words = messageText(card);
    for (const part of ['<@U0OPERATOR1>', 'kernel update', 'Online', 'Linux servers', 'can’t be canceled']) {
      expect(words).toContain(part);
    }
    expect(actionIdsOf(card)).toEqual(['approve', 'deny', 'withdraw']);
    expect(stateOf(card)).toBe('waiting');
    expect(await people.writes()).toEqual([]);
  });

  it('a denied request sends nothing and stays denied', async () => {
    const card = await rebootOf('web-01');
    await people.push('approver', card, 'deny');
    const denied = await people.becomes(card, 'denied');
    expect(actionIdsOf(denied)).toEqual([]);
    expect(messageText(denied)).toContain('<@U0APPROVER1>');
    expect(await people.writes()).toEqual([]);
  });

  it('only the one who asked withdraws', async () => {
    const card = await rebootOf('web-01');
    expect((await people.presses('approver', card, 'withdraw')).text).toMatch(/only/i);
    await people.push('operator', card, 'withdraw');
    expect(stateOf(await people.becomes(card, 'withdrawn'))).toBe('withdrawn');
    expect(await people.writes()).toEqual([]);
  });

  it('a request that nobody decides expires after half an hour', async () => {
    const card = await rebootOf('web-01');
    await people.advance('29m');
    expect(stateOf(await cardNow(card))).toBe('waiting');
    await people.advance('2m');
    expect(actionIdsOf(await people.becomes(card, 'expired'))).toEqual(['again', 'device']);
    expect(await people.writes()).toEqual([]);
  });

  it('a second press finds the decision and changes nothing', async () => {
    const card = await rebootOf('web-01');
    const second = { ...card };
    await people.push('approver', card, 'deny');
    await people.becomes(card, 'denied');
    expect(
      await people.click({ user: 'approver2', channel: 'approvals', ts: second.ts, action_id: 'approve' }),
    ).toMatchObject({ ok: false });
    expect(await people.writes()).toEqual([]);
  });

  it('the same request again leads to the card that waits already', async () => {
    const card = await rebootOf('web-01');
    expect((await people.runs('operator2', 'reboot web-01')).text).toMatch(/^Approval was already requested/);
    expect((await people.posts('approvals')).map(cardKeyIn)).toEqual([cardKeyIn(card)]);
  });

  it('what changed since the card was drawn goes back to the approver, and nothing is sent', async () => {
    const card = await rebootOf('web-01');
    await people.world({ do: 'device-offline', device: 'web-01' });
    await people.push('approver', card, 'approve');
    const again = await until(async () => {
      const now = await cardNow(card);
      return messageText(now).includes('changed') ? now : null;
    });
    expect(stateOf(again)).toBe('waiting');
    expect(actionIdsOf(again)).toContain('approve');
    expect(await people.writes()).toEqual([]);
  });

  it('patching asks in the same way and is proven by the packages', async () => {
    await people.runs('operator', 'patch web-01 because CVE list');
    const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
    await people.push('approver', card, 'approve');
    await people.becomes(card, 'verified');
    expect((await people.runs('operator', 'packages web-01')).text).toMatch(
      /^Packages for web-01: 0 missing/,
    );
  });

  it('exactly the devices of a list are rebooted, approved in the list of requests by typing their number', async () => {
    const list = await people.runs('operator', 'devices group:"Linux servers"');
    await people.push('operator', { ...list, channel: 'ops' }, 'form:reboot');
    const form = await openModalOf(people, 'operator', 'These 63 devices:');
    await people.world({ do: 'device-added', name: 'late-01' });
    await submitModal(people, 'operator', form, { reason: 'kernel', options: 'waves:1,100%' });
    const card = await people.card('approvals', ({ text }) => text.includes('Reboot 63 devices'));
    const approvals = await people.runs('approver', 'approvals');
    const count = await people.opens('approver', { ...approvals, channel: 'ops' }, 'approve');
    expect(await submitModal(people, 'approver', count, { approve_count: '62' })).toMatchObject({
      errors: { approve_count: expect.stringContaining('isn’t the number of devices') },
    });
    expect(await people.writes()).toEqual([]);
    await submitModal(people, 'approver', count, { approve_count: '63' });
    const running = async () => ((await cardNow(card)).text.includes('Running: Reboot 63') ? true : null);
    await until(running, { what: 'the card of a rollout that runs' });
    await until(async () => (await people.writes()).length > 0, { what: 'the first wave to be sent' });
    expect(await people.writes()).toHaveLength(1);
  });

  it('a device card asks for a reboot from its button', async () => {
    const device = await people.runs('operator', 'device web-01');
    await people.push('operator', { ...device, channel: 'ops' }, 'reboot');
    const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
    expect(stateOf(card)).toBe('waiting');
  });

  it('an offline device is shown as offline, and its reboot waits in the queue until it returns', async () => {
    const card = await rebootOf('kiosk-07');
    expect(messageText(card)).toMatch(/Offline/);
    await people.push('approver', card, 'approve');
    await people.becomes(card, 'queued', '10m');
    await people.advance('2h');
    expect(stateOf(await cardNow(card))).toBe('queued');
    await people.world({ do: 'device-online', device: 'kiosk-07' });
    await people.becomes(card, 'verified', '30m');
    expect(await people.writes()).toHaveLength(1);
  });
});
