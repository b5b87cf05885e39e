/** The form of `unsubscribe`: which of the subscriptions that somebody may see. */

import { happeningTitles } from '../../fleet/happenings.ts';
import type { SubscriptionRecord } from '../../store/alert-records.ts';
import type { FormOption } from '../../views/models/form-model.ts';
import { usageProblem } from '../line/faults.ts';
import { numberOf } from '../targets/named.ts';
import type { Form, FormPorts } from './form.ts';
import { chosen, errorOn } from './form-values.ts';

const WHICH = 'which';
const HEAD = { name: 'unsubscribe', usage: 'unsubscribe N|here|me' };

export const unsubscribeForm: Form = {
  async open(_typed, ports) {
    const options = optionsOf(await ports.settings.alerts.subscriptions(), ports);
    if (options.length === 0) {
      const fault = { kind: 'missing', what: 'There are no subscriptions to end.' } as const;
      return { kind: 'problem', problem: usageProblem(HEAD, fault) };
    }
    const field = { kind: 'choice', id: WHICH, label: 'Subscription', options, initial: null } as const;
    const form = { command: 'unsubscribe', title: 'End a subscription', submit: 'Unsubscribe' };
    return { kind: 'form', form: { ...form, fields: [field], context: null } };
  },
  read(values) {
    const which = chosen(values, WHICH);
    if (which === 'here' || which === 'me') return { kind: 'input', input: { all: which } };
    const number = numberOf(which ?? '');
    return number === null ? errorOn(WHICH, 'Choose a subscription.') : { kind: 'input', input: { number } };
  },
};

/** Those of this place first. What others have sent to themselves is theirs. */
function optionsOf(
  all: readonly SubscriptionRecord[],
  { asker, channel }: Pick<FormPorts, 'asker' | 'channel'>,
): readonly FormOption[] {
  const mine = all.filter(({ person }) => person === asker);
  const here = all.filter((one) => one.person === null && one.channel === channel);
  const others = all.filter((one) => one.person === null && one.channel !== channel);
  return [
    ...here.map((one) => optionOf(one, 'in this channel')),
    ...mine.map((one) => optionOf(one, 'to you')),
    ...others.map((one) => optionOf(one, 'in another channel')),
    ...(here.length > 1 ? [{ value: 'here', label: `All ${here.length} in this channel` }] : []),
    ...(mine.length > 1 ? [{ value: 'me', label: `All ${mine.length} of yours` }] : []),
  ];
}

function optionOf({ number, kinds, filter }: SubscriptionRecord, where: string): FormOption {
  const { group, policy, tag, os } = filter;
  const only = [group?.name, policy?.name, tag, os].filter((name) => typeof name === 'string');
  const label = `${number}: ${happeningTitles(kinds)}`;
  return { value: String(number), label, detail: [where, ...only].join(' · ') };
}
