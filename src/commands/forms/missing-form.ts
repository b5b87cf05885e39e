/** The form of `missing`: a package or a CVE, and a group. */

import { z } from 'zod';
import type { FieldValues } from '../../views/models/form-model.ts';
import { readCve } from '../line/cve.ts';
import { ref } from '../targets/named.ts';
import type { Form, FormOpened, FormPorts, FormRead } from './form.ts';
import { chosen, errorOn, idIn, textIn } from './form-values.ts';
import { groupOption } from './group-option.ts';

const PACKAGE = 'package';
const CVE = 'cve';
const GROUP = 'group';
/** A CVE's number has no length that it could not exceed. */
const CVE_LENGTH = 40;

const given = z.object({ group: ref.nullable().default(null) }).catch({ group: null });

export const missingForm: Form = { open, read };

async function open(typed: unknown, ports: FormPorts): Promise<FormOpened> {
  const { group } = given.parse(typed);
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
        kind: 'search',
        id: GROUP,
        label: 'Only this group and its subgroups',
        of: 'group',
        initial: await groupOption(group ?? undefined, ports),
        optional: true,
      },
    ],
  } as const;
  return { kind: 'form', form } as const;
}

function read(values: FieldValues): FormRead {
  const name = chosen(values, PACKAGE);
  const typed = textIn(values, CVE);
  if (name === null && typed === '') return errorOn(PACKAGE, 'Choose a package, or enter a CVE below.');
  if (name !== null && typed !== '') return errorOn(CVE, 'Enter either a package or a CVE, not both.');
  const group = idIn(values, GROUP);
  if (name !== null) return { kind: 'input', input: { sought: { kind: 'package', name }, group } };
  const cve = readCve(typed);
  if (cve === null) return errorOn(CVE, 'Enter a CVE such as CVE-2026-1234.');
  return { kind: 'input', input: { sought: { kind: 'cve', cve }, group } };
}
