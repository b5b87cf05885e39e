import { describe, expect, it } from 'vitest';
import { channelId, personId } from '../../../src/lib/ids.ts';
import type { View } from '../../../src/views/model.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';
import { aSilence, aSubscription } from '../../harness/records.ts';
import { renderedText } from '../rendered-text.ts';

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
