/** The form of `subscribe`: the channel, the events, and filters. */

import { isEventKind } from '../../fleet/model/event-kinds.ts';
import type { FieldValues, FormOption } from '../../views/models/form-model.ts';
import { EVENT_OPTIONS, subscribeInput } from '../alerting/subscribe-input.ts';
import type { CommandForm, FormValues, OpenedForm } from './shared/command-form.ts';
import { fieldError } from './shared/field-values.ts';
import { otherEventsField, readOtherEvents } from './shared/other-events-field.ts';

const PLACES: readonly FormOption[] = [
  { value: 'here', label: 'In this channel' },
  { value: 'me', label: 'Only to me, by direct message' },
  { value: 'other', label: 'In another channel' },
];
/** Names of channels are at most this long (docs.slack.dev, conversations.create). */
const CHANNEL_NAME = 80;
const TEXT = 100;

const prefillSchema = subscribeInput.partial();

export const subscribeForm: CommandForm = { open: openForm, read: readForm };

async function openForm(prefill: unknown): Promise<OpenedForm> {
  const parsed = prefillSchema.safeParse(prefill);
  const { where = 'here', events = [], group, policy, tag, os } = parsed.success ? parsed.data : {};
  const isListed = where === 'here' || where === 'me';
  const named = (value: string | number | null | undefined): FormOption | null =>
    value === null || value === undefined ? null : { value: String(value), label: String(value) };
  return {
    kind: 'form',
    form: {
      command: 'subscribe',
      title: 'Subscribe to alerts',
      submit: 'Subscribe',
      context: {},
      fields: [
        {
          id: 'where',
          kind: 'choice',
          label: 'Where',
          options: PLACES,
          initial: isListed ? where : 'other',
        },
        {
          id: 'channel',
          kind: 'text',
          label: 'Other channel',
          hint: 'For example #ops. Patchbay must be a member.',
          optional: true,
          initial: isListed ? '' : `#${where}`,
          most: CHANNEL_NAME,
        },
        {
          id: 'events',
          kind: 'choices',
          label: 'Events',
          options: EVENT_OPTIONS,
          initial: events.filter(isEventKind),
          optional: true,
        },
        otherEventsField(events),
        {
          id: 'group',
          kind: 'search',
          of: 'group',
          label: 'Only this group and its subgroups',
          optional: true,
          initial: named(group),
        },
        {
          id: 'policy',
          kind: 'search',
          of: 'policy',
          label: 'Only this policy',
          optional: true,
          initial: named(policy),
        },
        {
          id: 'tag',
          kind: 'text',
          label: 'Only devices with this tag',
          optional: true,
          initial: tag ?? '',
          most: TEXT,
        },
        {
          id: 'os',
          kind: 'text',
          label: 'Only devices with this operating system',
          optional: true,
          initial: os ?? '',
          most: TEXT,
        },
      ],
    },
  };
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
  const where = chosen === 'other' ? named : chosen === '' ? 'here' : chosen;
  const input = {
    where,
    events,
    group: reference(first('group')),
    policy: reference(first('policy')),
    tag: textOrNull(first('tag')),
    os: textOrNull(first('os')),
  };
  return { kind: 'input', input };
}

/** Menus return IDs; a typed name stays a name. */
function reference(value: string): string | number | null {
  if (value === '') return null;
  return /^[1-9]\d{0,14}$/.test(value) ? Number(value) : value;
}

function textOrNull(value: string): string | null {
  return value === '' ? null : value;
}
