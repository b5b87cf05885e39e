/** The form of `timezone`: a typed name. For an unknown one, the field shows the closest names. */

import { findZone, zoneFault } from '../settings/time-zones.ts';
import type { CommandForm, FormValues } from './shared/command-form.ts';
import { fieldError, textValue, usageFaultText } from './shared/field-values.ts';

const ZONE = 'zone';
const MAX_LENGTH = 100;

export const timezoneForm: CommandForm = {
  open: async (_typed, { settings, asker }) => {
    const { zone, timezoneChoice } = await settings.people.timezoneChoice(asker);
    const field = {
      kind: 'text',
      id: ZONE,
      label: 'Time zone',
      hint: 'A city or a zone such as Europe/Berlin. Leave empty to use Slack’s.',
      optional: true,
      initial: timezoneChoice ? zone : '',
      most: MAX_LENGTH,
    } as const;
    const form = { command: 'timezone', title: 'Your time zone', submit: 'Save' };
    return { kind: 'form', form: { ...form, fields: [field], context: null } };
  },
  read(values): FormValues {
    const typed = textValue(values, ZONE);
    if (typed === '') return { kind: 'input', input: { do: 'reset' } };
    const found = findZone(typed);
    if (found.kind === 'zone') return { kind: 'input', input: { do: 'choose', zone: found.zone } };
    return fieldError(ZONE, usageFaultText(zoneFault(typed, found.nearest)));
  },
};
