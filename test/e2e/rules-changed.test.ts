/** The configuration file changes while requests of three people wait: what the cards say, and what is sent. */
import { describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { messageText, stateOf } from './harness/sandbox-people.ts';
import { useResetPeople } from './harness/use-sandbox-people.ts';

const TWO = 'rules: [{ name: two, when: { commands: [reboot] }, approvals: 2 }]\n';
const FREEZE =
  'rules: [{ name: freeze, when: { commands: [reboot] }, refuse: "Change freeze until 4 January." }]\n';

describe('while requests wait, a changed file', () => {
  const people = useResetPeople();

  /** One of each requester, and how to change what follows the first lines of the file. */
  const waiting = async () => {
    const { text } = await people.configuration();
    const asked = [
      ['operator', 'kiosk-01'],
      ['operator2', 'kiosk-02'],
      ['admin', 'kiosk-03'],
    ] as const;
    for (const [who, name] of asked) await people.runs(who, `reboot ${name} because kernel update`);
    const card = (name: string, words: string) =>
      people.card('approvals', (one) => messageText(one).includes(name) && messageText(one).includes(words));
    return { text, change: (lines: string) => people.writeConfiguration(`${text}${lines}`), card };
  };

  it('asks for more people on every card, refuses by its rule’s name, and approves nothing', async () => {
    const { change, card } = await waiting();
    await people.push('approver', await card('kiosk-01', 'Waiting'), 'approve');
    await people.becomes(await card('kiosk-01', 'Approved'), 'verified');
    expect(await change(TWO)).toEqual({ ok: true, problems: [] });
    const second = await card('kiosk-02', 'two (1 device): 0 of 2');
    await card('kiosk-03', 'two (1 device): 0 of 2');
    expect((await people.presses('approver', second, 'approve')).text).toContain('1 more approval needed');
    expect(await change(FREEZE)).toMatchObject({ ok: true });
    const frozen = await card('kiosk-02', '*Can’t be approved now*\\nRule *freeze*: Change freeze');
    expect((await people.presses('approver2', frozen, 'approve')).text).toContain('Rule *freeze*');
    expect(await change('')).toMatchObject({ ok: true });
    const enough = await card('kiosk-02', 'Enough people approved it.');
    expect(stateOf(enough)).toBe('waiting');
    expect(await people.writes()).toHaveLength(1);
    await people.push('approver2', enough, 'approve');
    await people.becomes(await card('kiosk-02', 'Approved'), 'verified');
    expect(await people.writes()).toHaveLength(2);
    const audit = messageText(await people.runs('admin', 'audit'));
    expect(audit).toContain('took the changed configuration file: `rules.two: ');
  });

  it('with faults changes nothing, tells an admin where they are, and says when it is mended', async () => {
    const { text, change, card } = await waiting();
    expect(await change('rules: [{ name: two, approvers: [kim] }]\n')).toMatchObject({
      ok: false,
      problems: [expect.stringContaining('rules.0.approvers')],
    });
    await people.advance('2m');
    const told = await people.card('@admin', (one) =>
      one.text.includes('The configuration file has had faults'),
    );
    expect(told.text).toMatch(/line \d+, column \d+/);
    expect((await people.runs('admin', 'status')).text).toContain('configuration file');
    await people.push('approver', await card('kiosk-01', 'Waiting'), 'approve');
    await people.becomes(await card('kiosk-01', 'Approved'), 'verified');
    expect(await people.writeConfiguration(text)).toMatchObject({ ok: true });
    await people.advance('5m');
    await until(async () => {
      const seen = await people.card('@admin', ({ ts }) => ts === told.ts);
      return messageText(seen).includes('The configuration file had faults');
    });
  });

  it('gives and takes roles at once', async () => {
    const { text } = await waiting();
    const viewer = /viewer:\n\s+- (\S+)/.exec(text)?.[1] ?? '';
    expect((await people.runs('viewer', 'reboot web-01 because x')).text).toContain('operator');
    expect(
      await people.writeConfiguration(text.replace('operator:\n', `operator:\n    - ${viewer}\n`)),
    ).toMatchObject({ ok: true });
    expect((await people.runs('viewer', 'reboot web-01 because x')).text).toContain('Approval requested');
    expect(await people.writeConfiguration(text)).toMatchObject({ ok: true });
    expect((await people.runs('viewer', 'reboot web-02 because x')).text).toContain('operator');
  });
});
