import { describe, expect, it } from 'vitest';
import { requestsPerPoll } from './idle-polls.ts';

const at = (seconds: number, path = '/events') => ({ at: seconds * 1_000, path });

describe('requests per poll', () => {
  it('is one when each poll reads one page, however the clock was moved', () => {
    expect(requestsPerPoll([at(0), at(15.2), at(25.3), at(40.5)])).toBe(1);
  });

  it('counts a second page', () => {
    expect(requestsPerPoll([at(0), at(0.1), at(15), at(15.1)])).toBe(2);
  });

  it('counts all other requests, at any time', () => {
    expect(requestsPerPoll([at(0), at(7, '/servers'), at(15), at(22, '/api/auth.test')])).toBe(2);
  });
});
