import { describe, expect, it } from 'vitest';
import { createLog, secret } from '../../src/lib/log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void, secrets: readonly string[] = []): string {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  write(createLog({ level: 'info', secrets: secrets.map(secret), destination }));
  return lines.join('');
}

describe('the log', () => {
  it('writes one JSON object per line', () => {
    expect(JSON.parse(logged((log) => log.info({ event: 'app.started', n: 0 }, 'hello')))).toMatchObject({
      event: 'app.started',
      n: 0,
      msg: 'hello',
    });
  });

  it.each([
    ['a bot token', 'xoxb-1234-abcd'],
    ['an app token', 'xapp-1-A-2-b'],
    ['a bearer header', 'Bearer abc.def'],
    ['a response URL', 'https://hooks.slack.com/commands/T1/2/three'],
    ['a socket ticket', 'wss://host/link/?ticket=abcdef'],
  ])('blanks %s wherever it is', (_, value) => {
    const line = logged((log) =>
      log.info({ deep: { list: [value] }, err: new Error(`failed with ${value}`) }, `at ${value}`),
    );
    expect(line).toContain('[secret]');
    expect(line).not.toContain(value);
  });

  it.each(['key-of-the-service', 'key "of" the service', 'key\\of\\the\\service'])(
    'blanks the values of the settings, whatever they look like: %s',
    (key) => {
      const line = logged((log) => log.info({ text: `x ${key} y` }), [key]);
      expect(JSON.parse(line)).toMatchObject({ text: 'x [secret] y' });
    },
  );
});
