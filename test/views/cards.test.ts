import { describe, expect, it } from 'vitest';
import { instant, later, MINUTE } from '../../src/clock.ts';
import { patch } from '../../src/commands/patch.ts';
import { approvalId, operationId, personId, type Reference } from '../../src/ids.ts';
import { REASON_BLOCK, REASON_FORM, reasonForm } from '../../src/views/forms/reason-form.ts';
import { readButtonValue } from '../../src/views/kit/button-value.ts';
import { utc, when } from '../../src/views/kit/when.ts';
import type { Block, DecisionOutcome, RenderedMessage, View } from '../../src/views/model.ts';
import { render } from '../../src/views/render.ts';
import { testPorts } from '../commands/ports.ts';
import {
  aDevice,
  anAlert,
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

  it('names every package that is to be installed, also of many', () => {
    const packages = Array.from({ length: 60 }, (_, at) => `package-${at}-end`);
    const command = { kind: 'patch', packages } as const;
    const shown = words(card({ command, targets: [someFacts({ missing: packages })] }));
    for (const name of packages) expect(shown).toContain(name);
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

  const became = (more: Parameters<typeof aTarget>[0]) =>
    card(
      { state: 'approved', note: 'Nothing was sent, because it went offline.' },
      anOperation({ targets: [aTarget(more)] }),
    );

  it('keeps the note of what changed only until it is approved anew', () => {
    const note = 'Nothing was sent, because it went offline.';
    expect(words(card({ note }))).toContain(note);
    expect(words(card({ note, state: 'denied' }))).toContain(note);
    expect(words(card({ note, state: 'approved' }))).not.toContain(note);
    expect(words(became({ state: 'verified' }))).not.toContain(note);
  });

  it('says that Patchbay withdrew what no person did', () => {
    const decidedAt = later(START, MINUTE);
    expect(words(card({ state: 'withdrawn', decidedAt }))).toContain(
      `*Withdrawn* by Patchbay ${when(decidedAt)}`,
    );
  });

  it.each(['waiting', 'approved', 'denied', 'expired', 'withdrawn'] as const)(
    'dates its facts while it is %s',
    (state) => {
      expect(words(card({ state }))).toContain(`Facts as of ${when(START)}.`);
    },
  );

  it.each([
    ['accepted', 'The service accepted the command; it was not seen in the device’s queue yet.'],
    ['queued', 'It waits in the device’s queue (number 501) and cannot be cancelled.'],
    ['unknown', 'The answer to the command was lost: it timed out. It is not sent again.'],
    ['refused', 'The management service refused the command. Nothing was changed.'],
    ['not_verified', 'Nothing was sent: the management service could not be reached.'],
  ] as const)('says once what the evidence of %s says', (state, evidence) => {
    expect(words(became({ state, evidence, endedAt: START }))).toMatch(
      new RegExp(`\n${evidence.replace(/[().]/g, '\\$&')}$`, 'm'),
    );
  });

  it('quotes the answer of the device once', () => {
    const quoted = became({ state: 'answered', response: 'ok', evidence: 'The device answered: “ok”.' });
    expect(words(quoted).match(/The device answered/g)).toHaveLength(1);
    const proven = became({ state: 'verified', response: 'ok', evidence: 'The uptime fell.' });
    expect(words(proven)).toContain('The device answered: `ok`');
  });

  it.each([
    ['unknown', 'Unknown', ['queue', 'device']],
    ['not_verified', 'Not verified', ['queue', 'device']],
    ['refused', 'Not verified', ['queue', 'device']],
    ['verified', 'Verified', []],
    ['queued', 'In the queue', []],
  ] as const)('leads on from %s, which it calls %s', (state, label, actions) => {
    const shown = became({ state });
    const alone = render({ kind: 'operation', operation: anOperation({ targets: [aTarget({ state })] }) });
    for (const drawn of [shown, alone]) {
      expect(words(drawn)).toContain(`*${label}*`);
      expect(buttons(drawn).map(({ action }) => action)).toEqual(actions);
    }
    const several = anOperation({ targets: [aTarget({ state }), aTarget({ state })] });
    expect(buttons(render({ kind: 'operation', operation: several }))).toEqual([]);
  });

  it('draws the times of its evidence in the reader’s zone, and shows no token anywhere', () => {
    const shown = became({ state: 'verified', evidence: `The device was refreshed @{${START}}.` });
    expect(words(shown)).toContain(`The device was refreshed ${when(START)}.`);
    expect(JSON.stringify(shown)).not.toContain('@{');
  });

  it('says what is not known', () => {
    const target = aTarget({ state: 'unknown' });
    const shown = words(card({ state: 'approved' }, anOperation({ targets: [target] })));
    expect(shown).toContain('*Unknown*');
    expect(shown).toContain('not sent again');
  });
});

describe('the message about an outcome', () => {
  it('says why Patchbay withdrew what no person did', () => {
    const note = 'Nothing was sent, because something changed: web-01 is gone.';
    const ended = {
      kind: 'approval',
      approval: anApproval({ state: 'withdrawn', note }),
      operation: null,
    } as const;
    expect(words(render({ kind: 'told', ended, link: null }))).toContain(note);
    const by = personId('UOPERATOR');
    const own = { ...ended, approval: { ...ended.approval, decidedBy: by } };
    expect(words(render({ kind: 'told', ended: own, link: null }))).not.toContain(note);
  });
});

describe('failed patch', () => {
  const view: View = { kind: 'alert', alert: anAlert({ reason: 'exit `1` <b>' }) };

  it('shows the reason as code', () => {
    expect(words(render(view))).toContain('`exit ˋ1ˋ &lt;b&gt;`');
  });

  it('offers device, scan and a retry that the patch command accepts', async () => {
    const offered = buttons(render(view));
    expect(offered.map(({ action }) => action)).toEqual([
      'device',
      'scan',
      'retry',
      'acknowledge',
      'silence:device',
    ]);
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
    const shown = render({ kind: 'alert', alert: anAlert({ packages }) });
    expect(buttons(shown).map(({ action }) => action)).not.toContain('retry');
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
      '*Tags*\n`web`',
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
      ['form', false],
      ...['hardware', 'volumes', 'network', 'updates', 'policies', 'timeline'].map((page) => [
        `page:${page}`,
        false,
      ]),
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
  const page = (at: number, unlisted = 0): View => ({
    kind: 'devices',
    title: '',
    rows: [{ device: aDevice(), groupName: null }],
    unlisted,
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

  it.each([
    [1, 'Up to 1 device could not be listed.'],
    [3, 'Up to 3 devices could not be listed.'],
  ])('say that devices are not among them: %j', (unlisted, said) => {
    expect(words(render(page(0, unlisted)))).toContain(said);
    expect(words(render(page(0)))).not.toContain('could not be listed');
  });

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
  const asked = (reason: string | null, more: Partial<Extract<View, { kind: 'asked' }>> = {}) =>
    render({
      kind: 'asked',
      approval: anApproval({ reason }),
      channel: 'C0OPS' as Extract<View, { kind: 'asked' }>['channel'], // a test's brand
      link: null,
      already: false,
      mine: true,
      reasonUnused: false,
      ...more,
    });

  it('let the one who asked add a reason that is missing, and withdraw', () => {
    expect(buttons(asked(null)).map(({ action }) => action)).toEqual(['add_reason', 'withdraw']);
    expect(buttons(asked('x')).map(({ action }) => action)).toEqual(['withdraw']);
  });

  it('tell somebody else who asked already, and offer them nothing', () => {
    const shown = asked(null, { already: true, mine: false, reasonUnused: true });
    expect(shown.text).toBe(
      'The request of <@UOPERATOR> to reboot web-01 already waits for approval. Nothing was sent to the device yet.',
    );
    expect(words(shown)).toContain('The reason that you gave now was not added to it.');
    expect(buttons(shown)).toEqual([]);
  });

  it('speak of a reason only where one was given', () => {
    expect(words(asked(null, { already: true }))).not.toContain('reason that you gave');
  });

  const decided = (outcome: DecisionOutcome) => render({ kind: 'decided', outcome }).text;
  const approval = anApproval();
  it.each<readonly [DecisionOutcome, string]>([
    [
      { kind: 'approved', approval },
      'You approved the request to reboot web-01. The facts are read once more before anything is sent; the card shows what becomes of it.',
    ],
    [{ kind: 'denied', approval }, 'You denied the request to reboot web-01. Nothing is sent to the device.'],
    [
      { kind: 'withdrawn', approval },
      'You withdrew your request to reboot web-01. Nothing is sent to the device.',
    ],
    [
      { kind: 'already', approval, state: 'expired', by: null, at: null },
      'The request to reboot web-01 is already expired. Nothing was changed by your press.',
    ],
  ])('name the request: $0.kind', (outcome, expected) => {
    expect(decided(outcome)).toBe(expected);
  });

  it('promise no more than that a command was taken up', () => {
    const shown = render({
      kind: 'started',
      operationId: operationId('o_1'),
      command: { kind: 'scan' },
      deviceName: 'web-01',
      link: null,
    });
    expect(words(shown)).toBe('Your request to scan web-01 was taken up. Its card shows what becomes of it.');
  });

  it.each([
    ['nothing', 'Nothing was changed.'],
    ['unknown', 'Whether anything was changed is not known'],
  ] as const)('say after a fault of ours whether anything was changed: %s', (changed, expected) => {
    const reference = 'abcd1234' as Reference; // a test's brand
    const shown = render({ kind: 'problem', problem: { kind: 'unexpected', changed, reference } });
    expect(shown.text).toContain(expected);
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
