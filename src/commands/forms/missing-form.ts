/** The form of `missing`: a package, a CVE or severities, and groups. */
import { z } from 'zod';
import { SEVERITIES } from '../../fleet/model/derived-fields.ts';
import type { FieldValues } from '../../views/models/form-model.ts';
import { readCve } from '../parser/cve.ts';
import { groupsField } from '../software/missing-query.ts';
import type { CommandForm, FormPorts, FormValues, OpenedForm } from './shared/command-form.ts';
import { fieldError, idValues, selectedValue, textValue } from './shared/field-values.ts';
import { groupOption } from './shared/group-or-policy-form.ts';

const PACKAGE = 'package';
const CVE = 'cve';
const SEVERITY = 'severities';
const GROUP = 'group';
/** The number of a CVE has no maximum length, so this is our own. */
const CVE_LENGTH = 40;

const prefillSchema = z.object({ group: groupsField.nullable() }).catch({ group: null });

export const missingForm: CommandForm = { open: openForm, read: readForm };

async function openForm(typed: unknown, ports: FormPorts): Promise<OpenedForm> {
  const { group } = prefillSchema.parse(typed);
  const options = await Promise.all((group ?? []).map((one) => groupOption(one, ports)));
  const form = {
    command: 'missing',
    title: 'Missing patches',
    submit: 'Show',
    context: null,
    fields: [
      { kind: 'search', id: PACKAGE, label: 'Package', of: 'package', initial: null, optional: true },
      {
        kind: 'text',
        id: CVE,
        label: 'Or a CVE',
        hint: 'For example CVE-2026-1234.',
        optional: true,
        initial: '',
        most: CVE_LENGTH,
      },
      {
        kind: 'choices',
        id: SEVERITY,
        label: 'Or any patch of these severities',
        options: SEVERITIES.map((severity) => ({ value: severity, label: severity })),
        initial: [],
        menu: true,
        optional: true,
      },
      {
        kind: 'searches',
        id: GROUP,
        label: 'Only these groups and their subgroups',
        of: 'group',
        initial: options.filter((option) => option !== null),
        optional: true,
      },
    ],
  } as const;
  return { kind: 'form', form } as const;
}

function readForm(values: FieldValues): FormValues {
  const name = selectedValue(values, PACKAGE);
  const typed = textValue(values, CVE);
  const severities = SEVERITIES.filter((severity) => values.get(SEVERITY)?.includes(severity));
  const chosen = [name !== null && PACKAGE, typed !== '' && CVE, severities.length > 0 && SEVERITY];
  const [field, second] = chosen.filter((one) => one !== false);
  if (field === undefined)
    return fieldError(PACKAGE, 'Choose a package or severities, or enter a CVE below.');
  if (second !== undefined) return fieldError(second, 'Use one of package, CVE and severities.');
  const groups = idValues(values, GROUP);
  const group = groups.length === 0 ? null : groups;
  if (name !== null) return { kind: 'input', input: { sought: { kind: 'package', name }, group } };
  if (severities.length > 0)
    return { kind: 'input', input: { sought: { kind: 'severity', severities }, group } };
  const cve = readCve(typed);
  if (cve === null) return fieldError(CVE, 'Enter a CVE such as CVE-2026-1234.');
  return { kind: 'input', input: { sought: { kind: 'cve', cves: [cve] }, group } };
}
