/** The form of commands that are about one device: which one, and why where that is asked for. */

import { z } from 'zod';
import { displayName } from '../../../fleet/model/resources.ts';
import { REASON_LENGTH } from '../../../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/command.ts';
import { type DeviceRef, deviceRef, PERSON_PRIORITY, reasonSchema } from '../../targets/resolve-device.ts';
import type { CommandForm } from './command-form.ts';
import { fieldError, idValue, textValue } from './field-values.ts';

/** Field ids. */
export const DEVICE_FIELD = 'device';
export const REASON_FIELD = 'reason';

const carriedContext = z.record(z.string(), z.unknown()).catch({});

/** What such a command may have been told before its form is opened; what does not fit is nothing. */
export const devicePrefillSchema = z
  .object({ device: deviceRef.optional().catch(undefined), reason: reasonSchema.catch(null).default(null) })
  .catch({ device: undefined, reason: null });

export type DeviceFormOptions = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Asks for a reason too; said below its field. */
  readonly reason?: string;
  /** What else was typed goes on as it is. */
  readonly carriesInput?: true;
};

/** A form with the device, and with a reason where one is asked for. */
export function deviceForm({ command, title, submit, reason, carriesInput }: DeviceFormOptions): CommandForm {
  return {
    async open(typed, ports) {
      const prefill = devicePrefillSchema.parse(typed);
      const device = deviceField(await deviceOption(prefill.device, ports));
      const why = reason === undefined ? [] : [reasonField(prefill.reason, reason)];
      const fields = [device, ...why];
      return { kind: 'form', form: { command, title, submit, fields, context: carriesInput ? typed : null } };
    },
    read(values, context) {
      const device = selectedDevice(values);
      if (device === null) return fieldError(DEVICE_FIELD, 'Choose a device.');
      const why = reason === undefined ? {} : { reason: enteredReason(values) };
      const input = { ...carriedContext.parse(context), device, ...why };
      return { kind: 'input', input };
    },
  };
}

/** From whatever somebody has in hand to the device's card. */
export const deviceSearch = deviceForm({ command: 'device', title: 'Find a device', submit: 'Show' });

/** The menu that searches devices. */
export function deviceField(initial: FormOption | null): Extract<FormField, { kind: 'search' }> {
  return { kind: 'search', id: DEVICE_FIELD, label: 'Device', of: 'device', initial };
}

/** The field of the reason, which may stay empty; `hint` stands below it. */
export function reasonField(reason: string | null, hint: string): FormField {
  const head = { id: REASON_FIELD, label: 'Reason', hint, optional: true } as const;
  return { ...head, kind: 'text', initial: reason ?? '', lines: true, most: REASON_LENGTH };
}

/** The device as a menu shows it; null where none is meant, or not exactly one. */
export async function deviceOption(
  device: DeviceRef | undefined,
  ports: ReadPorts,
): Promise<FormOption | null> {
  if (device === undefined) return null;
  const query = typeof device === 'number' ? `#${device}` : device;
  const found = await ports.inventory.find(query, { ...PERSON_PRIORITY, exact: true });
  if (found.kind !== 'one') return null;
  const { id, groupId } = found.device;
  const groupName = await ports.inventory.groupName(groupId, PERSON_PRIORITY);
  const detail = groupName === null ? `#${id}` : `#${id} · ${groupName}`;
  return { value: String(id), label: displayName(found.device), detail };
}

/** The id of the device that was chosen; null where none was. */
export function selectedDevice(values: FieldValues): number | null {
  return idValue(values, DEVICE_FIELD);
}

/** Why, on one line; null where nothing was said. */
export function enteredReason(values: FieldValues): string | null {
  const reason = textValue(values, REASON_FIELD);
  return reason === '' ? null : reason;
}
