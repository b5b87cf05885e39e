/** The form of `events`: filtered events of one device or of the fleet. */

import { z } from 'zod';
import { EVENT_KIND_NAMES, EVENT_KINDS, isEventKind } from '../../fleet/model/event-kinds.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import type { FieldValues, FormOption } from '../../views/models/form-model.ts';
import {
  defaultEventFilters,
  EVENT_DAYS_RANGE,
  type EventFilters,
  eventFilters,
  eventName,
  MAX_EVENT_DAYS,
} from '../queries/event-filters.ts';
import { matchName, type NameOrId } from '../targets/name-lookup.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import type { CommandForm, FormPorts, FormValues, OpenedForm } from './shared/command-form.ts';
import { deviceField, deviceOption, devicePrefillSchema, selectedDevice } from './shared/device-form.ts';
import { fieldError, idValue, selectedValue, textValue } from './shared/field-values.ts';

const POLICY = 'policy';
const NAME = 'name';
const SPAN = 'days';
const UNTIL = 'until';
const SPANS: readonly number[] = [1, 2, EVENT_DAYS_RANGE, 14, MAX_EVENT_DAYS];

const prefillSchema = z.object({ filters: eventFilters.optional() }).catch({});
/** Filters without a field, passed on unchanged. */
const carriedContext = z.object({ user: eventFilters.shape.user }).catch({ user: null });

export const eventsForm: CommandForm = { open: openForm, read: readForm };

async function openForm(typed: unknown, ports: FormPorts): Promise<OpenedForm> {
  const { device } = devicePrefillSchema.parse(typed);
  const usual = defaultEventFilters(device === undefined ? EVENT_DAYS_RANGE : MAX_EVENT_DAYS);
  const { policy, user, name, days, until } = prefillSchema.parse(typed).filters ?? usual;
  const form = {
    command: 'events',
    title: 'Events',
    submit: 'Show',
    context: { user },
    fields: [
      {
        ...deviceField(await deviceOption(device, ports)),
        hint: 'Leave empty for all devices.',
        optional: true,
      },
      daysField(days),
      {
        kind: 'text',
        id: UNTIL,
        label: 'Until (date in UTC)',
        hint: 'Such as 2026-11-20. Leave empty for today.',
        initial: until ?? '',
        most: 10,
        optional: true,
      },
      nameField(name),
      {
        kind: 'search',
        id: POLICY,
        label: 'Only this policy',
        of: 'policy',
        initial: policy === null ? null : await policyOption(policy, ports),
        optional: true,
      },
    ],
  } as const;
  return { kind: 'form', form };
}

function daysField(days: number) {
  const all = SPANS.includes(days) ? SPANS : [days, ...SPANS];
  const options = all.map((span) => ({
    value: String(span),
    label: span === 1 ? '1 day' : `${span} days`,
  }));
  return { kind: 'choice', id: SPAN, label: 'Period', options, initial: String(days) } as const;
}

function nameField(typed: string | null) {
  const name = typed === null ? null : eventName(typed);
  const known = EVENT_KIND_NAMES.map((kind) => ({ value: kind, label: EVENT_KINDS[kind].title }));
  const isOther = name !== null && !isEventKind(name);
  const options = isOther ? [{ value: name, label: name }, ...known] : known;
  const head = { id: NAME, label: 'Only this event', optional: true } as const;
  return { ...head, kind: 'choice', options, initial: name } as const;
}

async function policyOption(given: NameOrId, { fleet }: FormPorts): Promise<FormOption | null> {
  const all = await collectRows(fleet.policies(PERSON_PRIORITY));
  const found = matchName(given, all, ({ name }) => name);
  const policy = found.kind === 'one' ? all.find(({ id }) => id === found.id) : undefined;
  return policy === undefined
    ? null
    : { value: String(policy.id), label: policy.name, detail: `#${policy.id}` };
}

function readForm(values: FieldValues, context: unknown): FormValues {
  const device = selectedDevice(values);
  const typedDay = textValue(values, UNTIL);
  const until = eventFilters.shape.until.safeParse(typedDay === '' ? null : typedDay);
  if (!until.success) return fieldError(UNTIL, 'Enter a date such as 2026-11-20.');
  const filters: EventFilters = {
    ...carriedContext.parse(context),
    name: selectedValue(values, NAME),
    policy: idValue(values, POLICY),
    days: Number(selectedValue(values, SPAN) ?? EVENT_DAYS_RANGE),
    until: until.data,
  };
  return { kind: 'input', input: { ...(device === null ? {} : { device }), filters } };
}
