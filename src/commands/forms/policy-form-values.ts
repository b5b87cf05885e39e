/** Reads the fields of a policy as input of a command. Pure. */
import type { Dialect } from '../../fleet/dialect.ts';
import { policyFieldFaults } from '../../fleet/editor/policy-fields.ts';
import {
  bitsAt,
  DAYS,
  MONTHS,
  POLICY_SETTING_NAMES,
  POLICY_SETTINGS,
  type PolicySettingName,
  type PolicySettings,
  type SettingValue,
  WEEKS,
} from '../../fleet/model/policy.ts';
import type { FieldValues } from '../../views/models/form-model.ts';
import { FIELD_KEYS, type PolicyInput, policyChange } from '../changes/policy-fields.ts';
import { expectedSetting, readSetting } from '../changes/policy-values.ts';
import { FLAGS_FIELD, isFlag } from './policy-form-fields.ts';
import type { FormValues } from './shared/command-form.ts';
import { idValues, selectedValue, textLines, textValue } from './shared/field-values.ts';

type ReadPolicy =
  | { readonly kind: 'policy'; readonly policy: PolicyInput }
  | Extract<FormValues, { kind: 'errors' }>;

/** `unset`: on/off settings that the policy did not state when the form was drawn. */
export function policyInputOf(
  ending: string,
  values: FieldValues,
  { unset, dialect }: { readonly unset: readonly string[]; readonly dialect: Dialect },
): ReadPolicy {
  const id = (field: string) => `${field}${ending}`;
  const mask = <Key extends string>(key: Key, field: string, names: readonly string[]) => {
    const chosen = values.get(id(field));
    if (chosen === undefined) return {};
    return { [key]: bitsAt(chosen.map((name) => names.indexOf(name)).filter((at) => at >= 0)) };
  };
  const [time, zone] = [selectedValue(values, id('time')), selectedValue(values, id('zone'))];
  const severities = values.get(id('severity')) ?? [];
  const { settings, errors } = readSettings(id, values, unset);
  const policy: PolicyInput = {
    name: textValue(values, id('name')),
    groups: [...idValues(values, id('groups'))],
    ...mask('days', 'days', DAYS),
    ...mask('weeksOfMonth', 'weeks', WEEKS),
    ...mask('months', 'months', MONTHS),
    ...(time === null ? {} : { time }),
    ...(zone === null ? {} : { timezone: zone }),
    ...(values.has(id('notes')) ? { notes: textLines(values, id('notes')) } : {}),
    ...(severities.length === 0 ? {} : { severities: [...severities] }),
    ...(Object.keys(settings).length === 0 ? {} : { settings }),
  };
  const faults = policyFieldFaults(policyChange(policy, undefined), dialect).map(
    ({ field, expected }) => [id(FIELD_KEYS[field] ?? field), `Expected: ${expected}.`] as const,
  );
  const all = Object.fromEntries([...faults, ...errors]);
  return Object.keys(all).length === 0 ? { kind: 'policy', policy } : { kind: 'errors', errors: all };
}

type ReadSettings = {
  readonly settings: PolicySettings;
  readonly errors: readonly (readonly [field: string, words: string])[];
};

/** An empty field leaves a number or the periods as they are; an empty text is a value. */
function readSettings(
  id: (field: string) => string,
  values: FieldValues,
  unset: readonly string[],
): ReadSettings {
  const settings: [PolicySettingName, SettingValue][] = [];
  const errors: [string, string][] = [];
  const flags = values.get(id(FLAGS_FIELD));
  for (const name of POLICY_SETTING_NAMES) {
    if (isFlag(name)) {
      const isOn = flags?.includes(name) === true;
      if (flags !== undefined && (isOn || !unset.includes(name))) settings.push([name, isOn]);
      continue;
    }
    const field = id(POLICY_SETTINGS[name].key);
    const text = textValue(values, field);
    if (!values.has(field) || (text === '' && isKeptEmpty(name, unset))) continue;
    const value = readSetting(name, text);
    if (value === null) errors.push([field, `Expected: ${expectedSetting(name)}.`]);
    else settings.push([name, value]);
  }
  return { settings: Object.fromEntries(settings), errors };
}

function isKeptEmpty(name: PolicySettingName, unset: readonly string[]): boolean {
  return POLICY_SETTINGS[name].shape.kind !== 'text' || unset.includes(name);
}
