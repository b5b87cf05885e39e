/** The form of `events`: all that happened to one device, or to the fleet by what it was. */

import { z } from 'zod';
import { collectRows } from '../../fleet/collect-rows.ts';
import { HAPPENING_KINDS, HAPPENINGS, isHappening } from '../../fleet/happenings.ts';
import type { FieldValues, FormOption } from '../../views/models/form-model.ts';
import { DAYS, type EventFilters, eventFilters, eventName, MOST_DAYS } from '../event-filters.ts';
import { meant, type Ref } from '../targets/named.ts';
import { PERSON } from '../targets/resolve.ts';
import { chosenDevice, deviceField, deviceOption, givenDevice } from './device-form.ts';
import type { Form, FormOpened, FormPorts, FormRead } from './form.ts';
import { chosen, errorOn, idIn } from './form-values.ts';

const POLICY = 'policy';
const NAME = 'name';
const SPAN = 'days';
const SPANS: readonly number[] = [1, 2, DAYS, 14, MOST_DAYS];

const NOTHING = { policy: null, user: null, name: null, days: DAYS };
const given = z.object({ filters: eventFilters.catch(NOTHING) }).catch({ filters: NOTHING });
/** What has no field comes back as it was. */
const kept = z.object({ user: eventFilters.shape.user }).catch({ user: null });

export const eventsForm: Form = { open, read };

async function open(typed: unknown, ports: FormPorts): Promise<FormOpened> {
  const { device } = givenDevice.parse(typed);
  const { filters } = given.parse(typed);
  const { policy, user, name, days } = filters;
  const form = {
    command: 'events',
    title: 'Events',
    submit: 'Show',
    context: { user },
    fields: [
      {
        ...deviceField(await deviceOption(device, ports)),
        hint: `Shows its events of the last ${MOST_DAYS} days. Leave empty for all devices.`,
        optional: true,
      },
      daysField(days),
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
    label: span === 1 ? 'Last day' : `Last ${span} days`,
  }));
  return { kind: 'choice', id: SPAN, label: 'For all devices', options, initial: String(days) } as const;
}

function nameField(typed: string | null) {
  const name = typed === null ? null : eventName(typed);
  const known = HAPPENING_KINDS.map((kind) => ({ value: kind, label: HAPPENINGS[kind].title }));
  const isOther = name !== null && !isHappening(name);
  const options = isOther ? [{ value: name, label: name }, ...known] : known;
  const head = { id: NAME, label: 'Only this event', optional: true } as const;
  return { ...head, kind: 'choice', options, initial: name } as const;
}

async function policyOption(given: Ref, { fleet }: FormPorts): Promise<FormOption | null> {
  const all = await collectRows(fleet.policies(PERSON));
  const found = meant(given, all, ({ name }) => name);
  const policy = found.kind === 'one' ? all.find(({ id }) => id === found.id) : undefined;
  return policy === undefined
    ? null
    : { value: String(policy.id), label: policy.name, detail: `#${policy.id}` };
}

function read(values: FieldValues, context: unknown): FormRead {
  const device = chosenDevice(values);
  const [name, policy] = [chosen(values, NAME), idIn(values, POLICY)];
  if (device !== null) {
    const wrong = name !== null ? NAME : policy !== null ? POLICY : null;
    if (wrong === null) return { kind: 'input', input: { device } };
    const words = 'A single device shows all its events. Clear this field, or clear the device.';
    return errorOn(wrong, words);
  }
  const days = Number(chosen(values, SPAN) ?? DAYS);
  const filters: EventFilters = { ...NOTHING, ...kept.parse(context), name, policy, days };
  return { kind: 'input', input: { filters } };
}
