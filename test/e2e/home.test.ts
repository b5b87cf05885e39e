import { beforeEach, describe, expect, it } from 'vitest';
import type { SlackViewAnswer } from '../harness/client.ts';
import { until } from '../harness/until.ts';
import { type PersonName, stateOf } from './harness/sandbox-people.ts';
import { useSandboxPeople } from './harness/use-sandbox-people.ts';

const wordsOf = (view: SlackViewAnswer): string => JSON.stringify(view.blocks);
/** A button with its block. */
type Pressable = { readonly block_id: string; readonly action_id: string };

function buttonsOf(view: SlackViewAnswer): readonly Pressable[] {
  const found: Pressable[] = [];
  for (const block of view.blocks) {
    const { block_id } = block as { readonly block_id: string };
    for (const [, action_id = ''] of JSON.stringify(block).matchAll(/"action_id":"([^"]+)"/g))
      found.push({ block_id, action_id });
  }
  return found;
}

describe.each(['socket', 'http'] as const)('the Home, by %s', (transport) => {
  const people = useSandboxPeople({ transport });
  const homeOf = async (user: PersonName, part: string): Promise<SlackViewAnswer> =>
    until(
      async () => {
        const { home } = await people.views(user);
        return home !== null && wordsOf(home).includes(part) ? home : null;
      },
      { what: `“${part}” on the Home of ${user}` },
    );
  const opens = async (user: PersonName, part: string): Promise<SlackViewAnswer> => {
    expect(await people.home({ user })).toMatchObject({ ok: true });
    return homeOf(user, part);
  };
  const press = async (
    user: PersonName,
    view: SlackViewAnswer,
    action: string,
    block?: string,
  ): Promise<void> => {
    const button = buttonsOf(view).find(
      ({ action_id, block_id }) => action_id === action && (block === undefined || block_id === block),
    );
    expect(
      await people.click({ user, view_id: view.id, action_id: action, block_id: button?.block_id ?? '' }),
    ).toMatchObject({ ok: true });
  };
  /** The topmost window, as soon as it contains this text. */
  const windowOf = async (user: PersonName, part: string): Promise<SlackViewAnswer> =>
    until(
      async () => {
        const top = (await people.views(user)).modals.at(-1);
        return top !== undefined && wordsOf(top).includes(part) ? top : null;
      },
      { what: `“${part}” in a window of ${user}` },
    );

  it('a viewer sees the fleet in numbers, and the devices behind a number in windows', async () => {
    const home = await opens('viewer', 'of 240 devices not compliant');
    expect(wordsOf(home)).toContain('Patchbay is healthy');
    await press('viewer', home, 'devices:offline');
    await press('viewer', await windowOf('viewer', 'is:offline'), 'page:next');
    const list = await windowOf('viewer', 'Page 2 of');
    expect((await people.views('viewer')).modals).toHaveLength(1);
    const [first] = buttonsOf(list).filter(({ action_id }) => action_id.startsWith('device:'));
    await press('viewer', list, first?.action_id ?? '');
    await windowOf('viewer', 'ID*');
    expect((await people.views('viewer')).modals).toHaveLength(2);
  });

  it('somebody without a role is told whom to ask, and nothing of the fleet', async () => {
    const home = await opens('outsider', 'You don’t have a role yet');
    expect(wordsOf(home)).toContain('<@');
    expect(wordsOf(home)).not.toContain('240');
    expect(buttonsOf(home).map(({ action_id }) => action_id)).toEqual(['home_refresh']);
  });

  describe('to act', () => {
    beforeEach(async () => {
      await people.reset();
    });

    it('an approver approves there, the card is updated, and the operator sees it run', async () => {
      await opens('operator', 'Your requests');
      await people.runs('operator', 'reboot web-01 because kernel update');
      const card = await people.card('approvals', ({ text }) => text.includes('web-01'));

      const home = await opens('approver', 'Needs your decision (1)');
      expect(wordsOf(home)).toContain('kernel update');
      await press('approver', home, 'approve');
      const window = await windowOf('approver', 'kernel update');
      expect(await people.submit({ user: 'approver', view_id: window.id, values: {} })).toMatchObject({
        ok: true,
      });
      expect((await people.views('approver')).modals).toEqual([]);
      await people.becomes(card, 'verified');
      expect(await people.writes()).toEqual(['POST /servers/4001/queues']);

      await people.advance('10s');
      await homeOf('approver', 'No requests.');
      await homeOf('operator', 'Verified');
    });

    // Opening, presses and windows have arrived over either transport above; what follows is the same for both.
    if (transport === 'http') return;

    it('an operator withdraws from it', async () => {
      await people.runs('operator', 'reboot web-01');
      const card = await people.card('approvals', ({ text }) => text.includes('web-01'));
      const home = await opens('operator', 'Waiting for approval');
      expect(buttonsOf(home).map(({ action_id }) => action_id)).not.toContain('approve');
      await press('operator', home, 'withdraw');
      expect(stateOf(await people.becomes(card, 'withdrawn'))).toBe('withdrawn');
      await people.advance('10s');
      await homeOf('operator', 'Withdrawn');
    });

    it('it updates itself when a patch fails', async () => {
      await opens('viewer', 'Open alerts*\\nNo open alerts.');
      await people.world({ do: 'patch-fails', device: 'web-01' });
      await people.advance('20s');
      await people.card('patch-alerts', ({ text }) => text.includes('web-01'));
      await people.advance('20s');
      expect(wordsOf(await homeOf('viewer', 'Open alerts (1)'))).toContain('Open the alert');
    });

    it('what is asked for in its windows is asked for once, and answered there', async () => {
      const home = await opens('operator', 'of 240 devices not compliant');
      await press('operator', home, 'devices:needsreboot');
      const list = await windowOf('operator', 'is:needs-reboot');
      const [first] = buttonsOf(list).filter(({ action_id }) => action_id.startsWith('device:'));
      await press('operator', list, first?.action_id ?? '');
      await press('operator', await windowOf('operator', 'ID*'), 'reboot');
      const form = await windowOf('operator', 'Nothing is requested before you press Request.');
      await people.submit({ user: 'operator', view_id: form.id, values: {} });
      await windowOf('operator', 'Approval requested');
      await people.card('approvals', ({ text }) => text.includes('Waiting for approval'));
      expect(await people.posts('approvals')).toHaveLength(1);
    });

    it('a publish that Slack refuses is tried again later', async () => {
      await people.faultOnce({ service: 'slack', match: 'views.publish', kind: 'status', status: 500 });
      expect(await people.home({ user: 'viewer' })).toMatchObject({ ok: true });
      await until(async () =>
        (await people.journal('slack')).some(({ path }) => path.includes('views.publish')),
      );
      await until(async () => {
        await people.advance('10s');
        return (await people.views('viewer')).home !== null;
      });
      expect(
        (await people.journal('slack')).filter(({ path }) => path.includes('views.publish')),
      ).toHaveLength(2);
    });
  });
});
