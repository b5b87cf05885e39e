import { describe, expect, it } from 'vitest';
import { instant, later, MINUTE } from '../../src/clock.ts';
import { patch } from '../../src/commands/patch.ts';
import { approvalId, personId } from '../../src/ids.ts';
import { readButtonValue } from '../../src/views/button-value.ts';
import type { Block, RenderedMessage, View } from '../../src/views/model.ts';
import { REASON_BLOCK, REASON_FORM, reasonForm } from '../../src/views/reason-form.ts';
import { render } from '../../src/views/render.ts';
import { utc, when } from '../../src/views/when.ts';
import { testPorts } from '../commands/ports.ts';
import {
  aDevice,
  aNotice,
  anApproval,
  anOperation,
  aPackage,
  aTarget,
  START,
  someFacts,
} from '../harness/builders.ts';
import { texts } from './samples.ts';

type Pressable = { readonly action: string; readonly value: string; readonly confirm: string };

function buttons({ blocks }: RenderedMessage): readonly Pressable[] {
  const found: Pressable[] = [];
  JSON.stringify(blocks, (_key, item: unknown) => {
    if (typeof item === 'object' && item !== null && 'action_id' in item) {
      const { action_id: action, value, confirm } = item as Record<string, unknown>; // JSON of our own making
      found.push({ action: String(action), value: String(value), confirm: JSON.stringify(confirm ?? null) });
    }
    return item;
  });
  return found;
}

function words(message: RenderedMessage): string {
  return texts(message.blocks as readonly Block[])
    .map(({ text }) => text)
    .join('\n');
}

const card = (
  more: Parameters<typeof anApproval>[0],
  operation: ReturnType<typeof anOperation> | null = null,
) => render({ kind: 'approval', approval: anApproval(more), operation });

describe('approval card', () => {
  it('names who asks, why, the device and the facts that matter', () => {
    const shown = words(card({}));
    for (const part of [
      '<@UOPERATOR>',
      'kernel update',
      'web-01',
      'Online',
      'deploy',
      'Linux servers',
      'Ubuntu',
      'cannot be cancelled',
    ]) {
      expect(shown).toContain(part);
    }
  });

  it('says that an offline device runs it when it returns', () => {
    expect(words(card({ targets: [someFacts({ connected: false })] }))).toContain(
      'it will run when it returns',
    );
    expect(words(card({}))).not.toContain('it will run when it returns');
    expect(words(card({ targets: [someFacts({ connected: null })] }))).not.toContain('offline');
  });

  it('offers approve, deny and withdraw with dialogs that name command and device', () => {
    const offered = buttons(card({}));
    expect(offered.map(({ action }) => action)).toEqual(['approve', 'deny', 'withdraw']);
    for (const { value, confirm } of offered) {
      expect(readButtonValue(value)).toEqual({ do: 'decide', approval: 'a_1', seal: 'seal-1' });
      expect(confirm.toLowerCase()).toContain('reboot web-01');
    }
  });

  it.each(['approved', 'denied', 'expired', 'withdrawn'] as const)(
    'has no buttons once it is %s',
    (state) => {
      expect(buttons(card({ state }))).toEqual([]);
    },
  );

  it('says who decided and when', () => {
    const decidedAt = later(START, 3 * MINUTE);
    const shown = words(card({ state: 'denied', decidedBy: personId('UAPPROVER'), decidedAt }));
    expect(shown).toContain(`*Denied* by <@UAPPROVER> ${when(decidedAt)}`);
  });

  it('shows the one state it is in, and its evidence', () => {
    const target = aTarget({
      state: 'queued',
      queuedAt: START,
      evidence: 'Entry 9001 appeared in the queue.',
    });
    const shown = card(
      { state: 'approved' },
      anOperation({ command: { kind: 'reboot' }, targets: [target] }),
    );
    expect(shown.text).toBe('Request to reboot web-01: approved, in the queue.');
    expect(words(shown)).toContain('Entry 9001 appeared in the queue.');
    expect(words(shown)).not.toMatch(/Verified|Answered|Accepted/);
  });

  it('says what is not known', () => {
    const target = aTarget({ state: 'unknown' });
    const shown = words(card({ state: 'approved' }, anOperation({ targets: [target] })));
    expect(shown).toContain('*Unknown*');
    expect(shown).toContain('not sent again');
  });
});

describe('failed patch', () => {
  const view: View = { kind: 'notice', notice: aNotice({ reason: 'exit `1` <b>' }) };

  it('shows the reason as code', () => {
    expect(words(render(view))).toContain('`exit ˋ1ˋ &lt;b&gt;`');
  });

  it('offers device, scan and a retry that the patch command accepts', async () => {
    const offered = buttons(render(view));
    expect(offered.map(({ action }) => action)).toEqual(['device', 'scan', 'retry']);
    const value = readButtonValue(offered[2]?.value ?? '');
    if (value?.do !== 'run') throw new Error('a retry runs a command');
    expect(value.command).toBe('patch');
    const { ports } = testPorts({ devices: [aDevice()], packages: [aPackage()] });
    expect(await patch.plan(value.input, ports)).toMatchObject({
      kind: 'proposal',
      proposal: { command: { kind: 'patch', packages: ['openssl'] }, reason: 'Retry after: exit `1` <b>' },
    });
  });

  it('leaves the retry out when its packages are too many for a button, and says how to go on', () => {
    const packages = Array.from({ length: 300 }, (_, at) => ({ name: `package-${at}`, displayName: null }));
    const shown = render({ kind: 'notice', notice: aNotice({ packages }) });
    expect(buttons(shown).map(({ action }) => action)).toEqual(['device', 'scan']);
    expect(words(shown)).toContain('ask for them with the patch command');
  });
});

describe('device card', () => {
  const shown = render({ kind: 'device', device: aDevice(), groupName: 'Linux servers' });

  it('shows state, system, group, tags, last seen, pending patches and need of a reboot', () => {
    for (const part of [
      '*State*\nOnline',
      'Ubuntu 24.04',
      'Linux servers',
      '*Tags*\nweb',
      '*Last seen*\nNow',
      '*Pending patches*\n3',
      '*Needs a reboot*\nYes',
    ]) {
      expect(words(shown)).toContain(part);
    }
  });

  it('offers what can be done, and asks before it changes anything', () => {
    const offered = buttons(shown).map(({ action, confirm }) => [action, confirm !== 'null']);
    expect(offered).toEqual([
      ['packages', false],
      ['queue', false],
      ['scan', true],
      ['patch', true],
      ['reboot', true],
    ]);
  });

  it('tells nought from not stated', () => {
    const none = render({
      kind: 'device',
      device: aDevice({ pendingPatches: 0, needsReboot: false }),
      groupName: null,
    });
    expect(words(none)).toContain('*Pending patches*\n0');
    const unsaid = render({
      kind: 'device',
      device: aDevice({ pendingPatches: null, connected: null }),
      groupName: null,
    });
    expect(words(unsaid)).toContain('*Pending patches*\nNot stated');
    expect(words(unsaid)).toContain('*State*\nConnection not stated');
  });
});

describe('lists', () => {
  const page = (at: number): View => ({
    kind: 'devices',
    title: '',
    rows: [{ device: aDevice(), groupName: null }],
    paging: {
      command: 'devices',
      input: { words: [], filters: [] },
      page: at,
      pages: 3,
      total: 25,
      asOf: START,
    },
  });
  const pages = (at: number) =>
    buttons(render(page(at)))
      .filter(({ action }) => action.startsWith('page:'))
      .map(({ action, value }) => [action, readButtonValue(value)]);
  const to = (at: number) => ({ do: 'run', command: 'devices', input: { words: [], filters: [] }, page: at });

  it.each([
    ['first', 0, [['page:next', to(1)]]],
    [
      'middle',
      1,
      [
        ['page:prev', to(0)],
        ['page:next', to(2)],
      ],
    ],
    ['last', 2, [['page:prev', to(1)]]],
  ] as const)('go on from the %s page', (_what, at, expected) => {
    expect(pages(at)).toEqual(expected);
  });
});

describe('private answers', () => {
  const asked = (reason: string | null) =>
    render({
      kind: 'asked',
      approval: anApproval({ reason }),
      channel: 'C0OPS' as Extract<View, { kind: 'asked' }>['channel'], // a test's brand
      link: null,
      already: false,
    });

  it('let the one who asked add a reason that is missing, and withdraw', () => {
    expect(buttons(asked(null)).map(({ action }) => action)).toEqual(['add_reason', 'withdraw']);
    expect(buttons(asked('x')).map(({ action }) => action)).toEqual(['withdraw']);
  });
});

describe('form for a reason', () => {
  it('carries the request and keeps the limits of a form', () => {
    const form = reasonForm(approvalId('a_1'));
    expect(form).toMatchObject({
      callback_id: REASON_FORM,
      private_metadata: 'a_1',
      blocks: [{ block_id: REASON_BLOCK }],
    });
    for (const part of [form.title, form.submit, form.close])
      expect(part?.text.length).toBeLessThanOrEqual(24);
  });
});

describe('times', () => {
  it('are drawn in the reader’s zone, with UTC for clients that cannot', () => {
    expect(when(START)).toBe('<!date^1795168800^{date_short_pretty} {time}|2026-11-20 10:00 UTC>');
    expect(utc(START)).toBe('2026-11-20 10:00 UTC');
  });

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 9e15])('are called unknown where %d is no time', (time) => {
    expect(when(instant(time))).toBe('an unknown time');
  });
});
