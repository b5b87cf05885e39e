/** A fleet for forms, and the fields of an opened form. */
import type { CommandForm, OpenedForm } from '../../../src/commands/core/command.ts';
import { registry } from '../../../src/commands/index.ts';
import { deviceId, groupId } from '../../../src/lib/ids.ts';
import type { FieldValues, FormField } from '../../../src/views/models/form-model.ts';
import { aDevice, aGroup, aPackage } from '../../harness/builders.ts';
import { testPorts } from '../harness/ports.ts';

export const { ports: formFleetPorts, fleet } = testPorts({
  devices: [
    aDevice({ id: deviceId(1), name: 'web-01', osFamily: 'Linux', groupId: groupId(20) }),
    aDevice({ id: deviceId(2), name: 'web-02', osFamily: 'Windows', lastLoggedInUser: 'kiosk' }),
    aDevice({ id: deviceId(3), name: 'dup' }),
    aDevice({ id: deviceId(4), name: 'dup', customName: 'Front-desk' }),
  ],
  groups: [
    aGroup({ id: groupId(1), name: '', parentId: groupId(1) }),
    aGroup({ id: groupId(20), name: 'Linux servers', parentId: groupId(1) }),
  ],
  packages: [
    aPackage({ name: 'zlib', displayName: 'zlib', installed: false, severity: 'low', version: '1.3' }),
    aPackage({
      name: 'openssl',
      displayName: 'OpenSSL',
      installed: false,
      severity: 'critical',
      requiresReboot: true,
    }),
    aPackage({ name: 'curl', displayName: 'curl', installed: true }),
  ],
  previewed: [
    {
      id: deviceId(1),
      uuid: null,
      name: 'web-01',
      customName: null,
      groupId: groupId(20),
      groupName: null,
      osFamily: 'Linux',
      osVersion: null,
      addresses: [],
      privateAddresses: [],
      tags: [],
    },
  ],
});

export const valuesOf = (values: Readonly<Record<string, readonly string[]>>): FieldValues =>
  new Map(Object.entries(values));

export const fieldsOf = (opened: OpenedForm): readonly FormField[] => {
  if (opened.kind !== 'form') throw new Error(JSON.stringify(opened));
  return opened.form.fields;
};

export const fieldOf = (fields: readonly FormField[], id: string): FormField => {
  const found = fields.find((field) => field.kind !== 'words' && field.id === id);
  if (found === undefined) throw new Error(`no field ${id} in ${JSON.stringify(fields)}`);
  return found;
};

/** What the fields hold as they are drawn. */
export function initialValues(fields: readonly FormField[]): FieldValues {
  return new Map(
    fields.flatMap((field) => {
      if (field.kind === 'words') return [];
      const initial = [field.initial].flat().flatMap((one) => one ?? []);
      const values = initial.map((one) => (typeof one === 'string' ? one : one.value));
      return [[field.id, values.filter((value) => value !== '')]];
    }),
  );
}

export const readForm = (
  form: CommandForm,
  values: Readonly<Record<string, readonly string[]>>,
  context: unknown = null,
) => form.read(valuesOf(values), context, formFleetPorts);

export const openForm = (name: string): CommandForm => {
  const form = registry.find(name)?.form;
  if (form === undefined) throw new Error(`${name} has no form`);
  return form;
};

export function failsIfCalled(): never {
  throw new Error('the form has no live fields');
}
