/** The form of `acknowledge`: one of the recent alerts that nobody acknowledged. */
import { kindWords } from '../../fleet/model/event-kinds.ts';
import { DAY, later } from '../../lib/clock.ts';
import { quoteStructure } from '../../lib/text.ts';
import type { ShownAlert } from '../../store/port/alert-records.ts';
import type { FormOption } from '../../views/models/form-model.ts';
import { usageProblem } from '../parser/usage-errors.ts';
import type { CommandForm } from './shared/command-form.ts';
import { fieldError, idValue } from './shared/field-values.ts';

const ALERT = 'alert';
const DAYS = 7;
const MAX_OPTIONS = 100;
const HEAD = { name: 'acknowledge', usage: 'acknowledge ALERT' };

export const acknowledgeForm: CommandForm = {
  async open(_typed, { settings, clock }) {
    const since = later(clock.now(), -DAYS * DAY);
    const { rows } = await settings.alerts.shown({ of: 'all', since }, { limit: MAX_OPTIONS, skip: 0 });
    const options = rows
      .filter(({ acknowledgedBy, heldBy }) => acknowledgedBy === null && heldBy === undefined)
      .map(optionOf);
    if (options.length === 0) {
      const what = `No unacknowledged alerts in the last ${DAYS} days.`;
      return { kind: 'problem', problem: usageProblem(HEAD, { kind: 'missing', what }) };
    }
    const field = { kind: 'choice', id: ALERT, label: 'Alert', options, initial: null } as const;
    const form = { command: 'acknowledge', title: 'Acknowledge an alert', submit: 'Acknowledge' };
    return { kind: 'form', form: { ...form, fields: [field], context: null } };
  },
  read(values) {
    const alert = idValue(values, ALERT);
    return alert === null ? fieldError(ALERT, 'Choose an alert.') : { kind: 'input', input: { alert } };
  },
};

function optionOf({ eventId, kind, deviceName, deviceId, packages, storm }: ShownAlert): FormOption {
  const { title } = kindWords(kind);
  const name = deviceName ?? (deviceId === null ? null : `#${deviceId}`);
  const of = storm === undefined || storm.devices < 2 ? name : `${storm.devices} devices`;
  const names = packages.map(({ name, displayName }) => displayName ?? name);
  const label = of === null ? title : `${title}: ${quoteStructure(of)}`;
  return { value: String(eventId), label, detail: [`alert ${eventId}`, ...names.slice(0, 3)] };
}
