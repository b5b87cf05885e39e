/** Changes since the request and sentences of earlier versions, as a person reads them. */
import { AT, DRAWN, type EvidenceRow } from './rows.ts';

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
  [{ kind: 'text', text: 'The uptime fell.' }, 'The uptime fell.'],
  [{ kind: 'text', text: `Since @{${AT}}.` }, `Since ${DRAWN}.`],
  [
    { kind: 'text', text: 'Not sent: too late. It was requested long ago.' },
    'Too late. It was requested long ago.',
  ],
];
