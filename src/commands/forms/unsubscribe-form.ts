/** The form of `unsubscribe`: one of the subscriptions that the person may see. */

import { eventKindTitles } from '../../fleet/model/event-kinds.ts';
import type { SubscriptionRecord } from '../../store/port/alert-records.ts';
import type { FormOption } from '../../views/models/form-model.ts';
import { usageProblem } from '../parser/usage-errors.ts';
import { numberOf } from '../targets/name-lookup.ts';
import type { CommandForm, FormPorts } from './shared/command-form.ts';
import { fieldError, selectedValue } from './shared/field-values.ts';

const SUBSCRIPTION_FIELD = 'which';
const HEAD = { name: 'unsubscribe', usage: 'unsubscribe N|here|me' };

export const unsubscribeForm: CommandForm = {
  async open(_typed, ports) {
    const options = subscriptionOptions(await ports.settings.alerts.subscriptions(), ports);
    if (options.length === 0) {
      const fault = { kind: 'missing', what: 'There are no subscriptions to end.' } as const;
      return { kind: 'problem', problem: usageProblem(HEAD, fault) };
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
