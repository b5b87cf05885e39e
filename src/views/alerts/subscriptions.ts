/** Where alerts go, what is silent, and what became of a wish to change that. */
import type { SilenceRecord, SubscriptionRecord } from '../../store/alert-records.ts';
import { reason } from '../approval.ts';
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
import { filterWords, kindWords, scopeWords } from './alert-words.ts';

type Of<K extends View['kind']> = Extract<View, { kind: K }>;

/** Silences on a list; more of them at once are named by number alone. */
const SILENCES = 8;
const ENDED_BUDGET = 8_000;

export function renderSubscriptions(view: Of<'subscriptions'>): RenderedMessage {
  const { channel: where, fixed, rows, silences, paging, lookOnly } = view;
  // What comes to a person stands in their own list alone.
  const mayEnd = ({ person: whose }: SubscriptionRecord) => lookOnly === undefined || whose !== null;
  const title = where === null ? md`Alerts of all channels` : md`Alerts of ${channel(where)}`;
  const none = fixed.length === 0 && rows.length === 0;
  const more = silences.slice(SILENCES).map(({ number }) => String(number));
  return message({
    text: md`${title}: ${count(paging.total, 'subscription')}, ${count(silences.length, 'silence')}.`,
    body: [
      section(md`*${title}*`),
      ...fixed.map(fixedRow),
      ...(none ? [section(md`No alerts come here.`)] : []),
      ...rows.map((one) => section(subscriptionWords(one), mayEnd(one) ? unsubscribeButton(one) : null)),
      ...(silences.length === 0 ? [] : [section(md`*Silent for now*`)]),
      ...silences
        .slice(0, SILENCES)
        .map((one) => section(silenceWords(one), lookOnly === undefined ? soundButton(one) : null)),
      ...(more.length === 0
        ? []
        : [context(md`${more.length} more silences: ${listed(more)}. They end by themselves.`)]),
    ],
    end: pager(paging, count(paging.total, 'subscription')),
  });
}

function fixedRow({ kind, channel: where }: FixedRoute) {
  return section(md`${kindWords([kind])} → ${channel(where)} (by the configuration file, always)`);
}

export function renderSubscribed({ already, subscription }: Of<'subscribed'>): RenderedMessage {
  const since = already ? md` already; nothing was changed` : md` from now on`;
  const said = md`${place(subscription)} gets ${what(subscription)}${since}${how(subscription)}.`;
  return message({
    text: said,
    body: [section(said), context(md`Subscription ${subscription.number}.`)],
    end: actions(unsubscribeButton(subscription)),
  });
}

export function renderUnsubscribed({ asked, ended }: Of<'unsubscribed'>): RenderedMessage {
  const [first, ...others] = ended.map(endedWords);
  if (first === undefined) {
    const whose =
      asked === 'me' ? md`You have no subscription of your own` : md`This channel has no subscription`;
    const said = md`${whose} that could end. Nothing was changed.`;
    return message({ text: said, body: [section(said)] });
  }
  if (others.length === 0) return message({ text: first, body: [section(first)] });
  const said = md`${count(ended.length, 'subscription')} are ended.`;
  const more = (left: number) => md`${left} more did not fit.`;
  return message({
    text: said,
    body: [section(said), ...lines([first, ...others], { budget: ENDED_BUDGET, more })],
  });
}

function endedWords(one: SubscriptionRecord): Mrkdwn {
  return md`${place(one)} no longer gets ${what(one)}${how(one)}. Subscription ${one.number} is ended.`;
}

export function renderSilenced({ silence, zone }: Of<'silenced'>): RenderedMessage {
  const typed = zone === null ? md`` : md` (${literal(inZone(silence.until, zone))})`;
  const said = md`Silent until ${when(silence.until)}${typed}: ${scopeWords(silence.scope)}, in every channel. They are kept, and counted when it is over.`;
  return message({
    text: said,
    body: [section(said), context(md`Silence ${silence.number}. ${reason(silence.reason)}`)],
    end: actions(soundButton(silence)),
  });
}

export function renderSounding({ silence }: Of<'sounding'>): RenderedMessage {
  const kept =
    silence.kept === 0
      ? md`It kept nothing`
      : md`It kept ${count(silence.kept, 'alert')}, which is said where they belong`;
  const said = md`Silence ${silence.number} is over: ${scopeWords(silence.scope)}. ${kept}.`;
  return message({ text: said, body: [section(said)], end: actions(keptButton(silence)) });
}

/** Lists what a silence kept. */
export function keptButton({ number, kept }: SilenceRecord, input: object = {}): Button | null {
  if (kept === 0) return null;
  return runButton({
    action: 'alerts',
    label: 'Show them',
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
  return md`*${one.number}* · ${what(one)} → ${to}\nBy ${person(one.createdBy)} ${when(one.createdAt)}`;
}

function silenceWords({ number, scope, until, createdBy, reason: why, kept }: SilenceRecord): Mrkdwn {
  return md`*${number}* · ${scopeWords(scope)} until ${when(until)} · ${kept} kept so far\nBy ${person(createdBy)}. ${reason(why)}`;
}

function unsubscribeButton({ number }: SubscriptionRecord): Button | null {
  return runButton({
    action: `unsubscribe:${number}`,
    label: 'Unsubscribe',
    command: 'unsubscribe',
    input: { number },
    confirm: {
      title: 'End this subscription?',
      text: `Subscription ${number} ends: these alerts are not posted there any more.`,
      confirm: 'End it',
      danger: true,
    },
  });
}

/** Ends the silence. */
export function soundButton({ number }: SilenceRecord): Button | null {
  return runButton({
    action: `silence:off${number}`,
    label: 'End the silence',
    command: 'silence',
    input: { off: number },
    confirm: {
      title: 'End this silence?',
      text: `Silence ${number} ends now. What it kept is counted where it belongs.`,
      confirm: 'End it',
    },
  });
}
