/** Approval rules of the configuration file, as people meet them. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { messageText, stateOf } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

describe('approval rules', () => {
  const entry = fileURLToPath(new URL('./harness/rules-product.ts', import.meta.url));
  const people = useSandboxPeople({ entry });

  it('two people agree to a reboot, each press says what is still needed, and one command is sent', async () => {
    await people.runs('operator', 'reboot kiosk-01 because kernel update');
    const card = await people.card('approvals', ({ text }) => text.includes('kiosk-01'));
    expect(messageText(card)).toContain('*Approvals*\ntwo (1 device): 0 of 2');
    const first = await people.presses('approver', card, 'approve');
    expect(first.text).toBe('You approved the reboot of kiosk-01. 1 more approval needed for two.');
    const half = await people.card('approvals', ({ ts, text }) => ts === card.ts && text.includes('1 of 2'));
    expect(messageText(half)).toContain('two (1 device): 1 of 2 · <@U0APPROVER1>');
    expect(stateOf(half)).toBe('waiting');
    expect(await people.writes()).toEqual([]);
    expect((await people.presses('approver', card, 'approve')).text).toMatch(
      /^You already approved this .*1 more approval needed for two\.$/,
    );
    expect((await people.runs('admin', 'approvals')).text).toContain('two (1 device): 1 of 2');
    await people.push('approver2', card, 'approve');
    const verified = await people.becomes(card, 'verified');
    expect(messageText(verified)).toContain('Approved by <@U0APPROVER1>, <@U0APPROVER2>');
    expect(await people.writes()).toHaveLength(1);
  });

  it('a rule lets one device an hour run without anybody, and the next one asks', async () => {
    const laptops = (await people.runs('operator', 'explain reboot lt-01')).text;
    expect(laptops).toContain('needs no approval (rule *lab*');
    const started = await people.runs('operator', 'reboot lt-01 because kernel update');
    expect(started.text).toMatch(/requested/);
    const ran = await people.card('ops', ({ text }) => text.includes(': Reboot lt-01\n'));
    await people.becomes(ran, 'verified');
    await people.runs('operator', 'reboot lt-02 because kernel update');
    expect(stateOf(await people.card('approvals', ({ text }) => text.includes('lt-02')))).toBe('waiting');
  });

  it('what a rule refuses is refused by its name, and nothing waits', async () => {
    const answer = await people.runs('operator', 'patch web-01 because CVE');
    expect(answer.text).toContain(
      'This can’t be requested now. Rule *freeze*: Change freeze until 4 January.',
    );
    expect((await people.runs('operator', 'explain patch web-01')).text).toContain('Rule *freeze*');
  });

  it('a reason that does not fit is asked for again, and nothing is lost', async () => {
    const answer = await people.runs('operator', 'device-edit web-01 tag:rack-7 because tidy up');
    expect(answer.text).toContain('By rule *ticket*, this needs a reason with `CHG-\\d{5}` in it.');
    const asked = await people.runs('operator', 'device-edit web-01 tag:rack-7 because CHG-12345');
    expect(asked.text).toMatch(/approv/);
  });

  it('who waits is told of once in the thread, where the groups that may approve are mentioned', async () => {
    await people.runs('operator', 'reboot db-01 because kernel update');
    const card = await people.card('approvals', ({ text }) => text.includes('db-01'));
    await people.advance('3m');
    const reply = await until(async () => {
      const seen = await people.messages('approvals', 'approver');
      return seen.find(({ thread_ts, ts }) => thread_ts === card.ts && ts !== card.ts) ?? null;
    });
    expect(reply.text).toMatch(
      /^⏳ Waiting since .*\*Reboot db-01\*\. Still needed: 1 approval from <!subteam\^S0APPROVERS> or <!subteam\^S0PRODUCTION>\./,
    );
  });
});
