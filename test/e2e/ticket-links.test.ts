/** Tickets that a reason names are links on the card, in lists, in windows and on the Home; notifications have the id alone. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { until } from '../harness/until.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const LINK = 'Reason: kernel update, <https://tickets.example.com/browse/OPS-12|OPS-12>';

describe('a ticket in a reason', () => {
  const entry = fileURLToPath(new URL('./harness/short-approvals-product.ts', import.meta.url));
  const people = useSandboxPeople({ entry });

  it('is a link wherever the reason is shown', async () => {
    await people.runs('operator', 'reboot web-01 because kernel update, OPS-12');
    const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
    expect(JSON.stringify(card.blocks)).toContain(LINK);
    expect(card.text).toContain('Reason: kernel update, OPS-12');
    for (const [who, line] of [
      ['approver', 'approvals'],
      ['operator', 'approvals mine'],
      ['operator', 'device web-01'],
    ] as const)
      expect(JSON.stringify((await people.runs(who, line)).blocks)).toContain(LINK);
    const window = await people.opens('approver', card, 'approve');
    expect(JSON.stringify(window.blocks)).toContain(LINK);
    await people.home({ user: 'approver' });
    await until(async () => JSON.stringify((await people.views('approver')).home?.blocks).includes(LINK));
  });
});
