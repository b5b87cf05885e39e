/** The requester gets the result as a direct message, once. */
import { describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { actionIdsOf, cardKeyIn, messageText, type PostedCard } from './harness/sandbox-people.ts';
import { useResetPeople } from './harness/use-sandbox-people.ts';

describe('the completion message', () => {
  const people = useResetPeople();

  const told = async (user = 'operator') =>
    (await people.messages(`@${user}`, user)).filter((one) => cardKeyIn(one)?.startsWith('told:'));
  const toldOnce = () => until(async () => ((await told()).length === 1 ? (await told())[0] : null));
  const asked = async (what: string): Promise<PostedCard> => {
    await people.runs('operator', what);
    return people.card('approvals', ({ text }) => text.includes('web-01'));
  };

  it('is sent for a verified reboot', async () => {
    const card = await asked('reboot web-01');
    await people.push('approver', card, 'approve');
    expect(await told()).toEqual([]);
    await people.becomes(card, 'verified');
    const message = await toldOnce();
    expect(message?.text).toMatch(/^✅ Verified\. Your request: Reboot web-01\n/);
    expect(message && messageText(message)).toMatch(/went offline .*\|Open the request>/s);
    expect(await told('approver')).toEqual([]);
  });

  it('is sent for a denied request', async () => {
    const card = await asked('reboot web-01');
    const window = await people.opens('approver', card, 'deny');
    const comment = { decision_comment: 'Ask <!channel> first.' };
    const values = { deny_because: { deny_because: '1' }, decision_comment: comment };
    await people.submit({ user: 'approver', view_id: window.id, values });
    const message = await toldOnce();
    expect(message?.text).toMatch(/^⛔ Denied\. Your request: Reboot web-01\n/);
    const said = 'Comment: `Not now. Please request it later. Ask &lt;!channel&gt; first.`';
    expect(message && messageText(message)).toContain(said);
    expect(messageText(await people.becomes(card, 'denied'))).toContain(said);
  });

  it('is sent for an expired request', async () => {
    await asked('reboot web-01');
    await people.advance('31m');
    expect((await toldOnce())?.text).toMatch(/^▫️ Expired\. Your request: Reboot web-01\n/);
  });

  it('is one for several that expire in one go, also where Patchbay was killed, and each can be requested again', async () => {
    for (const device of ['web-01', 'web-02', 'web-03']) await people.runs('operator', `reboot ${device}`);
    await people.bot({ do: 'kill' });
    await people.advance('31m');
    await people.bot({ do: 'start' });
    const three = await until(async () => (await told()).find(({ text }) => text.includes('*3 of your')));
    expect(await told()).toHaveLength(1);
    expect(actionIdsOf(three)).toEqual(['again', 'again', 'again']);
    await people.push('operator', { ...three, channel: '@operator' }, 'again');
    await people.card('approvals', ({ text }) => text.startsWith('⏳ Waiting for approval: Reboot web-01'));
  });

  it('is not sent for a withdrawn request or a verified scan', async () => {
    await people.push('operator', await asked('reboot web-01'), 'withdraw');
    await people.runs('operator', 'scan web-02');
    await people.becomes(
      await people.card('ops', ({ text }) => text.includes(': Scan web-02\n')),
      'verified',
    );
    await people.runs('operator', 'reboot web-03');
    const last = await people.card('approvals', ({ text }) => text.includes('web-03'));
    await people.push('approver', last, 'deny');
    expect((await toldOnce())?.text).toMatch(/^⛔ Denied\. Your request: Reboot web-03\n/);
  });

  it('goes to requester and approver each time a request goes back after its approval', async () => {
    const returned = async (user: string) =>
      (await people.messages(`@${user}`, user)).filter((one) => cardKeyIn(one)?.startsWith('returned:'));
    const both = (count: number) =>
      until(async () => {
        const all = [await returned('operator'), await returned('approver')];
        return all.every(({ length }) => length === count) ? all.map((of) => of.at(-1)) : null;
      });
    const card = await asked('reboot web-01');
    await people.world({ do: 'device-offline', device: 'web-01' });
    await people.push('approver', card, 'approve');
    const [requester, approver] = await both(1);
    expect(requester?.text).toMatch(/^⏳ Needs approval again: Reboot web-01\nYou requested this\.\n/);
    expect(approver?.text).toMatch(/^⏳ Needs approval again: Reboot web-01\nYou approved this\.\n/);
    for (const message of [requester, approver])
      expect(message && messageText(message)).toMatch(/Not sent.*offline.*\|Open the request>/s);
    await people.world({ do: 'device-online', device: 'web-01' });
    const again = await people.card('approvals', (one) => messageText(one).includes('now offline'));
    await people.push('approver', again, 'approve');
    const [, second] = await both(2);
    expect(second && messageText(second)).toContain('web-01 is now online');
    expect(await returned('approver2')).toEqual([]);
  });

  it('is sent for a scan that the service refused', async () => {
    await people.faultOnce({ service: 'management', match: 'POST /servers', kind: 'status', status: 403 });
    await people.runs('operator', 'scan web-02');
    const message = await toldOnce();
    expect(message?.text).toMatch(/^⛔ Not accepted\. Your request: Scan web-02\n/);
  });
});
