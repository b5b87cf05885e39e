/** The form of `audit`: one device or all, and the time range. */

import { z } from 'zod';
import type { CommandForm } from './shared/command-form.ts';
import { deviceField, deviceOption, devicePrefillSchema, selectedDevice } from './shared/device-form.ts';
import { selectedValue } from './shared/field-values.ts';

const SPAN = 'days';
const SPANS: readonly number[] = [1, 7, 30, 90];

/** `usual`: the default number of days. */
export function auditForm(usual: number): CommandForm {
  const prefillSchema = z.object({ days: z.int().positive().catch(usual) }).catch({ days: usual });
  return {
    async open(typed, ports) {
      const { device } = devicePrefillSchema.parse(typed);
      const { days } = prefillSchema.parse(typed);
      const spans = SPANS.includes(days) ? SPANS : [days, ...SPANS];
      const fields = [
        {
          ...deviceField(await deviceOption(device, ports)),
          hint: 'Leave empty for everything.',
          optional: true,
        } as const,
        {
          kind: 'choice',
          id: SPAN,
          label: 'Time range',
          options: spans.map((span) => ({
            value: String(span),
            label: span === 1 ? 'Last day' : `Last ${span} days`,
          })),
          initial: String(days),
        } as const,
      ];
      const form = { command: 'audit', title: 'Audit log', submit: 'Show', fields, context: null };
      return { kind: 'form', form };
    },
    read(values) {
      const device = selectedDevice(values);
      const days = Number(selectedValue(values, SPAN) ?? usual);
      return { kind: 'input', input: { device, days } };
    },
  };
}
