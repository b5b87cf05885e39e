/** The form of commands about one device: the device, and a reason for some. */

import { z } from 'zod';
import { displayName } from '../../../fleet/model/resources.ts';
import { HOUR, later } from '../../../lib/clock.ts';
import { countsTowardsLimits } from '../../../lib/rollout-limits.ts';
import { REASON_LENGTH } from '../../../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../../../views/models/form-model.ts';
import type { ReadPorts } from '../../core/command.ts';
import { type DeviceRef, deviceRef, PERSON_PRIORITY, reasonSchema } from '../../targets/resolve-device.ts';
import type { CommandForm, FormSubject } from './command-form.ts';
import { fieldError, idValue, textValue } from './field-values.ts';

/** Field ids. */
export const DEVICE_FIELD = 'device';
export const REASON_FIELD = 'reason';

const carriedContext = z.record(z.string(), z.unknown()).catch({});

/** What was typed before the form opens. Values that do not fit are dropped. */
export const devicePrefillSchema = z
  .object({ device: deviceRef.optional().catch(undefined), reason: reasonSchema.catch(null).default(null) })
  .catch({ device: undefined, reason: null });

export type DeviceFormOptions = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Adds a field for the reason, with this hint. */
  readonly reason?: string;
  /** Other typed input is passed on unchanged. */
  readonly carriesInput?: true;
};

/** A form with a device, and a reason where the options ask for one. */
export function deviceForm({ command, title, submit, reason, carriesInput }: DeviceFormOptions): CommandForm {
  return {
    async open(typed, ports) {
      const prefill = devicePrefillSchema.parse(typed);
      const device = deviceField(await deviceOption(prefill.device, ports));
      const why =
        reason === undefined ? [] : [await changeReasonField(prefill.reason, reason, { command }, ports)];
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

/** Finds a device by name, ID, address, serial number or user, and shows its card. */
export const deviceSearch = deviceForm({ command: 'device', title: 'Find a device', submit: 'Show' });

export function deviceField(initial: FormOption | null): Extract<FormField, { kind: 'search' }> {
  return { kind: 'search', id: DEVICE_FIELD, label: 'Device', of: 'device', initial };
}

/** A form whose fields depend on a device. */
export const DEVICE_SUBJECT: FormSubject = {
  field: DEVICE_FIELD,
  missing: 'Choose a device.',
  menu: (chosen) => ({ ...deviceField(chosen), live: true }),
  option: deviceOption,
  prefill: (typed) => {
    const { device, reason } = devicePrefillSchema.parse(typed);
    return { ref: device, reason };
  },
};

/** The field for a reason. `hint` is shown below it. */
export function reasonField(reason: string | null, hint: string, isRequired = false): FormField {
  const field = { kind: 'text', id: REASON_FIELD, label: 'Reason', hint, initial: reason ?? '' } as const;
  const most = { lines: true, most: REASON_LENGTH } as const;
  return isRequired ? { ...field, ...most } : { ...field, ...most, optional: true };
}

/**
 * The same for a change, which may need a reason; `devices`: how many are known to be meant. Those that the person asked
 * for in the last hour count, too.
 */
export async function changeReasonField(
  reason: string | null,
  hint: string,
  { command, devices = 1 }: { readonly command: string; readonly devices?: number },
  { rollouts: { reasonFrom }, records, asker, clock }: ReadPorts,
): Promise<FormField> {
  const before = countsTowardsLimits({ kind: command })
    ? await records.requestedSince(asker, later(clock.now(), -HOUR))
    : 0;
  const isRequired = before + devices >= reasonFrom;
  if (devices === 1 && !isRequired) return reasonField(reason, hint);
  const counted = before === 0 ? '' : `, counting your ${before} of the last hour`;
  return reasonField(reason, `${hint} Required from ${reasonFrom} devices on${counted}.`, isRequired);
}

/** The device as a menu option; null unless exactly one matches. */
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
  const detail = groupName === null ? [`#${id}`] : [`#${id}`, groupName];
  return { value: String(id), label: displayName(found.device), detail };
}

/** The ID of the selected device; null without a selection. */
export function selectedDevice(values: FieldValues): number | null {
  return idValue(values, DEVICE_FIELD);
}

/** The reason on one line; null if empty. */
export function enteredReason(values: FieldValues): string | null {
  const reason = textValue(values, REASON_FIELD);
  return reason === '' ? null : reason;
}
