/** Forms that add and remove faults of the services. */

import { api } from '../state/api.ts';
import type { FormInput, PanelGroup } from './panel-model.ts';
import { faultLines, filledValues } from './status-lines.ts';

/** Requests by method and path. */
const MATCHES = [
  'GET /servers',
  'POST /servers',
  'GET /events',
  'POST /api/chat.postMessage',
  'POST /api/chat.update',
];
const DEFAULT_MATCH = { management: 'GET /servers', slack: 'POST /api/chat.postMessage' };

export const FAULT_GROUP: readonly PanelGroup[] = [
  {
    id: 'faults',
    title: 'Break a service',
    about:
      'The fault applies to the next matching requests. The bot’s own polls count, and it retries failed reads.',
    now: faultLines,
    fields: [
      { name: 'service', label: 'Service', options: ['management', 'slack'] },
      {
        name: 'match',
        label: 'Requests',
        value: DEFAULT_MATCH.management,
        suggestions: MATCHES,
        follows: { field: 'service', values: DEFAULT_MATCH },
      },
      {
        name: 'kind',
        label: 'Fault',
        options: ['status', 'slow', 'late', 'cut', 'cut-after', 'malformed', 'throttle', 'list'],
      },
      { name: 'times', label: 'Times', value: '20', number: true },
      { name: 'status', label: 'Status', value: '500', number: true },
      { name: 'ms', label: 'Delay (ms)', value: '5000', number: true },
      { name: 'retry_after', label: 'Retry after (s)', value: '5', number: true },
      { name: 'take', label: 'Rows of the list', value: '0', number: true },
    ],
    actions: [
      { id: 'break', label: 'Break it', does: (entered) => api.fault(faultFromForm(entered)) },
      { id: 'repair', label: 'Repair everything', does: () => api.repair() },
    ],
  },
  {
    id: 'throttle',
    title: 'Common faults',
    about: 'Each affects a limited number of requests. The list above shows how many are left.',
    fields: [],
    actions: [
      {
        id: 'slow-service',
        label: 'Slow service',
        does: () => api.fault({ service: 'management', match: '/', kind: 'slow', times: 10, ms: 4000 }),
      },
      {
        id: 'break-service',
        label: 'Service down',
        does: () => api.fault({ service: 'management', match: '/', kind: 'status', times: 20, status: 503 }),
      },
      {
        id: 'throttle-slack',
        label: 'Throttle 3 posts',
        does: () =>
          api.fault({
            service: 'slack',
            match: 'chat.postMessage',
            kind: 'throttle',
            times: 3,
            retry_after: 5,
          }),
      },
    ],
  },
];

/** Additional fields of each kind of fault. */
const FAULT_FIELDS: Readonly<Record<string, readonly string[] | undefined>> = {
  status: ['status'],
  slow: ['ms'],
  throttle: ['retry_after'],
  list: ['take'],
};

function faultFromForm({ service, match, kind = '', times, ...rest }: FormInput) {
  const details = Object.fromEntries((FAULT_FIELDS[kind] ?? []).map((name) => [name, rest[name] ?? '']));
  return { service, match, kind, ...filledValues({ ...(times === undefined ? {} : { times }), ...details }) };
}
