/** What somebody is told about a request that runs at once. */
import { expect, it } from 'vitest';
import { startedView } from '../../../src/slack/dispatch/request-view.ts';
import { renderView } from '../../../src/views/render.ts';
import { aRolloutRequest } from '../../harness/rollouts.ts';

it('counts all devices of a request, not only those that are loaded', () => {
  const request = aRolloutRequest({ action: { kind: 'scan' }, expiresAt: null });
  expect(renderView(startedView(request, null)).text).toContain('Scan of 40 devices requested.');
});
