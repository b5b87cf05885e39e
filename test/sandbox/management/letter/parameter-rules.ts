/** What each query parameter does, in the words of the document (§4): the rows that are left, and no other. */
import { isObject, type Json } from '../coverage/json-fields.ts';

export type ParameterRule = {
  /** Values to try: some that are in the rows. */
  readonly values: (rows: readonly Json[]) => readonly unknown[];
  /** Whether a row belongs to the value. */
  readonly keeps: (row: Json, value: unknown) => boolean;
};

const seen = (rows: readonly Json[], name: string): readonly unknown[] =>
  [...new Set(rows.map((row) => row[name]))].filter((value) => value !== null).slice(0, 3);

/** Only rows with this value of a field. */
const field = (name: string): ParameterRule => ({
  values: (rows) => seen(rows, name),
  keeps: (row, value) => row[name] === value,
});

/** 0 or 1. */
const flag = (holds: (row: Json) => boolean): ParameterRule => ({
  values: () => [0, 1],
  keeps: (row, value) => holds(row) === (value === 1),
});

const inside = (row: Json, name: string): Json => {
  const value = row[name];
  return isObject(value) ? value : {};
};
const policiesOf = ({ policy_status: entries }: Json): readonly unknown[] =>
  (Array.isArray(entries) ? entries : []).map((entry: unknown) =>
    isObject(entry) ? entry['policy_id'] : null,
  );

const day = (row: Json) => String(row['create_time']).slice(0, 10);
const days = (rows: readonly Json[]) => [...new Set(rows.map(day))].sort();
const middle = (values: readonly string[]) => values.slice(values.length >> 1, (values.length >> 1) + 1);

/** By endpoint. Paging has rules of its own. */
export const PARAMETER_RULES: Readonly<Record<string, Readonly<Record<string, ParameterRule>>>> = {
  'GET /servers': {
    groupId: field('server_group_id'),
    PS_VERSION: {
      values: (rows) =>
        seen(
          rows.map((row) => inside(row, 'detail')),
          'PS_VERSION',
        ).slice(0, 1),
      keeps: (row, value) => inside(row, 'detail')['PS_VERSION'] === value,
    },
    pending: flag((row) => row['pending'] === true),
    patchStatus: { values: () => ['missing'], keeps: (row) => Number(row['patches']) > 0 },
    policyId: {
      values: (rows) => [...new Set(rows.flatMap(policiesOf))].filter((id) => id !== null).slice(0, 3),
      keeps: (row, value) => policiesOf(row).includes(value),
    },
    exception: flag((row) => row['exception'] === true),
    managed: flag((row) => policiesOf(row).length > 0),
    needsAttention: flag((row) => row['needs_attention'] === true),
  },
  'GET /events': {
    policyId: field('policy_id'),
    serverId: field('server_id'),
    userId: field('user_id'),
    eventName: field('name'),
    // After the date has begun: whether its own events count is not shown.
    startDate: { values: (rows) => middle(days(rows)), keeps: (row, value) => day(row) >= String(value) },
    endDate: { values: (rows) => middle(days(rows)), keeps: (row, value) => day(row) < String(value) },
  },
};
