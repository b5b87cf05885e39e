/** `unsubscribe`: ends one subscription, or all of a channel. */
import { z } from 'zod';
import type { SubscriptionRecord } from '../store/port/alert-records.ts';
import type { View } from '../views/model.ts';
import type { SettingPorts } from './core/command.ts';
import { defineSettingCommand, type TypedInput } from './core/define-command.ts';
import { unsubscribeForm } from './forms/unsubscribe-form.ts';
import type { LineWords } from './parser/tokenizer.ts';
import { problemView, unexpectedWord, unknownWordFault } from './parser/usage-errors.ts';
import { numberOf } from './targets/name-lookup.ts';

const input = z.union([z.object({ number: z.int().positive() }), z.object({ all: z.enum(['here', 'me']) })]);
type Input = z.infer<typeof input>;

export const unsubscribeCommand = defineSettingCommand<Input>({
  name: 'unsubscribe',
  usage: 'unsubscribe N|here|me',
  summary: 'End one subscription by its number, all in this channel, or all of your own.',
  examples: ['unsubscribe 3', 'unsubscribe here'],
  input,
  permission: 'read',
  form: unsubscribeForm,
  parse,
  run: (input, _page, ports) => ('number' in input ? endOne(input.number, ports) : endAll(input.all, ports)),
});

function parse(words: LineWords): TypedInput<Input> {
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
