/** Required content of the status's fallback text: the state of Patchbay, problems, who paused, and every figure. */
import type { View } from '../../../src/views/model.ts';
import { HEALTHY } from '../../commands/harness/fake-records.ts';
import { START } from '../../harness/builders.ts';
import { aPause } from '../samples/setting-samples.ts';

type Row = { readonly name: string; readonly view: View; readonly holds: readonly string[] };

const index = { devices: 240, asOf: START };

export const STATUS: readonly Row[] = [
  {
    name: 'a status where nothing is wrong',
    view: { kind: 'status', health: HEALTHY, index, pause: null, asOf: START },
    holds: [
      '✅ *Patchbay is healthy*',
      '*Slack*: Connected',
      '*Database*: Connected',
      '*Event log*: Read <!date^',
      '*Management service*: Healthy',
      '*Device list*: 240 devices, read <!date^',
    ],
  },
  {
    name: 'a status with a problem, while changes are paused',
    view: {
      kind: 'status',
      health: {
        ...HEALTHY,
        slack: false,
        database: false,
        troubles: [{ trouble: { kind: 'slack-refuses', error: 'token_revoked' }, since: START }],
      },
      index: null,
      pause: aPause({ reason: 'maintenance window' }),
      asOf: START,
    },
    holds: [
      '⚠️ *Patchbay needs attention*',
      '⚠️ *All changes are paused*',
      '<@U0ADMIN>',
      'maintenance window',
      '⛔ *Problem:*',
      'token_revoked',
      '*Slack*: Not connected',
      '*Database*: Not responding',
      '*Device list*: Not read yet',
    ],
  },
];
