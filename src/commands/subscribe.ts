/** `subscribe`: sends alerts to a channel or to the person, in addition to the configuration file. */

import { z } from 'zod';
import { isEventKind } from '../fleet/model/event-kinds.ts';
import { type ChannelId, isDirectMessage } from '../lib/ids.ts';
import type { FieldValues, FormField, FormOption } from '../views/models/form-model.ts';
import type { View } from '../views/views.ts';
import {
  EVENT_OPTIONS,
  kindsSchema,
  otherEventsField,
  parseEventNames,
  readOtherEvents,
  unknownEventsAmong,
} from './alerting/event-names.ts';
import { argumentsOf, named, words } from './core/arguments.ts';
import type {
  CommandForm,
  FormPorts,
  FormValues,
  OpenedForm,
  SettingPorts,
  TypedInput,
} from './core/command.ts';
import { defineSettingCommand } from './core/define-command.ts';
import { fieldError, textField } from './core/field-values.ts';
import { type LineWords, MAX_LINE_LENGTH } from './parser/tokenizer.ts';
import { problemView, usageFault } from './parser/usage-errors.ts';
import { groupForScope, policyForScope } from './targets/resolve-group-or-policy.ts';

const only = argumentsOf({
  group: named('group', 'Only this group and its subgroups'),
  policy: named('policy', 'Only this policy'),
  tag: words('tag', 'Only devices with this tag', 100),
  os: words('os', 'Only devices with this operating system', 100),
});
const ANY = { group: null, policy: null, tag: null, os: null };

export const subscribeInput = z.object({
  /** `here`, `me`, or a channel by name or id. */
  where: z.string().min(1).max(MAX_LINE_LENGTH),
  events: kindsSchema.min(1),
  ...only.input.required().shape,
});

type SubscribeInput = z.infer<typeof subscribeInput>;

export const subscribeForm: CommandForm = { open: openForm, read: readForm };

export const subscribeCommand = defineSettingCommand<SubscribeInput>({
  name: 'subscribe',
  usage: `subscribe [#CHANNEL|here|me] EVENTS ${only.usage}`,
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

const PLACES: readonly FormOption[] = [
  { value: 'here', label: 'In this channel' },
  { value: 'me', label: 'Only to me, by direct message' },
  { value: 'other', label: 'In another channel' },
];
/** Names of channels are at most this long (docs.slack.dev, conversations.create). */
const CHANNEL_NAME = 80;

const prefillSchema = subscribeInput.partial();

async function openForm(prefill: unknown, { dialect }: FormPorts): Promise<OpenedForm> {
  const parsed = prefillSchema.safeParse(prefill);
  const {
    where = 'here',
    events = [],
    group,
    policy,
    tag = null,
    os = null,
  } = parsed.success ? parsed.data : {};
  const isListed = where === 'here' || where === 'me';
  const option = (value: string | number | null | undefined): FormOption | null =>
    value === null || value === undefined ? null : { value: String(value), label: String(value) };
  const fields: readonly FormField[] = [
    {
      id: 'where',
      kind: 'choice',
      label: 'Where',
      options: PLACES,
      initial: isListed ? where : 'other',
    },
    textField('channel', 'Other channel', isListed ? '' : `#${where}`, CHANNEL_NAME, {
      hint: 'For example #ops. Patchbay must be a member.',
      optional: true,
    }),
    {
      id: 'events',
      kind: 'choices',
      label: 'Events',
      options: EVENT_OPTIONS,
      initial: events.filter(isEventKind),
      optional: true,
    },
    otherEventsField(events),
    ...only.draw({ group: option(group), policy: option(policy), tag, os }, dialect),
  ];
  const form = { command: 'subscribe', title: 'Subscribe to alerts', submit: 'Subscribe', context: {} };
  return { kind: 'form', form: { ...form, fields } };
}

function readForm(values: FieldValues): FormValues {
  const first = (id: string): string => (values.get(id)?.[0] ?? '').trim();
  const chosen = first('where');
  const named = first('channel').replace(/^#/, '');
  if (chosen === 'other' && named === '') return fieldError('channel', 'Enter a channel, such as #ops.');
  const others = readOtherEvents(values);
  if (others.kind !== 'events') return others;
  const events = [...new Set([...(values.get('events') ?? []), ...others.kinds])];
  if (events.length === 0) return fieldError('events', 'Choose at least one event.');
  const read = only.enter(values);
  if (read.kind === 'errors') return read;
  const where = chosen === 'other' ? named : chosen === '' ? 'here' : chosen;
  return { kind: 'input', input: { where, events, ...ANY, ...read.input } };
}

const CHANNEL_ID = /^[CG][A-Z0-9]{6,20}$/;

/** Where no place is named, it is the one where it was asked. */
function parseSubscribe(typed: LineWords): TypedInput<SubscribeInput> {
  const filters = only.parse(typed, { free: true });
  if (filters.kind === 'fault') return filters;
  const { where, rest } = readDestination(typed.free);
  const read = parseEventNames(rest);
  if (read.kind === 'fault') return read;
  const prefill = { where, ...ANY, ...filters.input };
  if (read.kinds.length > 0) return { kind: 'input', input: { ...prefill, events: [...read.kinds] } };
  return usageFault({ kind: 'missing', what: 'Which events? For example, patch-failed.', prefill });
}

function readDestination(free: readonly string[]): {
  readonly where: string;
  readonly rest: readonly string[];
} {
  const [first = '', ...rest] = free;
  const word = first.toLowerCase();
  if (word === 'here' || word === 'me') return { where: word, rest };
  if (first.startsWith('#') && first.length > 1) return { where: first.slice(1), rest };
  return CHANNEL_ID.test(first) ? { where: first, rest } : { where: 'here', rest: free };
}
