/** The form of commands that are about one device: which one, and why where that is asked for. */

import { z } from 'zod';
import { displayName } from '../../fleet/model.ts';
import { REASON_LENGTH } from '../../text.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../command.ts';
import { type DeviceRef, deviceRef, PERSON, reasonText } from '../targets/resolve.ts';
import type { Form } from './form.ts';
import { errorOn, idIn, textIn } from './form-values.ts';

/** Field ids. */
export const DEVICE = 'device';
export const REASON = 'reason';

const kept = z.record(z.string(), z.unknown()).catch({});

/** What such a command may have been told before its form is opened; what does not fit is nothing. */
export const givenDevice = z
  .object({ device: deviceRef.optional().catch(undefined), reason: reasonText.catch(null).default(null) })
  .catch({ device: undefined, reason: null });

export type DeviceFormOptions = {
  readonly command: string;
  readonly title: string;
  readonly submit: string;
  /** Asks for a reason too; said below its field. */
  readonly reason?: string;
  /** What else was typed goes on as it is. */
  readonly keeps?: true;
};

/** A form with the device, and with a reason where one is asked for. */
export function deviceForm({ command, title, submit, reason, keeps }: DeviceFormOptions): Form {
  return {
    async open(typed, ports) {
      const given = givenDevice.parse(typed);
      const device = deviceField(await deviceOption(given.device, ports));
      const why = reason === undefined ? [] : [reasonField(given.reason, reason)];
      const fields = [device, ...why];
      return { kind: 'form', form: { command, title, submit, fields, context: keeps ? typed : null } };
    },
    read(values, context) {
      const device = chosenDevice(values);
      if (device === null) return errorOn(DEVICE, 'Choose a device.');
      const why = reason === undefined ? {} : { reason: givenReason(values) };
      const input = { ...kept.parse(context), device, ...why };
      return { kind: 'input', input };
    },
  };
}

/** From whatever somebody has in hand to the device's card. */
export const findDevice = deviceForm({ command: 'device', title: 'Find a device', submit: 'Show' });

/** The menu that searches devices. */
export function deviceField(initial: FormOption | null): Extract<FormField, { kind: 'search' }> {
  return { kind: 'search', id: DEVICE, label: 'Device', of: 'device', initial };
}

/** The field of the reason, which may stay empty; `hint` stands below it. */
export function reasonField(reason: string | null, hint: string): FormField {
  const head = { id: REASON, label: 'Reason', hint, optional: true } as const;
  return { ...head, kind: 'text', initial: reason ?? '', lines: true, most: REASON_LENGTH };
}

/** The device as a menu shows it; null where none is meant, or not exactly one. */
export async function deviceOption(
  device: DeviceRef | undefined,
  ports: ReadPorts,
): Promise<FormOption | null> {
  if (device === undefined) return null;
  const query = typeof device === 'number' ? `#${device}` : device;
  const found = await ports.inventory.find(query, { ...PERSON, exact: true });
  if (found.kind !== 'one') return null;
  const { id, groupId } = found.device;
  const groupName = await ports.inventory.groupName(groupId, PERSON);
  const detail = groupName === null ? `#${id}` : `#${id} · ${groupName}`;
  return { value: String(id), label: displayName(found.device), detail };
}

/** The id of the device that was chosen; null where none was. */
export function chosenDevice(values: FieldValues): number | null {
  return idIn(values, DEVICE);
}

/** Why, on one line; null where nothing was said. */
export function givenReason(values: FieldValues): string | null {
  const reason = textIn(values, REASON);
  return reason === '' ? null : reason;
}
