import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { runVerb } from './harness/run-verb.ts';

describe('the command line', () => {
  it.each([[[]], [['frobnicate']]])('says what it can do when told %j', async (words) => {
    const { code, err } = await runVerb(words);
    expect(code).toBe(2);
    expect(err).toMatch(/^Usage: npm start \| npm run doctor/);
  });

  it.each(['start', 'doctor'])('%s names all missing settings at once and ends with 2', async (verb) => {
    const { code, err } = await runVerb([verb]);
    expect(code).toBe(2);
    const lines = err.trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'FLEET_BASE_URL',
      'FLEET_API_KEY',
      'FLEET_ORGANIZATION',
      'SLACK_BOT_TOKEN',
      'PATCHBAY_CONFIG',
      'SLACK_APP_TOKEN',
    ]);
  });

  it('start ends with a clear line when Slack refuses the token', async () => {
    const { startSandbox } = await import('./harness/start-sandbox.ts');
    const { settingsOf } = await import('./harness/settings.ts');
    const sandbox = await startSandbox();
    const folder = mkdtempSync(join(tmpdir(), 'patchbay-start-'));
    try {
      const env = await settingsOf(sandbox, folder);
      const { code, err } = await runVerb(['start'], { ...env, SLACK_BOT_TOKEN: 'xoxb-not-the-one' });
      expect(code).toBe(1);
      expect(err).toBe('Slack refuses SLACK_BOT_TOKEN: invalid_auth\n');
    } finally {
      await sandbox.stop();
      rmSync(folder, { recursive: true });
    }
  });
});
