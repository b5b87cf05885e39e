/** Changes since the request, as a person reads them. */
import type { EvidenceRow } from './rows.ts';

export const OTHER_SENTENCES: readonly EvidenceRow[] = [
  [
    {
      kind: 'drifted',
      subject: 'device',
      changes: [{ kind: 'changed', name: 'web-01', field: 'connected', item: null, was: true, now: false }],
      more: 0,
    },
    'The device changed since the request — web-01 is now offline (was online).',
  ],
];
