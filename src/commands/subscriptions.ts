/** `subscriptions` and `unsubscribe`: which alerts go where, which silences are active, and how a subscription ends. */
import { z } from 'zod';
import { eventKindTitles } from '../fleet/model/event-kinds.ts';
import type { ChannelId } from '../lib/ids.ts';
import type { SubscriptionRecord } from '../store/port/alert-records.ts';
import type { FormOption } from '../views/models/form-model.ts';
import type { View } from '../views/views.ts';
import type { CommandForm, FormPorts, SettingPorts, TypedInput } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { fieldError, selectedValue } from './core/field-values.ts';
import { readOnlyNotice } from './core/reader-rights.ts';
import { listPage } from './lists/paging.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, unexpectedWord, unknownWordFault, usageProblem } from './parser/usage-errors.ts';
import { numberOf } from './targets/name-lookup.ts';

const input = z.object({ all: z.boolean() });
type Input = z.infer<typeof input>;

const PAGE_SIZE = 10;

export const subscriptionsCommand = defineSettingCommand<Input>({
  name: 'subscriptions',
  usage: 'subscriptions [all]',
  summary: 'List alert subscriptions in this channel, or in all channels, and active silences.',
  examples: ['subscriptions', 'subscriptions all'],
  input,
  permission: 'read',
  byOnePress: () => true,
  parse,
  run: ({ all }, page, ports) => listSubscriptions(all ? null : ports.channel, page, ports),
});

function parse(words: LineWords): TypedInput<Input> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second] = words.free;
  const all = first?.toLowerCase() === 'all';
  const unused = all ? second : first;
  if (unused !== undefined) return { kind: 'fault', fault: unknownWordFault(unused, all ? [] : ['all']) };
  return { kind: 'input', input: { all } };
}

/** Subscriptions of one channel, or of all (null). Silences apply in every channel. */
async function listSubscriptions(
  channel: ChannelId | null,
  page: number,
  { settings: { alerts }, clock, asker, refusal }: SettingPorts,
): Promise<View> {
  const asOf = clock.now();
  const [open, silences] = await Promise.all([alerts.subscriptions(), alerts.silences()]);
  const isHere = (one: { readonly channel: ChannelId }) => channel === null || one.channel === channel;
  // Personal subscriptions of others are not shown.
  const rows = open.filter(isHere).filter(({ person }) => person === null || person === asker);
  const pageSlice = listPage(rows, page, PAGE_SIZE);
  return {
    kind: 'subscriptions',
    channel,
    fixed: alerts.fixed.filter(isHere),
    rows: pageSlice.rows,
    silences: silences.filter(({ until }) => until > asOf),
    // Only people who may request changes can end silences and channel subscriptions.
    ...(await readOnlyNotice({ refusal })),
    paging: {
      command: 'subscriptions',
      input: { all: channel === null },
      page: pageSlice.page,
      pages: pageSlice.pages,
      total: rows.length,
      asOf,
    },
  };
}

const endInput = z.union([
  z.object({ number: z.int().positive() }),
  z.object({ all: z.enum(['here', 'me']) }),
]);
type EndInput = z.infer<typeof endInput>;

const UNSUBSCRIBE = { name: 'unsubscribe', usage: 'unsubscribe N|here|me' };

const SUBSCRIPTION_FIELD = 'which';

const unsubscribeForm: CommandForm = {
  async open(_typed, ports) {
    const options = subscriptionOptions(await ports.settings.alerts.subscriptions(), ports);
    if (options.length === 0) {
      const fault = { kind: 'missing', what: 'There are no subscriptions to end.' } as const;
      return { kind: 'problem', problem: usageProblem(UNSUBSCRIBE, fault) };
    }
    const field = {
      kind: 'choice',
      id: SUBSCRIPTION_FIELD,
      label: 'Subscription',
      options,
      initial: null,
    } as const;
    const form = { command: 'unsubscribe', title: 'End a subscription', submit: 'Unsubscribe' };
    return { kind: 'form', form: { ...form, fields: [field], context: null } };
  },
  read(values) {
    const which = selectedValue(values, SUBSCRIPTION_FIELD);
    if (which === 'here' || which === 'me') return { kind: 'input', input: { all: which } };
    const number = numberOf(which ?? '');
    return number === null
      ? fieldError(SUBSCRIPTION_FIELD, 'Choose a subscription.')
      : { kind: 'input', input: { number } };
  },
};

export const unsubscribeCommand = defineSettingCommand<EndInput>({
  name: 'unsubscribe',
  usage: 'unsubscribe N|here|me',
  summary: 'End one subscription by its number, all in this channel, or all of your own.',
  examples: ['unsubscribe 3', 'unsubscribe here'],
  input: endInput,
  permission: 'read',
  form: unsubscribeForm,
  parse: parseEnd,
  run: (input, _page, ports) => ('number' in input ? endOne(input.number, ports) : endAll(input.all, ports)),
});

function parseEnd(words: LineWords): TypedInput<EndInput> {
  const extra = unexpectedWord(words, {});
  if (extra !== null) return { kind: 'fault', fault: extra };
  const [first, second] = words.free;
  if (first === undefined) return { kind: 'fault', fault: { kind: 'missing', what: 'Which subscription?' } };
  if (second !== undefined) return { kind: 'fault', fault: unknownWordFault(second, []) };
  const number = numberOf(first);
  if (number !== null) return { kind: 'input', input: { number } };
  const all = first.toLowerCase();
  if (all === 'here' || all === 'me') return { kind: 'input', input: { all } };
  const expected = 'the number of a subscription, “here” or “me”';
  return { kind: 'fault', fault: { kind: 'bad-value', word: first, expected } };
}

async function endOne(number: number, ports: SettingPorts): Promise<View> {
  const { settings, asker } = ports;
  const absent = problemView({ kind: 'no-such-number', what: 'subscription', number });
  const found = (await settings.alerts.subscriptions()).find((one) => one.number === number);
  if (found === undefined) return absent;
  const refusal = await refusalFor(found, ports);
  if (refusal !== null) return refusal;
  const ended = await settings.alerts.unsubscribe(number, asker);
  return ended === null ? absent : { kind: 'unsubscribed', asked: 'one', ended: [ended] };
}

async function endAll(which: 'here' | 'me', ports: SettingPorts): Promise<View> {
  const { settings, asker, channel } = ports;
  const open = await settings.alerts.subscriptions();
  const fits = (one: SubscriptionRecord) => (which === 'me' ? one.person === asker : one.channel === channel);
  const matching = open.filter(fits);
  // Checked before the first is ended, so that a refusal changes nothing.
  for (const one of matching) {
    const refusal = await refusalFor(one, ports);
    if (refusal !== null) return refusal;
  }
  const ended: SubscriptionRecord[] = [];
  for (const { number } of matching) {
    const one = await settings.alerts.unsubscribe(number, asker);
    if (one !== null) ended.push(one);
  }
  return { kind: 'unsubscribed', asked: which, ended };
}

/** Everyone may end their own subscription. Those of a channel need more rights, those of another person an admin. */
async function refusalFor({ person }: SubscriptionRecord, ports: SettingPorts): Promise<View | null> {
  if (person === ports.asker) return null;
  const refusal = await ports.refusal(person === null ? 'propose' : 'configure');
  return refusal === null ? null : problemView(refusal);
}

/** Subscriptions of this channel first. Personal ones of others are left out. */
function subscriptionOptions(
  all: readonly SubscriptionRecord[],
  { asker, channel }: Pick<FormPorts, 'asker' | 'channel'>,
): readonly FormOption[] {
  const mine = all.filter(({ person }) => person === asker);
  const here = all.filter((one) => one.person === null && one.channel === channel);
  const others = all.filter((one) => one.person === null && one.channel !== channel);
  return [
    ...here.map((one) => subscriptionOption(one, 'in this channel')),
    ...mine.map((one) => subscriptionOption(one, 'to you')),
    ...others.map((one) => subscriptionOption(one, 'in another channel')),
    ...(here.length > 1 ? [{ value: 'here', label: `All ${here.length} in this channel` }] : []),
    ...(mine.length > 1 ? [{ value: 'me', label: `All ${mine.length} of yours` }] : []),
  ];
}

function subscriptionOption({ number, kinds, filter }: SubscriptionRecord, where: string): FormOption {
  const { group, policy, tag, os } = filter;
  const only = [group?.name, policy?.name, tag, os].filter((name) => typeof name === 'string');
  const label = `${number}: ${eventKindTitles(kinds)}`;
  return { value: String(number), label, detail: [where, ...only] };
}
