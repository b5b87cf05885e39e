/** Which rows each filter of a list should keep, by the rows' own fields. */
import { isObject, type Json } from './json-fields.ts';

export type FilterProof = {
  readonly values: readonly (string | number)[];
  readonly keeps: (row: Json, value: string) => boolean;
  /** Refused with an error about the parameter. */
  readonly wrong?: string | number;
};

/** Keeps rows whose field has the value. */
const same = (field: string, ...values: readonly number[]): FilterProof => ({
  values,
  keeps: (row, value) => String(row[field]) === value,
  wrong: 'some',
});

/** 0 and 1 split the rows; the live service refuses other values. */
const flag = (holds: (row: Json) => boolean): FilterProof => ({
  values: [0, 1],
  keeps: (row, value) => holds(row) === (value === '1'),
  wrong: 'true',
});

const listIn = (row: Json, field: string): readonly unknown[] => {
  const value = row[field];
  return Array.isArray(value) ? value : [];
};
const dayOf = ({ create_time }: Json) => String(create_time).slice(0, 10);
const shellOf = ({ detail }: Json) => (isObject(detail) ? String(detail['PS_VERSION']) : '');

export const FILTER_PROOFS: Readonly<Record<string, Readonly<Record<string, FilterProof>>>> = {
  'GET /servers': {
    groupId: same('server_group_id', 3_112, 3_120),
    PS_VERSION: {
      values: ['5.1.20348.2652', '5.1.22621'],
      keeps: (row, value) => shellOf(row).startsWith(value),
    },
    pending: flag(({ pending }) => pending === true),
    patchStatus: { values: ['missing'], keeps: ({ patches }) => Number(patches) > 0, wrong: 'installed' },
    policyId: {
      values: [2_103, 2_104],
      keeps: (row, value) =>
        listIn(row, 'policy_status').some((entry) => isObject(entry) && String(entry['policy_id']) === value),
      wrong: 'some',
    },
    exception: flag(({ exception }) => exception === true),
    managed: flag((row) => listIn(row, 'policy_status').length > 0),
    needsAttention: flag(({ needs_attention: attention }) => attention === true),
  },
  'GET /events': {
    policyId: same('policy_id', 2_101, 2_103),
    serverId: same('server_id', 4_001, 4_004),
    userId: same('user_id', 701),
    eventName: { values: ['system.patch.failed'], keeps: ({ name }, value) => name === value },
    // Assumption (§4.9): a start day is included, an end day is not; the document says "after" and "before".
    startDate: {
      values: ['2026-03-05', '2026-02-20'],
      keeps: (row, value) => dayOf(row) >= value,
      wrong: '05.03.2026',
    },
    endDate: {
      values: ['2026-03-05', '2026-02-20'],
      keeps: (row, value) => dayOf(row) < value,
      wrong: 'yesterday',
    },
  },
};
