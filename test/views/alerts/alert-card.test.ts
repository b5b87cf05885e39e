import { describe, expect, it } from 'vitest';
import { patchCommand } from '../../../src/commands/patch.ts';
import { HOUR, instant, later } from '../../../src/lib/clock.ts';
import { channelId, deviceId, eventId, personId, policyId } from '../../../src/lib/ids.ts';
import type { AlertMember, ShownAlert } from '../../../src/store/port/alert-records.ts';
import { eventText } from '../../../src/views/device/event-list.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import { toCsv } from '../../../src/views/sharing/csv.ts';
import { renderView, type View } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aFleetEvent, aPackage, START } from '../../harness/builders.ts';
import { aMember, anAlert, aSilence, aSubscription } from '../../harness/records.ts';
import { renderedButtons, renderedText, renderedTexts } from '../rendered-text.ts';

const cardOf = (alert: ShownAlert): View => ({ kind: 'alert', alert, channel: channelId('C0OPS') });
const FIXED = { state: 'fixed', fixedAt: START, fixedEvent: eventId(9) } as const;

describe('what a policy’s script printed', () => {
  const printed = { reason: 'password=hunter2', policyId: policyId(5), exitCode: 3 };
  const paging = { command: 'alerts', input: {}, page: 0, pages: 1, total: 1, asOf: START };

  it.each(['policy-failed', 'policy-run'] as const)('is on no card, list or file (%s)', (kind) => {
    const member = aMember({ ...printed, kind, state: kind === 'policy-run' ? 'noted' : 'open' });
    const alert = anAlert([member]);
    const list: View = {
      kind: 'alerts',
      days: 7,
      state: null,
      readAt: START,
      silences: [],
      rows: [alert],
      paging,
    };
    const members: View = { kind: 'alert-members', of: alert, rows: [member], paging };
    const views: readonly View[] = [
      cardOf(alert),
      cardOf(anAlert([member, { ...member, deviceId: deviceId(2) }])),
    ];
    for (const view of [...views, list, members]) {
      const drawn = renderView(view);
      expect(JSON.stringify(drawn)).not.toContain('hunter2');
      expect(renderedText(drawn)).toContain('exit code 3');
    }
    for (const card of views)
      expect(renderedText(renderView(card))).toContain('in the management service’s console');
    const file = toCsv(members)?.text ?? '';
    expect(file).not.toContain('hunter2');
    expect(file).toContain(',3,');
  });

  it('is in no list or file of events, and in no timeline', () => {
    const event = aFleetEvent(7, {
      name: 'system.policy.action',
      exitCode: 3,
      patches: [],
      failure: 'password=hunter2',
      text: 'password=hunter2',
    });
    expect(String(eventText(event, true))).toBe(
      '⛔ *Policy failed*: exit code 3 · output in the management service’s console',
    );
    const question = 'events';
    const list: View = {
      ...{ kind: 'events', device: null, question, counted: null, checked: null, since: START, until: null },
      ...{ rows: [event], paging: { ...paging, command: 'events' } },
    };
    expect(JSON.stringify(renderView(list))).not.toContain('hunter2');
    expect(toCsv(list)?.text).not.toContain('hunter2');
  });
});

it('says when the restart or the patch of a notification is scheduled', () => {
  const event = aFleetEvent(7, { name: 'system.notification.sent', scheduledTime: START });
  expect(String(eventText(event, true))).toContain('scheduled for <!date^');
});

it.each(['patch-failed', 'device-added'] as const)('%s names the system as the device card does', (kind) => {
  const alert = anAlert([aMember({ kind, operatingSystem: '11 Pro 23H2' })]);
  expect(renderedText(renderView(cardOf(alert)))).toContain('Windows 11 Pro 23H2');
});

const actionsOf = (alert: ShownAlert) =>
  renderedButtons(renderView(cardOf(alert))).map(({ action }) => action);
const tooMany = Array.from({ length: 300 }, (_, at) => ({ name: `package-${at}`, displayName: null }));

describe('a failed patch', () => {
  const alert = anAlert([aMember({ reason: 'exit `1` <b>' })]);

  it('shows the reason as code', () => {
    expect(renderedText(renderView(cardOf(alert)))).toContain('`exit ˋ1ˋ &lt;b&gt;`');
  });

  it('offers device, scan and a retry that the patch command accepts', async () => {
    expect(actionsOf(alert)).toEqual(['device', 'scan', 'retry', 'acknowledge', 'silence:device']);
    const retry = renderedButtons(renderView(cardOf(alert)))[2];
    const value = readButtonValue(retry?.value ?? '');
    if (value?.do !== 'form') throw new Error('a retry opens a form');
    expect(value.command).toBe('patch');
    const { ports } = testPorts({ devices: [aDevice()], packages: [aPackage()] });
    expect(await patchCommand.plan(value.input, ports)).toMatchObject({
      kind: 'proposal',
      proposal: { command: { kind: 'patch', packages: ['openssl'] }, reason: 'Retry after: exit `1` <b>' },
    });
  });

  it('leaves the retry out when its packages are too many for a button, and says what to do', () => {
    const many = anAlert([aMember({ packages: tooMany })]);
    expect(actionsOf(many)).not.toContain('retry');
    const text = renderedText(renderView(cardOf(many)));
    expect(text).toContain('Too many packages for a retry button. Use the patch command.');
  });

  it('of which one package is fixed is retried with the others', () => {
    const curl = [{ name: 'curl', displayName: null }];
    const partly = anAlert([aMember(), aMember({ id: 'curl', packages: curl, ...FIXED })]);
    const retry = renderedButtons(renderView(cardOf(partly))).find(({ action }) => action === 'retry');
    expect(readButtonValue(retry?.value ?? '')).toMatchObject({
      input: { device: 1001, packages: ['openssl'] },
    });
  });

  it('that was fixed keeps its error, and offers its device alone', () => {
    const ended = anAlert([aMember({ ...FIXED, reason: 'held' })]);
    expect(renderedText(renderView(cardOf(ended)))).toContain('*Error was:* `held`');
    expect(actionsOf(ended)).toEqual(['device']);
  });

  it('of a removed device offers nothing', () => {
    const ended = anAlert([aMember({ state: 'closed', closedAt: START, closedEvent: eventId(9) })]);
    expect(renderView(cardOf(ended)).text).toMatch(/^▫️ \*Closed without proof on web-01\*: OpenSSL\n/);
    expect(renderedText(renderView(cardOf(ended)))).toContain(', device removed <!date');
    expect(actionsOf(ended)).toEqual([]);
  });

  it('says how often it failed, and who had it before it opened again', () => {
    const again = { lastEndedAt: later(START, -HOUR), lastOwner: personId('UKIM') };
    const text = renderedText(renderView(cardOf(anAlert([aMember({ failures: 5 })], again))));
    expect(text).toMatch(
      /First failed <!date.*>, failed 5 times\. It had ended <!date.*>; <@UKIM> had it\. #70001/,
    );
  });
});

describe('failures of several devices on one card', () => {
  const on = (deviceName: string, at: number, over: Partial<AlertMember> = {}) =>
    aMember({ deviceName, deviceId: deviceId(at + 1), reason: 'exit 100', ...over });
  const storm = (count: number, over: Partial<AlertMember> = {}) =>
    anAlert(Array.from({ length: count }, (_, at) => on(`web-${at + 1}`, at, over)));
  const textOf = (alert: ShownAlert) => renderedText(renderView(cardOf(alert)));

  it('offers a form to retry on the devices that fail, unless the packages are too many for a button', () => {
    const members = [on('web-1', 1), on('web-2', 2), on('web-3', 3, FIXED)];
    const alert = anAlert(members);
    const drawn = renderView(cardOf(alert));
    const retry = renderedButtons(drawn).find(({ action }) => action === 'retry');
    expect(JSON.stringify(drawn.blocks)).toContain('"Retry on 2 devices"');
    expect(readButtonValue(retry?.value ?? '')).toEqual({
      do: 'form',
      command: 'patch',
      input: {
        alerts: { alert: alert.id, channel: 'C0OPS' },
        packages: ['openssl'],
        reason: 'Retry after: exit 100',
      },
    });
    const many = storm(2, { packages: tooMany });
    expect(actionsOf(many)).not.toContain('retry');
    expect(textOf(many)).toContain('Too many packages for a retry button.');
    for (const other of [{ kind: 'policy-failed' }, { packages: [] }] as const)
      expect(actionsOf(storm(2, other))).not.toContain('retry');
  });

  it('offers what is left to do in each state', () => {
    expect(actionsOf(storm(3))).toEqual(['alerts', 'retry', 'acknowledge', 'silence:patch']);
    expect(actionsOf({ ...storm(3), acknowledgedBy: personId('UKIM') })).toEqual([
      'alerts',
      'retry',
      'silence:patch',
    ]);
    expect(actionsOf(storm(3, FIXED))).toEqual(['alerts']);
  });

  it('names devices in the order in which people look for them', () => {
    const shown = [on('web-10', 1), on('app-2', 2), on('web-9', 3)];
    expect(textOf({ ...storm(5), shown })).toContain('app-2, web-9, web-10 and 2 more');
  });

  it('names only those that still fail once some are fixed', () => {
    const text = textOf(anAlert([on('lt-06', 1), on('lt-07', 2, FIXED)]));
    expect(text).toMatch(/^⛔ \*Patch failed on 2 devices, 1 fixed\*: OpenSSL\n/);
    expect(text).toContain('Still failing: lt-06\n');
    expect(text).not.toContain('lt-07');
  });

  it('counts the most frequent errors', () => {
    const reasons = [
      { reason: 'repository unreachable', exitCode: null, members: 48 },
      { reason: 'no space left', exitCode: null, members: 2 },
    ];
    expect(textOf({ ...storm(50), reasons })).toContain(
      '*Errors:* `repository unreachable` 48 · `no space left` 2',
    );
    expect(textOf({ ...storm(50, FIXED), reasons })).toContain('*Errors were:* `repository unreachable` 48');
  });

  it('of a policy that ran on all of them says so', () => {
    const policy = {
      kind: 'policy-failed',
      policyId: policyId(4),
      policyName: 'Disk cleanup',
      packages: [],
    } as const;
    expect(textOf(storm(4, { ...policy, ...FIXED }))).toMatch(
      /^✅ \*Ran with exit code 0 on all 4 devices\*: Disk cleanup/,
    );
  });
});

describe('a card that a newer one replaced', () => {
  it('says where that is, and offers nothing', () => {
    const link = 'https://example.slack.com/archives/C0OPS/p2';
    const drawn = renderView({ kind: 'alert-moved', alert: anAlert(), link });
    expect(drawn.text).toMatch(/^▫️ \*Moved\*: a newer card shows OpenSSL\.\n/);
    expect(JSON.stringify(drawn.blocks)).toContain(link);
    expect(renderedButtons(drawn)).toEqual([]);
  });
});

describe('the line about what a silence held back', () => {
  const textOf = (reason: string | null) =>
    renderView({
      kind: 'silence-over',
      silence: aSilence({ reason }),
      channel: channelId('C0OPS'),
      kept: [{ kind: 'patch-failed', alerts: 1 }],
    }).text;

  it('says why, where a reason was given', () => {
    expect(textOf('move')).toMatch(
      /^▫️ \*Silence ended\.\* It held 1 patch failure here\.\n<@\w+> silenced all alerts, in every channel\. Reason: move$/,
    );
    expect(textOf(null)).toMatch(
      /^▫️ \*Silence ended\.\* It held 1 patch failure here\.\n<@\w+> silenced all alerts, in every channel\.$/,
    );
  });
});

const LIST: View = {
  kind: 'subscriptions',
  channel: null,
  fixed: [],
  rows: [
    aSubscription({ number: 1 }),
    aSubscription({ number: 2, person: personId('UANN'), channel: channelId('D0ANN') }),
  ],
  silences: [aSilence({ number: 7 })],
  paging: { command: 'subscriptions', input: { all: true }, page: 0, pages: 1, total: 2, asOf: START },
};
const actions = (view: View): readonly string[] =>
  [...JSON.stringify(renderView(view).blocks).matchAll(/"action_id":"([^"]*)"/g)].map(([, id = '']) => id);

describe('the list of subscriptions', () => {
  it('has a button to end each of them, and each silence', () => {
    expect(actions(LIST)).toEqual(['unsubscribe:1', 'unsubscribe:2', 'silence:off7']);
  });

  it('says which number belongs to which, and counts those of the configuration file by themselves', () => {
    const kind = 'device-added' as const;
    const fixed = [{ kind, channel: channelId('C0NEW') }];
    const shown = JSON.stringify(renderView({ ...LIST, fixed }).blocks);
    expect(shown).toContain('\\nSubscription #2, added by <@');
    expect(shown).toContain('\\nSilence #7, by <@');
    expect(shown).toContain('2 subscriptions added in Slack, 1 in the configuration file, as of');
    expect(JSON.stringify(renderView(LIST).blocks)).toContain('"2 subscriptions, as of');
  });

  it('says nothing of alerts that a silence did not hold', () => {
    const shown = (kept: number) =>
      JSON.stringify(renderView({ ...LIST, silences: [aSilence({ number: 7, kept })] }).blocks);
    expect(shown(0)).not.toContain('held so far');
    expect(shown(2)).toContain(' · 2 held so far');
  });

  it('offers who may only look to end what is their own, and nothing else', () => {
    expect(actions({ ...LIST, lookOnly: { ask: [] } })).toEqual(['unsubscribe:2']);
  });

  it('names the silences for which there is no room', () => {
    const silences = [1, 2, 3, 4, 5, 6, 7, 8, 11, 15, 40].map((number) => aSilence({ number }));
    expect(JSON.stringify(renderView({ ...LIST, silences }).blocks)).toContain(
      '3 more silences: 11, 15, 40.',
    );
  });
});

describe('a subscription that was made or ended', () => {
  const subscribed = (more: object, already = false): View => ({
    kind: 'subscribed',
    already,
    subscription: aSubscription({ number: 1, ...more }),
    unknown: [],
  });
  const own = { person: personId('UANN'), channel: channelId('D0ANN') };

  it('says which events are not known, and what may have been meant, with its button', () => {
    const choice = { command: 'subscribe', input: { events: ['user.create'] } };
    const text = renderedText(
      renderView({
        kind: 'subscribed',
        already: false,
        subscription: aSubscription({ kinds: ['user.created', 'a.b'] }),
        unknown: [
          { name: 'user.created', meant: { word: 'user.create', choice } },
          { name: 'a.b', meant: null },
        ],
      }),
    );
    expect(text).toContain('doesn’t know the event `user.created`');
    expect(text).toContain('exactly this name. Did you mean `user.create`?');
    expect(text).toMatch(/`a\.b`\. Alerts come only for events logged under exactly this name\.$/m);
  });

  it.each<readonly [View, RegExp]>([
    [subscribed({}), /^Subscribed <#\w+> to \*Patch failed\*\.\nSubscription #1$/],
    [subscribed({}, true), /^<#\w+> is already subscribed to \*Patch failed\*\.\nSubscription #1$/],
    [subscribed(own), /^Subscribed <@UANN> to \*Patch failed\*, by direct message\.\nSubscription #1$/],
    [
      { kind: 'unsubscribed', asked: 'one', ended: [aSubscription({ number: 1, ...own })] },
      /^Unsubscribed <@UANN> from \*Patch failed\*, by direct message\. Subscription #1 ended\.$/,
    ],
    [{ kind: 'unsubscribed', asked: 'me', ended: [] }, /^You have no subscriptions of your own to end\.$/],
    [{ kind: 'unsubscribed', asked: 'here', ended: [] }, /^This channel has no subscriptions to end\.$/],
    [
      { kind: 'unsubscribed', asked: 'here', ended: [aSubscription(), aSubscription()] },
      /^Ended 2 subscriptions\.\n/,
    ],
  ])('%# is answered in one sentence', (view, said) => {
    expect(renderView(view).text).toMatch(said);
  });
});

const OPS = channelId('C0OPS');

describe('the announcement of a silence', () => {
  it('says how it is ended: by its button', () => {
    const shown = renderView({ kind: 'silence-on', silence: aSilence({ number: 7 }), channel: OPS });
    const [end, ...others] = renderedButtons(shown);
    expect(others).toEqual([]);
    expect(renderedTexts(shown.blocks).map(({ text }) => text)).toContain('End silence');
    expect(readButtonValue(end?.value ?? '')).toEqual({ do: 'run', command: 'silence', input: { off: 7 } });
  });

  it('has the scope of the answer to the one who silenced', () => {
    const silence = aSilence({ createdBy: personId('U0ANN') });
    const scope = ' silenced all alerts, in every channel.';
    const announced = renderView({ kind: 'silence-on', silence, channel: OPS });
    const answer = renderView({ kind: 'silenced', silence, zone: null, skipped: null, unknown: [] });
    expect(announced.text).toContain(`<@U0ANN>${scope}`);
    expect(answer.text).toContain(`You${scope}`);
  });

  it('says that clocks skip the time that was typed, and shows the resulting one', () => {
    const until = instant(Date.parse('2027-03-14T07:00:00Z'));
    const view = { kind: 'silenced', silence: aSilence({ until }), skipped: '02:30', unknown: [] } as const;
    const shown = renderView({ ...view, zone: 'America/New_York' });
    const texts = renderedTexts(shown.blocks).map(({ text }) => text);
    expect(shown.text).toContain('(2027-03-14 at 03:00 America/New_York)');
    expect(texts).toContain('Clocks skip 02:30 that day. The silence ends right after the gap.');
  });

  it('says which events are not known', () => {
    const silence = aSilence({ scope: { kinds: ['mac12.local'], group: null, device: null, patch: null } });
    const choice = { command: 'silence', input: { device: 'mac12.local' } };
    const unknown = [{ name: 'mac12.local', meant: { word: 'device:mac12.local', choice } }];
    const { blocks } = renderView({ kind: 'silenced', silence, zone: null, skipped: null, unknown });
    expect(renderedTexts(blocks).map(({ text }) => text)).toContain(
      'Patchbay doesn’t know the event `mac12.local`. It holds only events logged under exactly this name. Did you mean `device:mac12.local`?',
    );
  });

  it('says after its end who ended it, without a button', () => {
    const ended = aSilence({ endedAt: START, endedBy: personId('U0BOB') });
    const shown = renderView({ kind: 'silence-on', silence: ended, channel: OPS });
    expect(shown.text).toMatch(/^▫️ \*Silence ended\*\n<@U0BOB> ended it <!date/);
    expect(renderedButtons(shown)).toEqual([]);
  });
});

describe('the button that silences', () => {
  const labelOf = (deviceName: string) =>
    renderedTexts(renderView(cardOf(anAlert([aMember({ deviceName })]))).blocks)
      .map(({ text }) => text)
      .find((text) => /^Silence .* h$/.test(text));

  it('names what it silences', () => {
    expect(labelOf('web-01')).toBe('Silence web-01 patch failures for 2 h');
  });

  it.each([
    ['device-added', 'Silence new-device alerts for 2 h'],
    ['device-removed', 'Silence removed-device alerts for 2 h'],
  ] as const)('holds every %s alert, because each device has only one', (kind, label) => {
    const member = aMember({ kind, state: 'noted', packages: [], reason: null });
    const shown = renderView(cardOf(anAlert([member])));
    expect(renderedTexts(shown.blocks).map(({ text }) => text)).toContain(label);
    const button = renderedButtons(shown).find(({ action }) => action === 'silence:kind');
    expect(readButtonValue(button?.value ?? '')).toMatchObject({
      command: 'silence',
      input: { events: [kind], device: null, package: null, group: null },
    });
  });

  it('cuts a long name, not the hours', () => {
    const label = labelOf('a'.repeat(200)) ?? '';
    expect(label).toMatch(/^Silence a+… patch failures for 2 h$/);
    expect(label).toHaveLength(75);
  });
});
