/** `subscribe`: posts alerts in a channel, or sends them to oneself, besides those of the configuration file. */
import { type ChannelId, isDirect } from '../ids.ts';
import type { View } from '../views/model.ts';
import { parseSubscribe, type SubscribeInput, subscribeInput } from './alerting/subscribe-input.ts';
import { groupNamed, policyNamed } from './alerting/subscribe-meant.ts';
import type { SettingPorts } from './command.ts';
import { defineSetting } from './define.ts';
import { subscribeForm } from './forms/subscribe-form.ts';
import { problemView } from './line/faults.ts';

export const subscribe = defineSetting<SubscribeInput>({
  name: 'subscribe',
  usage: 'subscribe [#CHANNEL|here|me] EVENTS [group:NAME] [policy:NAME] [tag:NAME] [os:NAME]',
  summary: 'Get alerts in a channel, or in your direct messages.',
  examples: [
    'subscribe here to patch-failed group:"Linux servers"',
    'subscribe me to policy-failed, device-removed',
    'subscribe #ops to device-added',
  ],
  input: subscribeInput,
  need: 'read',
  form: subscribeForm,
  parse: parseSubscribe,
  run: (asked, _page, ports) => subscribeTo(asked, ports),
});

async function subscribeTo(asked: SubscribeInput, ports: SettingPorts): Promise<View> {
  const { alerts } = ports.settings;
  const place = await placeOf(asked.where, ports);
  if (place.kind === 'view') return place.view;
  const again = (key: 'group' | 'policy') => (id: number) => ({
    command: 'subscribe',
    input: { ...asked, [key]: id },
  });
  const group = await groupNamed(asked.group, again('group'), ports);
  if (group.kind === 'view') return group.view;
  const policy = await policyNamed(asked.policy, again('policy'), ports);
  if (policy.kind === 'view') return policy.view;
  const result = await alerts.subscribe({
    channel: place.channel,
    person: place.isDirect ? ports.asker : null,
    kinds: asked.events,
    filter: { group: group.value, policy: policy.value, tag: asked.tag, os: asked.os },
    createdBy: ports.asker,
  });
  if (result.kind === 'full') {
    const { most, own } = result;
    return problemView({ kind: 'too-many-subscriptions', most, own });
  }
  return { kind: 'subscribed', already: result.kind === 'already', subscription: result.subscription };
}

type Place =
  | { readonly kind: 'place'; readonly channel: ChannelId; readonly isDirect: boolean }
  | { readonly kind: 'view'; readonly view: View };

/** What comes to a channel is for all who read it, so it takes more than to read. */
async function placeOf(where: string, ports: SettingPorts): Promise<Place> {
  const { alerts } = ports.settings;
  if (where === 'me' || (where === 'here' && isDirect(ports.channel))) {
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

function problem(what: Parameters<typeof problemView>[0]): Place {
  return { kind: 'view', view: problemView(what) };
}
