/** Texts of filter previews. */
import { expect, it } from 'vitest';
import type { DevicePreviewFilter } from '../../../src/fleet/fleet.ts';
import { renderView } from '../../../src/views/views.ts';
import { START } from '../../harness/builders.ts';

const words = (...filters: readonly DevicePreviewFilter[]): string => {
  const paging = { command: 'preview', input: {}, page: 0, pages: 1, total: 0, asOf: START };
  const view = { kind: 'preview', question: 'q', input: {}, filters, groups: [], rows: [] } as const;
  return JSON.stringify(renderView({ ...view, total: 0, paging }).blocks);
};

it.each<readonly [readonly DevicePreviewFilter[], string]>([
  [[], 'All devices in all groups.'],
  [
    [
      { field: 'tag', op: 'like_any', values: ['web'] },
      { field: 'hostname', op: 'like_any', values: ['web', 'db'] },
    ],
    'Devices in all groups with a tag that contains `web` and a hostname that contains `web` or `db`.',
  ],
  [
    [{ field: 'ip_addr', op: 'like_any', values: ['10.1.'] }],
    'Devices in all groups with an address that contains `10.1.`.',
  ],
  [
    [{ field: 'organizational_unit', op: 'like_any', values: ['OU=Servers'] }],
    'with an organizational unit that contains `OU=Servers`.',
  ],
  [[{ field: 'tag', op: 'not_like_any', values: ['web'] }], 'with no tag that contains `web`.'],
  [[{ field: 'os_family', op: 'in', values: ['Linux'] }], 'with the operating system `Linux`.'],
  [[{ field: 'os_family', op: 'not_in', values: ['Mac'] }], 'with an operating system other than `Mac`.'],
])('%# says them as a sentence', (filters, said) => {
  expect(words(...filters)).toContain(said);
});
