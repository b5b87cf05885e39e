/** What the window says in which several requests are decided, and what is read of its submission. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { channelId, messageTs, personId, requestId, windowId } from '../../../src/lib/ids.ts';
import { severalPage } from '../../../src/requests/decide/decision-windows.ts';
import { checkView } from '../../../src/sandbox/slack/validate/payload-rules.ts';
import { readMarks, reasonAddedWindow, severalWindow } from '../../../src/views/forms/decision-window.ts';
import { backToForm, blocksWithError, blocksWithValues } from '../../../src/views/forms/form-error-text.ts';
import { formWindow, readFormMetadata, writeFormMetadata } from '../../../src/views/forms/form-window.ts';
import { escapeMrkdwn, md } from '../../../src/views/kit/escape.ts';
import type { FormField, FormOption, FormView } from '../../../src/views/models/form-model.ts';
import type { Block } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { property } from '../../harness/property.ts';
import { aReadyTarget, aRequest, aTarget, someFacts, somePackages } from '../../harness/records.ts';
import { aRollout, aRolloutRequest, aSummary, rolloutTargets } from '../../harness/rollouts.ts';
import { aDeviceToEdit } from '../../requests/builders.ts';
import { unsafeTexts } from '../slack-message-rules.ts';

const PLACE = { channel: channelId('C0OPS'), thread: messageTs('7.000001') };
const formOf = (fields: readonly FormField[], context: unknown = null): FormView => ({
  command: 'patch',
  title: 'Install patches',
  submit: 'Ask',
  fields,
  context,
});
const many = (count: number): readonly FormOption[] =>
  Array.from({ length: count }, (_, at) => ({ value: `v${at}`, label: `Option ${at}`, detail: 'x' }));

function drawn(...fields: readonly FormField[]): readonly Block[] {
  const window = formWindow(formOf(fields), PLACE);
  if (window === null) throw new Error('no window');
  expect(checkView(window, 'modal')).toEqual([]);
  return window.blocks;
}
/** The element of a form with only this field. */
const element = (field: FormField): unknown => drawn(field)[0]?.['element'];

const head = { id: 'f', label: 'Field' } as const;
const choice = (count: number, optional?: true): FormField => ({
  ...head,
  kind: 'choice',
  options: many(count),
  initial: 'v1',
  ...(optional === undefined ? {} : { optional }),
});
const choices = (count: number): FormField => ({
  ...head,
  kind: 'choices',
  options: many(count),
  initial: ['v0', 'v1'],
});

describe('a form: whatever others write', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 100 }),
    fc.constantFrom(
      '<!channel>',
      '<@U123ABC>',
      '*b*:tada:',
      '😀'.repeat(2_000),
      '\uD800',
      '',
      ' ',
      '&'.repeat(3_500),
    ),
  );
  const options = fc.array(fc.record({ value: texts, label: texts, detail: texts }), { maxLength: 30 });
  const initial = fc.array(texts, { maxLength: 3 });
  const flags = fc.oneof(
    fc.constant({}),
    fc.constant({ optional: true, live: true, hint: '<@U1>' } as const),
  );
  const kind = <K extends FormField['kind']>(name: K) => fc.constant(name);
  const named = { label: texts };
  const field = fc.oneof(
    fc.record({ kind: kind('text'), ...named, initial: texts, most: fc.integer({ min: -5, max: 9_999 }) }),
    fc.record({ kind: kind('choice'), ...named, options, initial: fc.option(texts) }),
    fc.record({ kind: kind('choices'), ...named, options, initial }),
    fc.record({
      kind: kind('search'),
      ...named,
      of: fc.constantFrom('device', 'group', 'policy', 'package'),
      initial: fc.option(fc.record({ value: texts, label: texts })),
    }),
    fc.record({ kind: kind('searches'), ...named, of: fc.constant('group' as const), initial: options }),
    fc.record({ kind: kind('words'), text: texts }),
  );

  property([fc.array(fc.tuple(field, flags), { maxLength: 110 }), texts], { numRuns: 150 })(
    'is drawn within Slack’s limits, and pings nobody',
    (fields, title) => {
      const given = fields.map(([one, more], at): FormField => {
        return one.kind === 'words' ? one : { ...one, ...more, id: `f${at}` };
      });
      const window = formWindow({ ...formOf(given), title, submit: title }, PLACE);
      expect(checkView(window, 'modal')).toEqual([]);
      expect(unsafeTexts(window?.blocks ?? [])).toEqual([]);
    },
  );

  it('says how many fields did not fit', () => {
    const blocks = drawn(...Array.from({ length: 110 }, (_, at) => ({ ...choice(2), id: `f${at}` })));
    expect(blocks).toHaveLength(100);
    expect(JSON.stringify(blocks.at(-1))).toContain('11 more fields don’t fit');
  });

  it('is not drawn where its window could not carry what it knows', () => {
    expect(formWindow(formOf([], 'x'.repeat(3_000)), PLACE)).toBeNull();
  });
});

describe('a field', () => {
  it('shows a few choices openly, many in a menu, very many in groups', () => {
    expect(element(choice(5))).toMatchObject({ type: 'radio_buttons', initial_option: { value: 'v1' } });
    expect(element(choice(6))).toMatchObject({ type: 'static_select', initial_option: { value: 'v1' } });
    expect(element(choice(101))).toMatchObject({
      option_groups: [{ label: { text: '1 to 100' } }, { label: { text: '101 to 101' } }],
    });
    expect(element(choices(10))).toMatchObject({ type: 'checkboxes', initial_options: [{}, {}] });
    expect(element(choices(11))).toMatchObject({ type: 'multi_static_select', initial_options: [{}, {}] });
    expect(element({ ...choices(2), menu: true } as FormField)).toMatchObject({
      type: 'multi_static_select',
    });
  });

  it('that may stay empty is no radio button, which cannot be let go', () => {
    expect(element(choice(3, true))).toMatchObject({ type: 'static_select' });
  });

  it('of 10,000 choices shows 500 and says how many it does not', () => {
    const [block] = drawn(choices(10_000));
    expect(JSON.stringify(block)).toContain('9500 more aren’t shown.');
  });

  it('leaves out what would not come back whole, and says so', () => {
    const long = { value: 'x'.repeat(76), label: 'long' };
    const [block] = drawn({ ...head, kind: 'choices', options: [long, ...many(1)], initial: [] });
    expect(JSON.stringify(block)).toContain('1 more isn’t shown.');
    expect(JSON.stringify(block)).not.toContain(long.value);
  });

  it('without anything to choose from says that', () => {
    expect(JSON.stringify(drawn(choice(0)))).toContain('Field: nothing to choose from.');
  });

  it('that searches names what it searches, and begins with what is known', () => {
    const initial = { value: '4001', label: 'web-01', detail: '#4001' };
    expect(element({ ...head, kind: 'search', of: 'device', initial })).toMatchObject({
      type: 'external_select',
      action_id: 'search_device',
      min_query_length: 1,
      initial_option: { value: '4001', text: { text: 'web-01' } },
    });
    expect(element({ ...head, kind: 'searches', of: 'group', initial: [] })).toEqual(
      expect.not.objectContaining({ initial_options: expect.anything() }),
    );
  });

  it('that is live acts at once, text when enter is pressed', () => {
    const [text] = drawn({ ...head, kind: 'text', initial: 'a', most: 9_999, live: true });
    expect(text).toMatchObject({
      dispatch_action: true,
      element: {
        initial_value: 'a',
        max_length: 3_000,
        dispatch_action_config: { trigger_actions_on: ['on_enter_pressed'] },
      },
    });
  });
});

describe('what a window carries for itself', () => {
  it.each([
    ['in a thread', { command: 'patch', context: { device: 1 }, ...PLACE }],
    ['in a channel', { command: 'patch', context: null, channel: PLACE.channel }],
    ['without anything known', { command: 'patch', channel: PLACE.channel }],
  ])('comes back as it went: %s', (_what, order) => {
    expect(readFormMetadata(writeFormMetadata(order) ?? '')).toEqual(order);
  });

  it('is refused where it is none of ours, and never throws', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (text) => void readFormMetadata(text)));
    expect(readFormMetadata('{"command":"patch"}')).toBeNull();
  });
});

describe('a form that is drawn once more', () => {
  const fields: readonly FormField[] = [
    { kind: 'text', id: 'name', label: 'Name', initial: 'as drawn', most: 50 },
    { kind: 'choice', id: 'one', label: 'One', options: many(7), initial: 'v1' },
    { kind: 'choices', id: 'some', label: 'Some', options: many(30), initial: ['v0'] },
    { kind: 'search', id: 'device', label: 'Device', of: 'device', initial: null },
    { kind: 'words', text: 'Words between.' },
  ];
  const window = formWindow(formOf(fields), PLACE);
  const blocks = window?.blocks ?? [];
  const option = (value: string) => ({
    text: { type: 'plain_text', text: `Option ${value.slice(1)}` },
    value,
  });
  const entered = {
    name: { field: { type: 'plain_text_input', value: null } },
    one: {
      field: {
        type: 'static_select',
        selected_option: { ...option('v2'), description: { type: 'plain_text', text: 'x' } },
      },
    },
    some: { field: { type: 'multi_static_select', selected_options: [] } },
    device: { search_device: { type: 'external_select', selected_option: option('v9') } },
  };
  const wording = (text: string) => ({
    what: escapeMrkdwn(text, 600),
    changed: md`Nothing was changed.`,
    next: md`Try another.`,
  });
  const taken = (given: readonly Block[]) =>
    expect(checkView({ ...window, blocks: given }, 'modal')).toEqual([]);

  it('holds what was entered, and not what was taken away', () => {
    const filled = blocksWithValues(blocks, entered);
    expect(filled.map((block) => block['element'])).toMatchObject(
      [
        { type: 'plain_text_input', max_length: 50 },
        { initial_option: { value: 'v2' }, options: { length: 7 } },
        { type: 'multi_static_select' },
        { initial_option: { value: 'v9' } },
        undefined,
      ].map((element) => element ?? undefined),
    );
    expect(JSON.stringify([filled[0], filled[2]])).not.toContain('initial');
    taken(filled);
  });

  it('says what stood in the way below its field, and names the field at the top', () => {
    const noted = blocksWithError(blocksWithValues(blocks, entered), wording('taken'), 'one');
    expect(noted.map(({ block_id, type }) => block_id ?? type)).toEqual([
      'note:top',
      'name',
      'one',
      'note:field',
      'some',
      'device',
      'section',
    ]);
    expect(JSON.stringify(noted[0])).toContain('Check the field “One”');
    taken(noted);
  });

  it('says it at the top alone where it is about no field', () => {
    for (const field of [null, 'gone']) {
      const [top, ...rest] = blocksWithError(blocks, wording('taken'), field);
      expect(JSON.stringify(top)).toContain('taken');
      expect(rest).toEqual(blocks);
    }
  });

  it('shows only current errors', () => {
    const once = blocksWithError(blocks, wording('before'), 'one');
    const twice = blocksWithError(blocksWithValues(once, entered), wording('now'), null);
    expect(JSON.stringify(twice)).not.toContain('before');
    expect(twice).toHaveLength(blocks.length + 1);
  });

  it.each(['<!channel>', '*b*:tada:', '&'.repeat(3_500), '\uD800', ''])(
    'survives whatever others write: %#',
    (text) => {
      const full = formWindow(
        formOf(
          Array.from(
            { length: 120 },
            (_, at) => ({ kind: 'text', id: `f${at}`, label: 'F', initial: text, most: 3_000 }) as const,
          ),
        ),
        PLACE,
      );
      const noted = blocksWithError(blocksWithValues(full?.blocks ?? [], {}), wording(text), 'f3');
      taken(noted);
      expect(unsafeTexts(noted)).toEqual([]);
    },
  );

  it('has a way back from its answer, as long as a button carries what was asked', () => {
    expect(JSON.stringify(backToForm({ command: 'devices', input: { typed: 'web' } }))).toContain(
      'Back to form',
    );
    expect(backToForm({ command: 'devices', input: 'x'.repeat(3_000) })).toEqual([]);
    expect(backToForm(null)).toEqual([]);
  });
});

it('an added reason is confirmed in the form’s window', () => {
  for (const reason of ['kernel update', '<!channel>', '&'.repeat(300), null]) {
    const shown = reasonAddedWindow(aRequest({ reason }), 2);
    expect(checkView(shown, 'modal')).toEqual([]);
    expect(JSON.stringify(shown.blocks)).toContain('Reason added to your request: Reboot web-01');
  }
});

const HOSTILE = '<!channel> *now* `x` & <https://a.example|here>'.repeat(20);

function severalOf(count: number, given: Parameters<typeof aRequest>[0] = {}, page = 0) {
  const waiting = Array.from({ length: count }, (_, at) => aRequest({ ...given, id: requestId(`r_${at}`) }));
  const shown = severalPage(waiting, { person: personId('UME'), groups: [], page, now: START });
  const rows = shown.rows.map((row) => ({ ...row, link: 'https://example.slack.com/archives/C1/p1' }));
  return severalWindow({ kind: 'several-window', id: windowId('w_1'), ...shown, rows });
}
const wordsOf = (...given: Parameters<typeof severalOf>) => JSON.stringify(severalOf(...given).blocks);

describe('the window of several requests', () => {
  it('says of each what, on how many, who, why and until when, and has nothing marked', () => {
    const modal = severalOf(2);
    expect(modal.submit?.text).toBe('Decide');
    const words = JSON.stringify(modal.blocks);
    // Slack says “(optional)” after a field’s label, which is no title of a request.
    expect(words).toContain(
      '⏳ *Waiting for approval: Reboot web-01*\\nRequested by <@UOPERATOR> · Reason: kernel update\\nOnline · ',
    );
    expect(wordsOf(1, { reach: 12 })).toContain('\\n12 devices\\n');
    expect(words).not.toContain('initial_option');
    expect(words).toContain('Please say why this is needed.');
    expect(words).not.toContain('page');
  });

  it.each([
    [{ requesterId: personId('UME') }, 'Your own request: another approver decides.'],
    [{ action: { kind: 'device-remove' } as const }, 'Can’t be undone, so it’s decided on its own.'],
    [{ typedCount: true }, 'The number of devices has to be typed, so it’s decided on its own.'],
  ])(
    'lists what is decided on its own with a link, and cannot be submitted with nothing else',
    (given, why) => {
      const modal = severalOf(1, given);
      const words = JSON.stringify(modal.blocks);
      expect(words).toContain(`${why} <https://example.slack.com/archives/C1/p1|Open the request>`);
      expect(words).not.toContain('checkboxes');
      expect(modal).not.toHaveProperty('submit');
    },
  );

  it('says of several devices which, what is installed, what is unusual, and in which waves', () => {
    const packages = { top: [{ name: 'openssl 3.0.13', devices: 5 }], more: 0 };
    const rollout = aRollout(5, { summary: aSummary({ packages, offline: 2 }) });
    const words = wordsOf(1, {
      action: { kind: 'patch', packages: ['openssl'] },
      rollout,
      targets: rolloutTargets(3),
      counts: { ready: 5, open: 5 },
    });
    expect(words).toContain('*Devices*: web-1, web-2, web-3 and 2 more\\n');
    expect(words).toContain('*Packages*: openssl 3.0.13 (5)\\n');
    expect(words).toContain('*Note*: 2 are offline and will run it when they’re back\\n');
    expect(words).toContain('*Plan*: ');
  });

  it('says of one device what is installed, and the facts that its card has, without who is logged in', () => {
    const facts = someFacts({
      connected: false,
      needsReboot: false,
      packages: somePackages('openssl', 'zlib'),
    });
    const given = { targets: [aReadyTarget(facts)] };
    // Offline, nobody knows whether somebody is logged in.
    expect(wordsOf(1, given)).toMatch(/\\nOffline since [^·]+ · No reboot required · /);
    const online = someFacts({ needsReboot: false });
    expect(wordsOf(1, { targets: [aReadyTarget(online)] })).toContain('Online · A user is logged in · ');
    const words = wordsOf(1, { ...given, action: { kind: 'patch', packages: ['openssl', 'zlib'] } });
    expect(words).toContain('*Packages*: openssl, zlib\\n');
    expect(words).not.toContain('deploy');
  });

  it('says of an edit what it changes, without addresses of mail', () => {
    const action = {
      kind: 'device-edit',
      change: { customName: 'db-09', addresses: ['lee@example.com'] },
    } as const;
    const words = wordsOf(1, { action, targets: [aReadyTarget(aDeviceToEdit())] });
    expect(words).toContain('*Changes*: custom name: db-09, addresses\\n');
    expect(words).not.toContain('lee@');
  });

  it('says what changed since the approval, and names no device that was sent before', () => {
    const [sent, ...left] = rolloutTargets(3);
    const note = { kind: 'drifted', subject: 'devices', changes: [], more: 0 } as const;
    const targets = [...(sent === undefined ? [] : [{ ...sent, state: 'verified' as const }]), ...left];
    const words = wordsOf(1, {
      ...aRolloutRequest(),
      targets,
      counts: { verified: 1, ready: 9 },
      note,
      typedCount: false,
    });
    expect(words).toMatch(/Needs approval again: Reboot 10 devices.*\\n9 devices\\n/);
    expect(words).toContain('Not sent: ');
    expect(words).toContain('*Devices*: web-2, web-3 and 7 more');
  });

  it('says of what may not be marked how many devices were requested in the hour', () => {
    expect(wordsOf(1, { typedCount: true, askedLastHour: 36 })).toContain(
      'The requester asked for changes of 36 devices in the hour up to this request.',
    );
    const words = wordsOf(1, { typedCount: true });
    expect(words).not.toContain('press *Decide*');
    expect(words).not.toContain('Reason to deny');
  });

  it('stays within Slack’s limits with twenty of the longest, and turns its pages', () => {
    const target = aTarget({
      displayName: HOSTILE,
      facts: someFacts({ displayName: HOSTILE }),
      state: 'ready',
    });
    const counts = { ready: 5, open: 5 };
    const modal = severalOf(
      60,
      { ...aRolloutRequest(), typedCount: false, reason: HOSTILE, targets: [target, target, target], counts },
      1,
    );
    expect(modal.blocks.length).toBeLessThanOrEqual(100);
    expect(unsafeTexts(modal.blocks)).toEqual([]);
    const words = JSON.stringify(modal.blocks);
    expect(words).not.toContain('<!channel>');
    expect(words).toMatch(/Page 2\. .*Previous page.*Next page/);
  });

  it('reads which were marked, and what is decided about them', () => {
    const marked = { 'mark:r_1': ['r_1'], 'mark:r_2': [], other: ['r_3'] };
    const read = (given: Readonly<Record<string, readonly string[]>>) =>
      readMarks(new Map(Object.entries(given)));
    const marks = { decision: 'deny', requests: ['r_1'] };
    expect(read({ ...marked, marked: ['deny'] })).toEqual({ marks, error: null });
    expect(read({ marked: ['deny'] }).error).toContain('Mark at least one request.');
    expect(read({ ...marked, marked: ['later'] }).error).toContain('Approve or Deny');
    // Reasons to deny would be said of what was approved.
    const reasons = { ...marked, deny_because: ['2'] };
    expect(read({ ...reasons, marked: ['deny'] })).toEqual({ marks, error: null });
    expect(read({ ...reasons, marked: ['approve'] }).error).toBe(
      'You marked a reason to deny. Unmark it, or choose Deny.',
    );
  });
});
