/** The requester gets the result as a direct message, once. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import {
  cardKeyIn,
  messageText,
  type PostedCard,
  type SandboxPeople,
  startSandboxPeople,
} from './harness/sandbox-people.ts';

describe('how it ended', () => {
  let town: SandboxPeople;
  beforeAll(async () => {
    town = await startSandboxPeople();
  });
  afterAll(() => town.stop());
  beforeEach(async () => {
    await town.reset();
  });

  const told = async (user = 'operator') =>
    (await town.messages(`@${user}`, user)).filter((one) => cardKeyIn(one)?.startsWith('told:'));
  const toldOnce = () => until(async () => ((await told()).length === 1 ? (await told())[0] : null));
  const asked = async (what: string): Promise<PostedCard> => {
    await town.runs('operator', what);
    return town.card('approvals', ({ text }) => text.includes('web-01'));
  };

  it('a reboot that was approved and came true', async () => {
    const card = await asked('reboot web-01');
    await town.push('approver', card, 'approve');
    expect(await told()).toEqual([]);
    await town.becomes(card, 'verified');
    const message = await toldOnce();
    expect(message?.text).toMatch(/^✅ Verified\. Your request: Reboot web-01\n/);
    expect(message && messageText(message)).toMatch(/disconnected .*\|Open the card>/s);
    expect(await told('approver')).toEqual([]);
  });

  it('a request that was denied', async () => {
    await town.push('approver', await asked('reboot web-01'), 'deny');
    expect((await toldOnce())?.text).toMatch(/^⛔ Denied\. Your request: Reboot web-01\n/);
  });

  it('a request that nobody decided', async () => {
    await asked('reboot web-01');
    await town.advance('31m');
    expect((await toldOnce())?.text).toMatch(/^▫️ Expired\. Your request: Reboot web-01\n/);
  });

  it('not what one withdrew, and not a scan that came true', async () => {
    await town.push('operator', await asked('reboot web-01'), 'withdraw');
    await town.runs('operator', 'scan web-02');
    await town.becomes(await town.card('ops', ({ text }) => text.includes(': Scan web-02')), 'verified');
    await town.runs('operator', 'reboot web-03');
    const last = await town.card('approvals', ({ text }) => text.includes('web-03'));
    await town.push('approver', last, 'deny');
    expect((await toldOnce())?.text).toMatch(/^⛔ Denied\. Your request: Reboot web-03\n/);
  });

  it('both who asked and who approved, each time that a request goes back after its approval', async () => {
    const returned = async (user: string) =>
      (await town.messages(`@${user}`, user)).filter((one) => cardKeyIn(one)?.startsWith('returned:'));
    const both = (count: number) =>
      until(async () => {
        const all = [await returned('operator'), await returned('approver')];
        return all.every(({ length }) => length === count) ? all.map((of) => of.at(-1)) : null;
      });
    const card = await asked('reboot web-01');
    await town.world({ do: 'device-offline', device: 'web-01' });
    await town.push('approver', card, 'approve');
    const [requester, approver] = await both(1);
    expect(requester?.text).toMatch(/^⏳ Needs approval again: Reboot web-01\nYou requested this\.\n/);
    expect(approver?.text).toMatch(/^⏳ Needs approval again: Reboot web-01\nYou approved this\.\n/);
    for (const message of [requester, approver])
      expect(message && messageText(message)).toMatch(/Not sent.*offline.*\|Open the card>/s);
    await town.world({ do: 'device-online', device: 'web-01' });
    const again = await town.card('approvals', (one) => messageText(one).includes('now offline'));
    await town.push('approver', again, 'approve');
    const [, second] = await both(2);
    expect(second && messageText(second)).toContain('web-01 is now online');
    expect(await returned('approver2')).toEqual([]);
  });

  it('a scan that the service refused', async () => {
    await town.fault({
      service: 'management',
      match: 'POST /servers',
      kind: 'status',
      status: 403,
      times: 1,
    });
    await town.runs('operator', 'scan web-02');
    const message = await toldOnce();
    expect(message?.text).toMatch(/^⛔ Not accepted\. Your request: Scan web-02\n/);
  });
});
