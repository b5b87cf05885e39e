import { describe, expect, it } from 'vitest';
import { patchCommand } from '../../../src/commands/patch.ts';
import { instant } from '../../../src/lib/clock.ts';
import { channelId, personId, policyId } from '../../../src/lib/ids.ts';
import { eventText } from '../../../src/views/device/event-list.ts';
import { readButtonValue } from '../../../src/views/kit/buttons.ts';
import { toCsv } from '../../../src/views/sharing/csv.ts';
import { renderView, type View } from '../../../src/views/views.ts';
import { testPorts } from '../../commands/harness/ports.ts';
import { aDevice, aFleetEvent, aPackage, START } from '../../harness/builders.ts';
import { anAlert, aSilence, aSubscription } from '../../harness/records.ts';
import { renderedButtons, renderedText, renderedTexts } from '../rendered-text.ts';

describe('what a policy’s script printed', () => {
  const printed = { reason: 'password=hunter2', policyId: policyId(5), exitCode: 3 };
  const paging = { command: 'alerts', input: {}, page: 0, pages: 1, total: 1, asOf: START };

  it.each(['policy-failed', 'policy-run'] as const)('is on no card, list or file (%s)', (kind) => {
    const alert = anAlert({ ...printed, kind });
    const storm = { first: alert, shown: [alert], alerts: 2, devices: 2, taken: null } as const;
    const list: View = {
      kind: 'alerts',
      of: { kind: 'all', days: 7, readAt: START, silences: [] },
      rows: [alert],
      paging,
    };
    const views: readonly View[] = [
      { kind: 'alert', alert },
      { kind: 'alert-group', channel: channelId('C0OPS'), ...storm },
      list,
    ];
    for (const view of views) {
      const drawn = renderView(view);
      expect(JSON.stringify(drawn)).not.toContain('hunter2');
      expect(renderedText(drawn)).toContain('exit code 3');
    }
    for (const card of views.slice(0, 2))
      expect(renderedText(renderView(card))).toContain('in the management service’s console');
    const file = toCsv(list)?.text ?? '';
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
  const alert = anAlert({ kind, operatingSystem: '11 Pro 23H2' });
  expect(renderedText(renderView({ kind: 'alert', alert }))).toContain('Windows 11 Pro 23H2');
});

describe('failed patch', () => {
  const view: View = { kind: 'alert', alert: anAlert({ reason: 'exit `1` <b>' }) };

  it('shows the reason as code', () => {
    expect(renderedText(renderView(view))).toContain('`exit ˋ1ˋ &lt;b&gt;`');
  });

  it('offers device, scan and a retry that the patch command accepts', async () => {
    const offered = renderedButtons(renderView(view));
    expect(offered.map(({ action }) => action)).toEqual([
      'device',
      'scan',
      'retry',
      'acknowledge',
      'silence:device',
    ]);
    const value = readButtonValue(offered[2]?.value ?? '');
    if (value?.do !== 'form') throw new Error('a retry opens a form');
    expect(value.command).toBe('patch');
    const { ports } = testPorts({ devices: [aDevice()], packages: [aPackage()] });
    expect(await patchCommand.plan(value.input, ports)).toMatchObject({
      kind: 'proposal',
      proposal: { command: { kind: 'patch', packages: ['openssl'] }, reason: 'Retry after: exit `1` <b>' },
    });
  });

  it('leaves the retry out when its packages are too many for a button, and says what to do', () => {
    const packages = Array.from({ length: 300 }, (_, at) => ({ name: `package-${at}`, displayName: null }));
    const shown = renderView({ kind: 'alert', alert: anAlert({ packages }) });
    expect(renderedButtons(shown).map(({ action }) => action)).not.toContain('retry');
    expect(renderedText(shown)).toContain('Too many packages for a retry button. Use the patch command.');
  });
});

describe('alerts of several devices on one card', () => {
  const named = (deviceName: string) =>
    anAlert({ deviceName, packages: [{ name: 'openssl', displayName: null, version: '3.0.2' }] });
  const shown = (names: readonly string[], devices: number, alerts = devices) =>
    renderedText(
      renderView({
        ...{ kind: 'alert-group', channel: channelId('C0OPS'), first: named('web-10'), taken: null },
        ...{ shown: names.map(named), devices, alerts },
      }),
    );

  it('offers a form to retry on all of its devices, unless the packages are too many for a button', () => {
    const view = { kind: 'alert-group', channel: channelId('C0OPS'), shown: [], taken: null } as const;
    const first = anAlert({ reason: 'exit 100' });
    const drawn = renderView({ ...view, first, devices: 50, alerts: 61 });
    const retry = renderedButtons(drawn).find(({ action }) => action === 'retry');
    expect(JSON.stringify(drawn.blocks)).toContain('Retry (50)');
    expect(readButtonValue(retry?.value ?? '')).toEqual({
      do: 'form',
      command: 'patch',
      input: {
        alerts: { card: first.id, channel: 'C0OPS' },
        packages: ['openssl'],
        reason: 'Retry after: exit 100',
      },
    });
    const actionsOf = (shownView: View) => renderedButtons(renderView(shownView)).map(({ action }) => action);
    const packages = Array.from({ length: 300 }, (_, at) => ({ name: `package-${at}`, displayName: null }));
    const many: View = { ...view, first: anAlert({ packages }), devices: 2, alerts: 2 };
    expect(actionsOf(many)).not.toContain('retry');
    expect(renderedText(renderView(many))).toContain('Too many packages for a retry button.');
    for (const other of [{ kind: 'policy-failed' }, { packages: [] }] as const)
      expect(actionsOf({ ...view, first: anAlert(other), devices: 2, alerts: 2 })).not.toContain('retry');
  });

  it('names devices in the order in which people look for them', () => {
    expect(shown(['web-10', 'app-2', 'web-9'], 5)).toContain('app-2, web-9, web-10 and 2 more');
  });

  it('leaves the version out of the title, since it may differ', () => {
    expect(shown(['web-10', 'web-9'], 2)).toMatch(/^⛔ \*Patch failed on 2 devices\*: openssl\n/);
  });

  it('counts alerts only where they are not as many as the devices', () => {
    expect(shown(['web-10', 'web-9'], 2)).toContain('First patch failure <!date^');
    expect(shown(['web-10', 'web-9'], 2, 7)).toContain('7 patch failures since <!date^');
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
    renderedTexts(renderView({ kind: 'alert', alert: anAlert({ deviceName }) }).blocks)
      .map(({ text }) => text)
      .find((text) => /^Silence .* h$/.test(text));

  it('names what it silences', () => {
    expect(labelOf('web-01')).toBe('Silence web-01 patch failures for 2 h');
  });

  it.each([
    ['device-added', 'Silence new-device alerts for 2 h'],
    ['device-removed', 'Silence removed-device alerts for 2 h'],
  ] as const)('holds every %s alert, because each device has only one', (kind, label) => {
    const shown = renderView({ kind: 'alert', alert: anAlert({ kind, packages: [], reason: null }) });
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
