/** `subscribe`: sends alerts to a channel or to the person, in addition to the configuration file. */
import { type ChannelId, isDirectMessage } from '../lib/ids.ts';
import type { View } from '../views/model.ts';
import { groupForScope, policyForScope } from './alerting/alert-scope.ts';
import { unknownEventsAmong } from './alerting/event-name-parser.ts';
import { parseSubscribe, type SubscribeInput, subscribeInput } from './alerting/subscribe-input.ts';
import type { SettingPorts } from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { subscribeForm } from './forms/subscribe-form.ts';
import { problemView } from './parser/usage-errors.ts';

export const subscribeCommand = defineSettingCommand<SubscribeInput>({
  name: 'subscribe',
  usage: 'subscribe [#CHANNEL|here|me] EVENTS [group:NAME] [policy:NAME] [tag:NAME] [os:NAME]',
  summary: 'Get alerts in a channel, or in your direct messages.',
  examples: [
    'subscribe here to patch-failed group:"Linux servers"',
    'subscribe me to policy-failed, device-removed',
    'subscribe #ops to device-added',
    'subscribe here to system.device.renamed',
  ],
  input: subscribeInput,
  permission: 'read',
  form: subscribeForm,
  parse: parseSubscribe,
  run: (input, _page, ports) => addSubscription(input, ports),
});

async function addSubscription(input: SubscribeInput, ports: SettingPorts): Promise<View> {
  const { alerts } = ports.settings;
  const place = await subscriptionTarget(input.where, ports);
  if (place.kind === 'view') return place.view;
  const again = (key: 'group' | 'policy' | 'events') => (value: unknown) => ({
    command: 'subscribe',
    input: { ...input, [key]: value },
  });
  const group = await groupForScope(input.group, again('group'), ports);
  if (group.kind === 'view') return group.view;
  const policy = await policyForScope(input.policy, again('policy'), ports);
  if (policy.kind === 'view') return policy.view;
  const result = await alerts.subscribe({
    channel: place.channel,
    person: place.isDirect ? ports.asker : null,
    kinds: input.events,
    filter: { group: group.value, policy: policy.value, tag: input.tag, os: input.os },
    createdBy: ports.asker,
  });
  if (result.kind === 'full') {
    const { limit, own } = result;
    return problemView({ kind: 'too-many-subscriptions', most: limit, own });
  }
  const { subscription } = result;
  const unknown = unknownEventsAmong(subscription.kinds, again('events'));
  return { kind: 'subscribed', already: result.kind === 'already', subscription, unknown };
}

type SubscriptionTarget =
  | { readonly kind: 'place'; readonly channel: ChannelId; readonly isDirect: boolean }
  | { readonly kind: 'view'; readonly view: View };

/** A channel's alerts concern everybody in it, so subscribing one needs more than the right to read. */
async function subscriptionTarget(where: string, ports: SettingPorts): Promise<SubscriptionTarget> {
  const { alerts } = ports.settings;
  if (where === 'me' || (where === 'here' && isDirectMessage(ports.channel))) {
    const channel = await alerts.direct(ports.asker);
    if (channel === null) return problem({ kind: 'channel-unread', channel: 'your direct messages' });
    return { kind: 'place', channel, isDirect: true };
  }
  const refusal = await ports.refusal('propose');
  if (refusal !== null) return problem(refusal);
  const found = await alerts.channel(where === 'here' ? ports.channel : where, ports.asker);
  switch (found.kind) {
    case 'member':
      return { kind: 'place', channel: found.channel, isDirect: false };
    case 'stranger':
      return problem({ kind: 'no-member', channel: where });
    case 'external':
      return problem({ kind: 'external-channel', channel: found.channel, isKnown: found.isKnown });
    case 'unread':
      return problem({ kind: 'channel-unread', channel: where });
  }
}

function problem(what: Parameters<typeof problemView>[0]): SubscriptionTarget {
  return { kind: 'view', view: problemView(what) };
}
