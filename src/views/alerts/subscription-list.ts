/** Where alerts go, what is silenced, and the answers to commands that change that. */
import type { Instant } from '../../lib/clock.ts';
import type { ChannelId } from '../../lib/ids.ts';
import { upperFirst } from '../../lib/text.ts';
import type { SilenceRecord, SubscriptionRecord } from '../../store/port/alert-records.ts';
import { actions, type Button, context, rowBlocks, section } from '../kit/blocks.ts';
import { runButton } from '../kit/buttons.ts';
import { escapeMrkdwn, inlineCode, type Mrkdwn, md, trustedMrkdwn } from '../kit/escape.ts';
import type { Block, RenderedMessage } from '../kit/limits.ts';
import { mentionChannel, mentionPerson } from '../kit/mentions.ts';
import { buildMessage, SIGN } from '../kit/message.ts';
import { pageButtons } from '../kit/pager.ts';
import { relativeDate, timeInZone } from '../kit/timestamps.ts';
import type { Paging, ReadOnlyReader } from '../models/list-model.ts';
import type { ConfiguredRoute, UnknownEvent } from '../models/problem-model.ts';
import { countText, listMrkdwn } from '../text/common-text.ts';
import {
  andReason,
  eventKindsText,
  HELD_UNTIL_END,
  silenceScopeText,
  subscriptionFilterText,
} from './alert-text.ts';

type SubscriptionListView = {
  readonly kind: 'subscriptions';
  /** Null: all channels. */
  readonly channel: ChannelId | null;
  readonly fixed: readonly ConfiguredRoute[];
  readonly rows: readonly SubscriptionRecord[];
  readonly silences: readonly SilenceRecord[];
  readonly paging: Paging;
} & ReadOnlyReader;

type SubscribedView = {
  readonly kind: 'subscribed';
  readonly already: boolean;
  readonly subscription: SubscriptionRecord;
  readonly unknown: readonly UnknownEvent[];
};

type UnsubscribedView = {
  readonly kind: 'unsubscribed';
  /** What was to be ended: this channel's, the reader's own, or one by number. */
  readonly asked: 'here' | 'me' | 'one';
  /** Empty where there were none. */
  readonly ended: readonly SubscriptionRecord[];
};

/** `zone`: the time zone of a time that was typed; null where a duration was typed. */
type SilencedView = {
  readonly kind: 'silenced';
  readonly silence: SilenceRecord;
  readonly zone: string | null;
  /** The time of day that was typed, where clocks skip it on that day. */
  readonly skipped: string | null;
  readonly unknown: readonly UnknownEvent[];
};

type SilenceEndedView = { readonly kind: 'silence-ended'; readonly silence: SilenceRecord };

/** Silences listed in full; the others are listed by number. */
const SILENCES = 8;
/** Those on other screens. */
const MAX_NOTED = 3;
const MAX_ENDED = 8_000;

/** The list of subscriptions with active silences. Viewers get no buttons for other people’s. */
export function renderSubscriptions(view: SubscriptionListView): RenderedMessage {
  const { channel: where, fixed, rows, silences, paging, lookOnly } = view;
  // People see only their own direct-message subscriptions, and may always end these.
  const mayEnd = ({ person: whose }: SubscriptionRecord) => lookOnly === undefined || whose !== null;
  const title =
    where === null
      ? md`Alert subscriptions in all channels`
      : md`Alert subscriptions in ${mentionChannel(where)}`;
  const none = fixed.length === 0 && rows.length === 0;
  const more = silences.slice(SILENCES).map(({ number }) => String(number));
  return buildMessage({
    text: md`${title}: ${totalText(view)}, ${countText(silences.length, 'silence')}.`,
    body: [
      section(md`*${title}*`),
      ...fixed.map(({ kind, channel }) =>
        section(md`${eventKindsText([kind])} → ${mentionChannel(channel)} (set in the configuration file)`),
      ),
      ...(none ? [section(md`No alert subscriptions.`)] : []),
      ...rows.map((one) => section(subscriptionText(one), mayEnd(one) ? unsubscribeButton(one) : null)),
      ...(silences.length === 0 ? [] : [section(md`*Active silences*`)]),
      ...silences
        .slice(0, SILENCES)
        .map((one) => section(silenceText(one), lookOnly === undefined ? endSilenceButton(one) : null)),
      ...(more.length === 0 ? [] : [context(md`${more.length} more silences: ${listMrkdwn(more)}.`)]),
    ],
    footer: pageButtons(paging, totalText(view)),
  });
}

/** Those of the configuration file are counted by themselves: nobody can end them here. */
function totalText({ fixed, paging }: SubscriptionListView): Mrkdwn {
  const added = countText(paging.total, 'subscription');
  return fixed.length === 0 ? added : md`${added} added in Slack, ${fixed.length} in the configuration file`;
}

export function renderSubscribed({ already, subscription, unknown }: SubscribedView): RenderedMessage {
  const to = destinationText(subscription);
  const what = md`to ${subscriptionScopeText(subscription)}${deliveryText(subscription)}.`;
  const sentence = already ? md`${to} is already subscribed ${what}` : md`Subscribed ${to} ${what}`;
  return buildMessage({
    text: sentence,
    body: [
      section(sentence),
      ...unknownEventNotes(unknown, md`Alerts come only for`),
      context(md`Subscription #${subscription.number}`),
    ],
    footer: actions(unsubscribeButton(subscription)),
  });
}

/** Names listed with a note each; a line has no room for many more. */
const MAX_UNKNOWN = 10;

/** `effect`: what happens to events of that name, such as “Alerts come only for”. */
function unknownEventNotes(unknown: readonly UnknownEvent[], effect: Mrkdwn) {
  return unknown.slice(0, MAX_UNKNOWN).map(({ name, meant }, at) => {
    const note = md`Patchbay doesn’t know the event ${inlineCode(name)}. ${effect} events logged under exactly this name.`;
    if (meant === null) return context(note);
    const button = runButton({ action: `pick:${at}`, label: 'Choose', ...meant.choice });
    return section(md`${note} Did you mean ${inlineCode(meant.word)}?`, button);
  });
}

export function renderUnsubscribed({ asked, ended }: UnsubscribedView): RenderedMessage {
  const [first, ...others] = ended.map(
    (one) =>
      md`Unsubscribed ${destinationText(one)} from ${subscriptionScopeText(one)}${deliveryText(one)}. Subscription #${one.number} ended.`,
  );
  if (first === undefined) {
    const sentence =
      asked === 'me'
        ? md`You have no subscriptions of your own to end.`
        : md`This channel has no subscriptions to end.`;
    return buildMessage({ text: sentence, body: [section(sentence)] });
  }
  if (others.length === 0) return buildMessage({ text: first, body: [section(first)] });
  const sentence = md`Ended ${countText(ended.length, 'subscription')}.`;
  const more = (left: number) => md`${left} more didn’t fit.`;
  return buildMessage({
    text: sentence,
    body: [section(sentence), ...rowBlocks([first, ...others], { budget: MAX_ENDED, more })],
  });
}

/** The private answer to `silence`, with the same scope and sentence as the announcement. */
export function renderSilenced({ silence, zone, skipped, unknown }: SilencedView): RenderedMessage {
  const typed = zone === null ? md`` : md` (${escapeMrkdwn(timeInZone(silence.until, zone))})`;
  const title = md`${trustedMrkdwn(SIGN.waiting)} *Alerts silenced until ${relativeDate(silence.until)}*${typed}\nYou silenced ${silenceScopeText(silence.scope)}, in every channel.${andReason(silence.reason)}`;
  const gap =
    skipped === null
      ? []
      : [context(md`Clocks skip ${trustedMrkdwn(skipped)} that day. The silence ends right after the gap.`)];
  return buildMessage({
    text: title,
    body: [section(title), ...gap, ...unknownEventNotes(unknown, md`It holds only`), context(HELD_UNTIL_END)],
    footer: actions(endSilenceButton(silence)),
  });
}

export function renderSilenceEnded({ silence }: SilenceEndedView): RenderedMessage {
  const heldNote =
    silence.kept === 0
      ? md`It held no alerts.`
      : md`It held ${countText(silence.kept, 'alert')}. Each channel with held alerts gets a count.`;
  const sentence = md`${trustedMrkdwn(SIGN.ended)} *Silence #${silence.number} ended:* ${silenceScopeText(silence.scope)}. ${heldNote}`;
  return buildMessage({
    text: sentence,
    body: [section(sentence)],
    footer: actions(heldAlertsButton(silence)),
  });
}

/** What is held now and the way to it, on screens that would look as if less had failed; empty where nothing is silenced. */
export function activeSilenceBlocks(silences: readonly SilenceRecord[]): readonly Block[] {
  if (silences.length === 0) return [];
  const all = { action: 'silences', label: 'All silences', command: 'subscriptions', input: { all: true } };
  const title = md`${trustedMrkdwn(SIGN.waiting)} *${countText(silences.length, 'active silence')}*. These alerts are held, not posted.`;
  return [
    section(title, runButton(all)),
    ...silences.slice(0, MAX_NOTED).map((one) => section(silenceText(one), heldAlertsButton(one))),
  ];
}

/** Lists the alerts that a silence held; null where it held none. `input`: added to the command's input. */
export function heldAlertsButton({ number, kept }: SilenceRecord, input: object = {}): Button | null {
  if (kept === 0) return null;
  return runButton({
    action: 'alerts',
    label: 'Held alerts',
    command: 'alerts',
    input: { of: 'silence', silence: number, channel: null, ...input },
  });
}

function destinationText({ channel: where, person: whose }: SubscriptionRecord): Mrkdwn {
  return whose === null ? mentionChannel(where) : mentionPerson(whose);
}

function deliveryText({ person: whose }: SubscriptionRecord): Mrkdwn {
  return whose === null ? md`` : md`, by direct message`;
}

function subscriptionScopeText({ kinds, filter }: SubscriptionRecord): Mrkdwn {
  return md`${eventKindsText(kinds)}${subscriptionFilterText(filter)}`;
}

function subscriptionText(one: SubscriptionRecord): Mrkdwn {
  return md`${atStart(subscriptionScopeText(one))} → ${destinationText(one)}${deliveryText(one)}\nSubscription #${one.number}, added by ${mentionPerson(one.createdBy)} ${relativeDate(one.createdAt)}`;
}

function silenceText({ number, scope, until, createdBy, reason: why, kept }: SilenceRecord): Mrkdwn {
  const heldText = kept === 0 ? md`` : md` · ${kept} held so far`;
  return md`${atStart(silenceScopeText(scope))} until ${relativeDate(until)}${heldText}\nSilence #${number}, by ${mentionPerson(createdBy)}.${andReason(why)}`;
}

function atStart(scope: Mrkdwn): Mrkdwn {
  return trustedMrkdwn(upperFirst(scope));
}

function unsubscribeButton({ number }: SubscriptionRecord): Button | null {
  return runButton({
    action: `unsubscribe:${number}`,
    label: 'Unsubscribe',
    command: 'unsubscribe',
    input: { number },
  });
}

function endSilenceButton({ number }: SilenceRecord): Button | null {
  return runButton({
    action: `silence:off${number}`,
    label: 'End silence',
    command: 'silence',
    input: { off: number },
  });
}

/** The announcement of a silence that holds everything the channel would get. Edited when it ends. */
type ActiveSilenceView = {
  readonly kind: 'silence-on';
  readonly silence: SilenceRecord;
  readonly channel: ChannelId;
};

export function renderActiveSilence({ silence }: ActiveSilenceView): RenderedMessage {
  const { scope, until, createdBy, endedAt, reason } = silence;
  const what = md`${mentionPerson(createdBy)} silenced ${silenceScopeText(scope)}, in every channel.${andReason(reason)}`;
  if (endedAt !== null) {
    const over = md`${trustedMrkdwn(SIGN.ended)} *Silence ended*\n${endedText(silence, endedAt)} ${POSTED_AGAIN}`;
    return buildMessage({ text: over, body: [section(over), context(what)] });
  }
  const title = md`${trustedMrkdwn(SIGN.waiting)} *Alerts silenced until ${relativeDate(until)}*\n${what}`;
  return buildMessage({
    text: title,
    body: [section(title), context(HELD_UNTIL_END)],
    footer: actions(endSilenceButton(silence)),
  });
}

/** Another silence may hold the same alerts. */
const POSTED_AGAIN = md`Alerts are posted here again, unless another silence holds them.`;

function endedText({ endedBy }: SilenceRecord, at: Instant): Mrkdwn {
  return endedBy === null || endedBy === 'patchbay'
    ? md`It expired ${relativeDate(at)}.`
    : md`${mentionPerson(endedBy)} ended it ${relativeDate(at)}.`;
}
