/** The form of `timezone`: a name as people type it, with the nearest ones on the field where there is none such. */

import { findZone, zoneFault } from '../zones.ts';
import { faultText } from './fault-text.ts';
import type { Form, FormRead } from './form.ts';
import { errorOn, textIn } from './form-values.ts';

const ZONE = 'zone';
const MOST = 100;

export const timezoneForm: Form = {
  open: async (_typed, { settings, asker }) => {
    const { zone, chosen } = await settings.people.chosen(asker);
    const field = {
      kind: 'text',
      id: ZONE,
      label: 'Time zone',
      hint: 'A city or a zone such as Europe/Berlin. Leave empty to use Slack’s.',
      optional: true,
      initial: chosen ? zone : '',
      most: MOST,
    } as const;
    const form = { command: 'timezone', title: 'Your time zone', submit: 'Save' };
    return { kind: 'form', form: { ...form, fields: [field], context: null } };
  },
  read(values): FormRead {
    const typed = textIn(values, ZONE);
    if (typed === '') return { kind: 'input', input: { do: 'reset' } };
    const found = findZone(typed);
    if (found.kind === 'zone') return { kind: 'input', input: { do: 'choose', zone: found.zone } };
    return errorOn(ZONE, faultText(zoneFault(typed, found.nearest)));
  },
};
