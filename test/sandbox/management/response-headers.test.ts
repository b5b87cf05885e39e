import { describe, expect, it } from 'vitest';
import { MINUTE } from '../../../src/lib/clock.ts';
import { startService } from './harness/service.ts';

describe('an answer of the service', () => {
  it('states the time of the sandbox’s clock, as its events and its rate limit do', async () => {
    const { management, clock } = await startService();
    const headers = { authorization: `Bearer ${management.apiKey}` };
    await clock.advance(31 * MINUTE);
    const response = await fetch(`${management.baseUrl}/servers?limit=1`, { headers });
    await response.text();
    expect(response.headers.get('date')).toBe('Tue, 10 Mar 2026 12:31:00 GMT');
  });
});
