/** Where alerts go, what is silenced, and the answers to commands that change that. */
import type { SilenceRecord, SubscriptionRecord } from '../../store/alert-records.ts';
import { actions, type Button, context, lines, section } from '../kit/blocks.ts';
import { literal, type Mrkdwn, md } from '../kit/escape.ts';
import { channel, person } from '../kit/mentions.ts';
import { message } from '../kit/message.ts';
import { pager } from '../kit/pager.ts';
import { runButton } from '../kit/run-button.ts';
import { inZone, when } from '../kit/when.ts';
import type { RenderedMessage, View } from '../model.ts';
import type { FixedRoute } from '../models/alerts-model.ts';
import { count, listed } from '../words.ts';
import { andReason, filterWords, kindWords, scopeWords } from './alert-words.ts';

type Of<K extends View['kind']> = Extract<View, { kind: K }>;

/** Silences on a list; more of them at once are named by number alone. */
const SILENCES = 8;
const ENDED_BUDGET = 8_000;

export function renderSubscriptions(view: Of<'subscriptions'>): RenderedMessage {
  const { channel: where, fixed, rows, silences, paging, lookOnly } = view;
  // What comes to a person stands in their own list alone.
  const mayEnd = ({ person: whose }: SubscriptionRecord) => lookOnly === undefined || whose !== null;
  const title =
    where === null ? md`Alert subscriptions in all channels` : md`Alert subscriptions in ${channel(where)}`;
  const none = fixed.length === 0 && rows.length === 0;
  const more = silences.slice(SILENCES).map(({ number }) => String(number));
  return message({
    text: md`${title}: ${count(paging.total, 'subscription')}, ${count(silences.length, 'silence')}.`,
    body: [
      section(md`*${title}*`),
      ...fixed.map(fixedRow),
      ...(none ? [section(md`No alert subscriptions.`)] : []),
      ...rows.map((one) => section(subscriptionWords(one), mayEnd(one) ? unsubscribeButton(one) : null)),
      ...(silences.length === 0 ? [] : [section(md`*Active silences*`)]),
      ...silences
        .slice(0, SILENCES)
        .map((one) => section(silenceWords(one), lookOnly === undefined ? soundButton(one) : null)),
      ...(more.length === 0 ? [] : [context(md`${more.length} more silences: ${listed(more)}.`)]),
    ],
    end: pager(paging, count(paging.total, 'subscription')),
  });
}

function fixedRow({ kind, channel: where }: FixedRoute) {
  return section(md`${kindWords([kind])} → ${channel(where)} (set in the configuration file)`);
}

export function renderSubscribed({ already, subscription }: Of<'subscribed'>): RenderedMessage {
  const said = already
    ? md`${place(subscription)} is already subscribed to ${what(subscription)}${how(subscription)}.`
    : md`Subscribed ${place(subscription)} to ${what(subscription)}${how(subscription)}.`;
  return message({
    text: said,
    body: [section(said), context(md`Subscription ${subscription.number}`)],
    end: actions(unsubscribeButton(subscription)),
  });
}

export function renderUnsubscribed({ asked, ended }: Of<'unsubscribed'>): RenderedMessage {
  const [first, ...others] = ended.map(endedWords);
  if (first === undefined) {
    const said =
      asked === 'me'
        ? md`You have no subscriptions of your own to end.`
        : md`This channel has no subscriptions to end.`;
    return message({ text: said, body: [section(said)] });
  }
  if (others.length === 0) return message({ text: first, body: [section(first)] });
  const said = md`Ended ${count(ended.length, 'subscription')}.`;
  const more = (left: number) => md`${left} more didn’t fit.`;
  return message({
    text: said,
    body: [section(said), ...lines([first, ...others], { budget: ENDED_BUDGET, more })],
  });
}

function endedWords(one: SubscriptionRecord): Mrkdwn {
  return md`Unsubscribed ${place(one)} from ${what(one)}${how(one)}. Subscription ${one.number} ended.`;
}

export function renderSilenced({ silence, zone }: Of<'silenced'>): RenderedMessage {
  const typed = zone === null ? md`` : md` (${literal(inZone(silence.until, zone))})`;
  const said = md`Silenced until ${when(silence.until)}${typed}: ${scopeWords(silence.scope)}, in every channel.`;
  return message({
    text: said,
    body: [
      section(said),
      section(md`Alerts are held until then; you’ll get a count.`),
      context(md`Silence ${silence.number}.${andReason(silence.reason)}`),
    ],
    end: actions(soundButton(silence)),
  });
}

export function renderSounding({ silence }: Of<'sounding'>): RenderedMessage {
  const kept =
    silence.kept === 0
      ? md`It held no alerts.`
      : md`It held ${count(silence.kept, 'alert')}. Each channel gets its count.`;
  const said = md`Silence ${silence.number} ended: ${scopeWords(silence.scope)}. ${kept}`;
  return message({ text: said, body: [section(said)], end: actions(keptButton(silence)) });
}

/** Lists what a silence held. */
export function keptButton({ number, kept }: SilenceRecord, input: object = {}): Button | null {
  if (kept === 0) return null;
  return runButton({
    action: 'alerts',
    label: 'Show held alerts',
    command: 'alerts',
    input: { of: 'silence', silence: number, channel: null, ...input },
  });
}

function place({ channel: where, person: whose }: SubscriptionRecord): Mrkdwn {
  return whose === null ? channel(where) : person(whose);
}

function how({ person: whose }: SubscriptionRecord): Mrkdwn {
  return whose === null ? md`` : md`, by direct message`;
}

function what({ kinds, filter }: SubscriptionRecord): Mrkdwn {
  return md`${kindWords(kinds)}${filterWords(filter)}`;
}

function subscriptionWords(one: SubscriptionRecord): Mrkdwn {
  const to = one.person === null ? channel(one.channel) : md`${person(one.person)}, by direct message`;
  return md`*${one.number}* · ${what(one)} → ${to}\nAdded by ${person(one.createdBy)} ${when(one.createdAt)}`;
}

function silenceWords({ number, scope, until, createdBy, reason: why, kept }: SilenceRecord): Mrkdwn {
  return md`*${number}* · ${scopeWords(scope)} until ${when(until)} · ${kept} held so far\nSilenced by ${person(createdBy)}.${andReason(why)}`;
}

function unsubscribeButton({ number }: SubscriptionRecord): Button | null {
  return runButton({
    action: `unsubscribe:${number}`,
    label: 'Unsubscribe',
    command: 'unsubscribe',
    input: { number },
    confirm: {
      title: 'Unsubscribe?',
      text: `Subscription ${number} ends. Its alerts are no longer posted there.`,
      confirm: 'Unsubscribe',
      danger: true,
    },
  });
}

/** Ends the silence. */
export function soundButton({ number }: SilenceRecord): Button | null {
  return runButton({
    action: `silence:off${number}`,
    label: 'End silence',
    command: 'silence',
    input: { off: number },
    confirm: {
      title: 'End this silence?',
      text: `Silence ${number} ends now. Each channel gets a count of its held alerts.`,
      confirm: 'End silence',
    },
  });
}
