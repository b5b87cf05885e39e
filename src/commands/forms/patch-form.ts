/** The form of `patch`: a device, then its missing patches. */

import { z } from 'zod';
import { hasSeverity, SEVERITIES, severityRank } from '../../fleet/model/derived-fields.ts';
import { isMissing, type Package } from '../../fleet/model/resources.ts';
import { collectRows } from '../../fleet/reads/read-helpers.ts';
import { alertId, channelId, deviceId } from '../../lib/ids.ts';
import { compareNames, quoteStructure } from '../../lib/text.ts';
import type { FieldValues, FormField, FormOption } from '../../views/models/form-model.ts';
import type { ReadPorts } from '../core/command.ts';
import { commaList, fieldError, textField, textValue } from '../core/field-values.ts';
import { PERSON_PRIORITY } from '../targets/resolve-device.ts';
import { type FindSeenDevices, listedDevices, withSeenDevices } from './seen-devices-form.ts';
import { withSeveralDevices } from './several-devices-form.ts';
import {
  DEVICE_FIELD,
  DEVICE_SUBJECT,
  type DrawnFields,
  dependentForm,
  type PartialFormRead,
  textBlockField,
} from './subject-forms.ts';

/** Stands for all missing patches; no package has this name. */
const ALL = '*';
const ofSeverity = (severity: string): string => `*${severity}`;

const strings = z.array(z.string()).catch([]).default([]);
const prefillSchema = z
  .object({ packages: strings, severities: strings, ids: z.string().exactOptional() })
  .catch({ packages: [], severities: [] });

/** Each device has its own field, so that a choice for one does not apply to another. */
const packagesOf = (device: number): string => `packages:${device}`;

/** The device whose packages the form lists. Those of a newly selected device appear a moment later. */
const drawnContext = z.object({ drawnFor: z.number().nullable() }).catch({ drawnFor: null });
const NOT_LISTED = 'The missing patches aren’t listed yet. Wait a moment, then send again.';
const NONE = 'This device has no missing patches. Choose another one.';

/** Names, severities, or {@link ALL}; empty before a choice. */
type SelectedPackages = readonly string[];

const oneDevice = dependentForm<SelectedPackages>(DEVICE_SUBJECT, {
  command: 'patch',
  title: 'Install patches',
  submit: 'Request approval',
  parsePrefill(typed) {
    const { packages, severities } = prefillSchema.parse(typed);
    return [...packages, ...severities.map(ofSeverity)];
  },
  enteredValues: (device, values) => values.get(packagesOf(device)) ?? null,
  buildFields: drawFields,
  read: readForm,
});

/** What of it is missing on each device is found out when it is requested. */
const SEVERITIES_FIELD = 'severities';
const PACKAGES_FIELD = 'packages';
const ALL_HINT = 'Leave this and the packages empty to install all missing patches.';

const severalDevices = withSeveralDevices(oneDevice, {
  command: 'patch',
  title: 'Patch several devices',
  submit: 'Request approval',
  async ownFields(typed) {
    const { packages, severities, ids } = prefillSchema.parse(typed);
    return [
      {
        kind: 'choices',
        id: SEVERITIES_FIELD,
        label: 'Severities',
        hint: ids === undefined ? `${ALL_HINT} With missing: above, only what it names.` : ALL_HINT,
        options: SEVERITIES.map((severity) => ({ value: severity, label: severity })),
        initial: severities,
        menu: true,
        optional: true,
      },
      textField(PACKAGES_FIELD, 'Packages', packages.join(', '), MAX_PACKAGES_LENGTH, {
        hint: 'Names separated by commas.',
        optional: true,
      }),
    ];
  },
  readOwn: (values) => ({
    kind: 'input',
    input: {
      severities: SEVERITIES.filter((severity) => values.get(SEVERITIES_FIELD)?.includes(severity)),
      packages: commaList(textValue(values, PACKAGES_FIELD)),
    },
  }),
});

export const patchForm = withSeenDevices(
  severalDevices,
  async (typed, ports) => (await alertedDevices(typed, ports)) ?? listedDevices(typed, ports),
);

/** A text field holds 3,000 characters (Slack). */
const MAX_PACKAGES_LENGTH = 2_900;

async function drawFields(
  device: FormOption | null,
  chosen: SelectedPackages,
  ports: ReadPorts,
): Promise<DrawnFields> {
  const field =
    device === null
      ? textBlockField('Choose a device to see its missing patches.')
      : await packagesField(device, chosen, ports);
  return { fields: [field], context: { drawnFor: device === null ? null : Number(device.value) } };
}

async function packagesField(
  device: FormOption,
  chosen: SelectedPackages,
  { fleet, inventory, clock }: ReadPorts,
): Promise<FormField> {
  const now = clock.now();
  const rows = await collectRows(fleet.packages(deviceId(Number(device.value)), PERSON_PRIORITY));
  inventory.learnPackages(rows.map(({ name }) => name));
  const missing = rows.filter((row) => isMissing(row, now)).toSorted(bySeverity);
  if (missing.length === 0) return textBlockField(`${quoteStructure(device.label)} has no missing patches.`);
  const single = [...new Map(missing.map((row) => [row.name, packageOption(row)])).values()];
  const all = { value: ALL, label: `All missing patches (${single.length})`, detail: allDetail(missing) };
  const options = [all, ...severityOptions(missing), ...single];
  const known = chosen.filter((name) => options.some(({ value }) => value === name));
  return {
    kind: 'choices',
    id: packagesOf(Number(device.value)),
    label: 'Packages',
    hint: packagesHint(missing, chosen.length === 0),
    options,
    // A typed package that is not missing here must not select everything.
    initial: chosen.length === 0 ? [ALL] : known,
    menu: true,
  };
}

/** What all missing patches are, because the menu shows that only while it is open. */
function packagesHint(missing: readonly Package[], isAll: boolean): string {
  const names = labelsOf(missing);
  const shown = names.slice(0, MAX_HINTED).map(quoteStructure).join(', ');
  const more = names.length > MAX_HINTED ? ` and ${names.length - MAX_HINTED} more` : '';
  const rebooting = labelsOf(missing.filter(({ requiresReboot }) => requiresReboot));
  const reboot = rebooting.length === 0 ? '' : ` ${rebootText(rebooting)}`;
  const first = isAll ? 'To choose packages, remove “All missing patches” first. ' : '';
  return `${first}Missing: ${shown}${more}.${reboot}`;
}

const MAX_HINTED = 10;

function rebootText(rebooting: readonly string[]): string {
  const [only, ...others] = rebooting.map(quoteStructure);
  return others.length === 0 ? `${only} requires a reboot.` : `${rebooting.length} of them require a reboot.`;
}

function labelsOf(packages: readonly Package[]): readonly string[] {
  return [...new Set(packages.map(({ name, displayName }) => (displayName === '' ? name : displayName)))];
}

/** Names of all missing patches. Slack cuts long text, so the reboot comes first. */
function allDetail(missing: readonly Package[]): readonly string[] {
  return [
    ...(missing.some(({ requiresReboot }) => requiresReboot) ? ['requires a reboot'] : []),
    labelsOf(missing).join(', '),
  ];
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
  return { value: name, label, ...(facts.length === 0 ? {} : { detail: facts }) };
}

function bySeverity(a: Package, b: Package): number {
  return severityRank(a.severity) - severityRank(b.severity) || compareNames(a.displayName, b.displayName);
}

function readForm(device: number, values: FieldValues, carried: unknown): PartialFormRead {
  const field = packagesOf(device);
  const chosen = values.get(field);
  if (chosen === undefined)
    return fieldError(DEVICE_FIELD, drawnContext.parse(carried).drawnFor === device ? NONE : NOT_LISTED);
  if (chosen.length === 0)
    return fieldError(field, 'Choose all missing patches, or the packages to install.');
  const selected = chosen.filter((name) => name !== ALL);
  if (selected.length > 0 && chosen.includes(ALL)) {
    return fieldError(field, 'Choose either all patches or single ones, not both.');
  }
  const severities = SEVERITIES.filter((severity) => selected.includes(ofSeverity(severity)));
  const packages = selected.filter((name) => !SEVERITIES.some((severity) => name === ofSeverity(severity)));
  return { kind: 'input', input: { packages, severities } };
}

const alertsInput = z.looseObject({
  alerts: z.object({ alert: z.string().transform(alertId), channel: z.string().transform(channelId) }),
});

const PAGE = 500;

/** Where an alert fails now, also what its card does not name. Null where the button is not that of an alert. */
const alertedDevices: FindSeenDevices = async (typed, { settings }) => {
  const read = alertsInput.safeParse(typed);
  if (!read.success) return null;
  const query = { of: 'alert', openOnly: true, ...read.data.alerts } as const;
  const names = new Map<number, string>();
  for (let skip = 0; ; skip += PAGE) {
    const { rows } = await settings.alerts.members(query, { limit: PAGE, skip });
    for (const { deviceId, deviceName } of rows)
      if (deviceId !== null) names.set(deviceId, deviceName ?? `#${deviceId}`);
    if (rows.length < PAGE) break;
  }
  return { kind: 'seen', ids: [...names.keys()], names };
};
