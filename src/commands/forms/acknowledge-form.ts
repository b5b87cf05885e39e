/** The form of `acknowledge`: which of the late alerts that nobody looks after. */

import { DAY, later } from '../../clock.ts';
import { HAPPENINGS } from '../../fleet/happenings.ts';
import type { AlertRecord } from '../../store/records.ts';
import type { FormOption } from '../../views/models/form-model.ts';
import { usageProblem } from '../line/faults.ts';
import type { Form } from './form.ts';
import { errorOn, idIn } from './form-values.ts';

const ALERT = 'alert';
const DAYS = 7;
const MOST = 100;
const HEAD = { name: 'acknowledge', usage: 'acknowledge #ALERT' };

export const acknowledgeForm: Form = {
  async open(_typed, { settings, clock }) {
    const since = later(clock.now(), -DAYS * DAY);
    const { rows } = await settings.alerts.list({ of: 'all', since }, { limit: MOST, skip: 0 });
    const options = rows.filter(({ acknowledgedBy }) => acknowledgedBy === null).map(optionOf);
    if (options.length === 0) {
      const what = `No unacknowledged alerts in the last ${DAYS} days.`;
      return { kind: 'problem', problem: usageProblem(HEAD, { kind: 'missing', what }) };
    }
    const field = { kind: 'choice', id: ALERT, label: 'Alert', options, initial: null } as const;
    const form = { command: 'acknowledge', title: 'Acknowledge an alert', submit: 'Acknowledge' };
    return { kind: 'form', form: { ...form, fields: [field], context: null } };
  },
  read(values) {
    const alert = idIn(values, ALERT);
    return alert === null ? errorOn(ALERT, 'Choose an alert.') : { kind: 'input', input: { alert } };
  },
};

function optionOf({ eventId, kind, deviceName, deviceId, packages }: AlertRecord): FormOption {
  const { title } = HAPPENINGS[kind];
  const of = deviceName ?? (deviceId === null ? null : `#${deviceId}`);
  const names = packages.map(({ name, displayName }) => displayName ?? name);
  const label = of === null ? title : `${title}: ${of}`;
  return { value: String(eventId), label, detail: [`#${eventId}`, ...names.slice(0, 3)].join(' · ') };
}
