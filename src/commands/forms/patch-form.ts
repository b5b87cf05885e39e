/** The form of `patch`: a device, then what is missing on it to choose from. */

import { z } from 'zod';
import { collectRows } from '../../fleet/collect-rows.ts';
import { isMissing, type Package } from '../../fleet/model.ts';
import { hasSeverity, SEVERITIES, severityRank } from '../../fleet/software.ts';
import { deviceId } from '../../ids.ts';
import { compareNames } from '../../text.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../command.ts';
import { PERSON } from '../targets/resolve.ts';
import { chosenDeviceForm, type Drawn, type PartRead, wordsField } from './chosen-device-form.ts';
import { DEVICE } from './device-form.ts';
import { errorOn } from './form-values.ts';

/** Stands for everything that is missing; no package is so named. */
const ALL = '*';
/** Stands for everything of a severity that is missing. */
const ofSeverity = (severity: string): string => `*${severity}`;

const strings = z.array(z.string()).catch([]).default([]);
const givenPackages = z
  .object({ packages: strings, severities: strings })
  .catch({ packages: [], severities: [] });

/** Each device has a field of its own, so that nothing chosen for one is taken for another. */
const packagesOf = (device: number): string => `packages:${device}`;

/** The device whose packages the form listed: another one's are drawn a moment after it is chosen. */
const drawn = z.object({ drawnFor: z.number().nullable() }).catch({ drawnFor: null });
const NOT_LISTED = 'The missing patches aren’t listed yet. Wait a moment, then send again.';
const NONE = 'This device has no missing patches. Choose another one.';

/** Names, severities, or {@link ALL}; none: nobody has chosen yet. */
type Given = readonly string[];

export const patchForm = chosenDeviceForm<Given>({
  command: 'patch',
  title: 'Install patches',
  submit: 'Request approval',
  reason: 'The approver sees it on the card.',
  typed(typed) {
    const { packages, severities } = givenPackages.parse(typed);
    return [...packages, ...severities.map(ofSeverity)];
  },
  entered: (device, values) => values.get(packagesOf(device)) ?? null,
  draw,
  read,
});

async function draw(device: FormOption | null, chosen: Given, ports: ReadPorts): Promise<Drawn> {
  const field =
    device === null
      ? wordsField('Choose a device to see its missing patches.')
      : await packagesField(device, chosen, ports);
  return { fields: [field], context: { drawnFor: device === null ? null : Number(device.value) } };
}

async function packagesField(
  device: FormOption,
  chosen: Given,
  { fleet, inventory, clock }: ReadPorts,
): Promise<FormField> {
  const now = clock.now();
  const rows = await collectRows(fleet.packages(deviceId(Number(device.value)), PERSON));
  inventory.learnPackages(rows.map(({ name }) => name));
  const missing = rows.filter((row) => isMissing(row, now)).toSorted(inOrder);
  if (missing.length === 0) return wordsField(`${device.label} has no missing patches.`);
  const single = [...new Map(missing.map((row) => [row.name, packageOption(row)])).values()];
  const all = { value: ALL, label: `All missing patches (${single.length})` };
  const options = [all, ...severityOptions(missing), ...single];
  const known = chosen.filter((name) => options.some(({ value }) => value === name));
  return {
    kind: 'choices',
    id: packagesOf(Number(device.value)),
    label: 'Packages',
    hint: 'Install all, or remove that and choose packages.',
    options,
    // What was typed and is not missing here is no reason to install everything.
    initial: chosen.length === 0 ? [ALL] : known,
    menu: true,
  };
}

function severityOptions(missing: readonly Package[]): readonly FormOption[] {
  return SEVERITIES.flatMap((severity) => {
    const count = missing.filter((item) => hasSeverity(item, [severity])).length;
    return count === 0 ? [] : [{ value: ofSeverity(severity), label: `All ${severity} patches (${count})` }];
  });
}

function packageOption({ name, displayName, version, severity, requiresReboot }: Package): FormOption {
  const facts = [
    ...(version === null || version === '' ? [] : [version]),
    ...(severity === null || severity === '' ? [] : [severity.replaceAll('_', ' ')]),
    ...(requiresReboot ? ['requires a reboot'] : []),
  ];
  const label = displayName === '' ? name : displayName;
  return { value: name, label, ...(facts.length === 0 ? {} : { detail: facts.join(' · ') }) };
}

function inOrder(a: Package, b: Package): number {
  return severityRank(a.severity) - severityRank(b.severity) || compareNames(a.displayName, b.displayName);
}

function read(device: number, values: FieldValues, carried: unknown): PartRead {
  const field = packagesOf(device);
  const chosen = values.get(field);
  if (chosen === undefined)
    return errorOn(DEVICE, drawn.parse(carried).drawnFor === device ? NONE : NOT_LISTED);
  if (chosen.length === 0) return errorOn(field, 'Choose all missing patches, or the packages to install.');
  const wanted = chosen.filter((name) => name !== ALL);
  if (wanted.length > 0 && chosen.includes(ALL)) {
    return errorOn(field, 'Choose either all patches or single ones, not both.');
  }
  const severities = SEVERITIES.filter((severity) => wanted.includes(ofSeverity(severity)));
  const packages = wanted.filter((name) => !SEVERITIES.some((severity) => name === ofSeverity(severity)));
  return { kind: 'input', input: { packages, severities } };
}
